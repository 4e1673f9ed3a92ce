import { spawn } from "node:child_process";
import { once } from "node:events";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { editorWords } from "@xworkmate/platform/settings";
import { AppError } from "../errors/app-error.ts";
import { missing, statPlainFile } from "./open-plain-file.ts";

/**
 * An editor that can't open the file usually exits within this time. Any other editor keeps running, or hands the file over and exits with
 * 0.
 */
const FAILS_WITHIN_MS = 1_000;

/**
 * Opens a plain file with the user's editor. No shell is involved and the path is absolute, so that a name can be neither a command nor an
 * option. The system's own opener is not used, because it runs some kinds of files.
 * @param segments the file's path under `root`, a folder that is trusted
 * @param gone the error for a file that does not exist, which depends on the kind of folder
 * @throws AppError EDITOR_NOT_SET, EDITOR_FAILED, FILE_NOT_FOUND; FILE_BLOCKED for a folder at the path, or a link or a device at the path
 * or above it
 */
export async function openInEditor(
	command: unknown,
	root: string,
	segments: readonly string[],
	gone: () => AppError = missing,
): Promise<void> {
	if (typeof command !== "string") throw notSet();
	const words = editorWords(command);
	if (typeof words === "string") throw failed(`The editor setting ${words}.`);
	if ((await statPlainFile(root, segments)) === undefined) throw gone();
	const file = join(root, ...segments);
	const [program = "", ...args] = words.some((word) => word.includes("{file}")) ? words : [...words, "{file}"];
	const child = spawn(
		program,
		// Replaced in a single pass, so that braces in the file's name are kept.
		args.map((word) => word.replace(/\{(file|line)\}/g, (_, name: string) => (name === "file" ? file : "1"))),
		// Starts in the home folder, so that a program in the thread's folder can't be run as the editor.
		{ cwd: homedir(), stdio: "ignore", detached: true, shell: false },
	);
	child.unref();
	const leave = new AbortController();
	try {
		await once(child, "spawn");
		const ended = once(child, "exit", { signal: leave.signal }).then(([code]: readonly unknown[]) => code);
		const code = await Promise.race([ended, delay(FAILS_WITHIN_MS, 0, { signal: leave.signal, ref: false })]);
		if (code !== 0) throw failed(`The editor (${program}) ended with an error.`);
	} catch (error) {
		throw error instanceof AppError ? error : failed(`The editor (${program}) couldn't be started.`, error);
	} finally {
		leave.abort();
	}
}

function notSet(): AppError {
	return new AppError("EDITOR_NOT_SET", "No editor is set.", "Set one under Settings > General, such as code -g {file}:{line}.");
}

function failed(message: string, cause?: unknown): AppError {
	const fix = "Correct the Editor setting under Settings > General. The editor must open in its own window.";
	return new AppError("EDITOR_FAILED", message, fix, cause);
}
