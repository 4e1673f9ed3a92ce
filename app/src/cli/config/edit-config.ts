import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "@xworkmate/platform/files";
import { configPath, placeIn, readConfigFile, saidProblem } from "@xworkmate/platform/settings";
import { AppError } from "../../errors/app-error.ts";
import { replaceSettings } from "../../settings/change-setting.ts";
import { commandLine } from "../../text/command-line.ts";
import { printable } from "../../text/printable.ts";
import { type ExitCode, exitCode } from "../words/exit-code.ts";
import type { ConfigDeps } from "./config-commands.ts";

const TEMPLATE = `{
	// To list all settings: ${commandLine("config list")}
}
`;

/**
 * `xworkmate config edit`: opens a copy of config.json in the user's editor, and replaces the file only if the edited text is valid.
 * Otherwise the copy is kept, and the next call continues with it.
 */
export async function editConfig(deps: ConfigDeps): Promise<ExitCode> {
	const { home, env, console } = deps;
	const copy = join(home, "config.edit.json");
	const before = await readConfigFile(home);
	if (before.text === undefined && before.problems.length > 0) throw unusable(before);
	if (existsSync(copy)) console.note(`Continuing with your unsaved text: ${copy}`);
	else writeDurably(copy, before.text ?? TEMPLATE);
	await openEditor(env, copy);
	const after = readFileSync(copy, "utf8");
	if (after === (before.text ?? TEMPLATE)) {
		rmSync(copy);
		console.line("Nothing was changed.");
		const said = saidProblem(before);
		if (said === undefined) return exitCode.success;
		// The problem is reported as `config list` reports it.
		console.note(printable(`The file still can't be used. ${said.message} ${said.fix}`));
		return exitCode.beforeRun;
	}
	const { parseConfig } = await import("@xworkmate/platform/change-config");
	const { problems } = parseConfig(after);
	if (problems.length > 0) {
		for (const problem of problems) console.note(printable(`${placeIn(copy, problem)}: ${problem.message} ${problem.fix}`));
		console.note(
			`${configPath(home)} is unchanged. To continue editing, run ${commandLine("config edit")}. To discard your text, delete ${copy}`,
		);
		return exitCode.beforeRun;
	}
	await replaceSettings(home, before.text, after);
	rmSync(copy);
	console.line("Saved.");
	return exitCode.success;
}

function unusable({ path, problems: [first] }: Awaited<ReturnType<typeof readConfigFile>>): AppError {
	return new AppError(
		"CONFIG_REFUSED",
		`${path}: ${first?.message ?? "The file can't be read."}`,
		first?.fix ?? "Move it to another folder.",
	);
}

/** Runs the editor in a shell, as git does, because VISUAL or EDITOR may contain arguments. */
async function openEditor({ VISUAL, EDITOR }: ConfigDeps["env"], path: string): Promise<void> {
	const editor = VISUAL || EDITOR || (process.platform === "win32" ? "notepad" : "vi");
	const isWindows = process.platform === "win32";
	const child = isWindows
		? spawn(`${editor} "${path}"`, { stdio: "inherit", shell: true })
		: spawn("sh", ["-c", `${editor} "$1"`, "sh", path], { stdio: "inherit" });
	const [code] = await once(child, "exit");
	if (code === 0) return;
	throw new AppError(
		"INVALID_INPUT",
		`The editor (${editor}) ended with an error, and nothing was changed.`,
		`Set ${VISUAL ? "VISUAL" : "EDITOR"} to an editor that works. Your text is in ${path}.`,
	);
}
