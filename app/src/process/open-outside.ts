import type { ChildProcess } from "node:child_process";
import { basename } from "node:path";
import { errorMessage } from "@xworkmate/platform/errors";
import open from "open";
import { AppError } from "../errors/app-error.ts";

/** How long to wait for the system's program: it tries a few browsers and ends, but keeps running if it becomes the browser. */
const SETTLES_MS = 2_000;

/**
 * Opens an address or a folder with the system's program for it.
 * @throws AppError EDITOR_FAILED if that program can't be started, or says that it opened nothing, as on a computer without a browser
 */
export async function openOutside(target: string, start: (target: string) => Promise<ChildProcess> = (at) => open(at)): Promise<void> {
	const child = await start(target).catch((error: unknown) => {
		throw nothingOpened(errorMessage(error), error);
	});
	const code = await endOf(child);
	if (code !== 0 && code !== null) throw nothingOpened(`${basename(child.spawnfile)} ended with exit code ${code}`);
}

function nothingOpened(why: string, cause?: unknown): AppError {
	return new AppError(
		"EDITOR_FAILED",
		`The folder or address couldn't be opened on the app's computer: ${why}.`,
		"Open it there yourself.",
		cause,
	);
}

/** The program's exit code; null if it is still running, or was ended by a signal. */
function endOf(child: ChildProcess): Promise<number | null> {
	if (child.exitCode !== null) return Promise.resolve(child.exitCode);
	return new Promise((resolve) => {
		const timer = setTimeout(() => resolve(null), SETTLES_MS);
		child.once("exit", (code) => {
			clearTimeout(timer);
			resolve(code);
		});
	});
}
