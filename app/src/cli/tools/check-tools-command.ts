import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { AppError } from "../../errors/app-error.ts";
import { checkToolsMain } from "../../process/bridge/spawn-bridge.ts";
import { commandLine } from "../../text/command-line.ts";
import { oneLine } from "../../text/printable.ts";
import type { Console } from "../parts/console.ts";
import { type ExitCode, exitCode } from "../words/exit-code.ts";
import { terminalJson } from "../words/terminal-json.ts";
import { problemLine } from "./tool-commands.ts";

const run = promisify(execFile);
const TIMEOUT_MS = 120_000;
const MAX_BYTES = 16 * 2 ** 20;

const Checked = z.object({
	tools: z.array(z.object({ toolId: z.string(), risk: z.string() })),
	problems: z.array(
		z.object({
			code: z.string(),
			message: z.string(),
			file: z.string().exactOptional(),
			line: z.int().exactOptional(),
			column: z.int().exactOptional(),
		}),
	),
});

/** `xworkmate tools check FOLDER`: checks tools in a separate process, without a bridge. */
export async function checkToolsCommand(folder: string, console: Console, json: boolean): Promise<ExitCode> {
	const path = resolve(folder);
	if (!existsSync(path)) {
		const fix = `Give the path of a folder of tools, or create one: ${commandLine("tools new INTEGRATION")}`;
		throw new AppError("INVALID_INPUT", `There is no folder ${oneLine(path, 500)}.`, fix);
	}
	const args = ["--disable-warning=ExperimentalWarning", checkToolsMain, path];
	const { stdout } = await run(process.execPath, args, { timeout: TIMEOUT_MS, maxBuffer: MAX_BYTES, env: {} }).catch((error: unknown) => {
		throw new AppError(
			"INVALID_INPUT",
			"The folder couldn't be checked.",
			"Try again. If the check fails again, remove tools until it works.",
			error,
		);
	});
	const checked = Checked.parse(JSON.parse(stdout));
	const { tools, problems } = checked;
	if (json) console.line(terminalJson(checked));
	else if (problems.length > 0) for (const problem of problems) console.line(problemLine(problem));
	else console.line(`No problems found. Tools: ${tools.map(({ toolId, risk }) => `${oneLine(toolId)} (${oneLine(risk)})`).join(", ")}.`);
	return problems.length > 0 ? exitCode.beforeRun : exitCode.success;
}
