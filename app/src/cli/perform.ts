import { InvalidArgumentError, Option } from "commander";
import type { ProgramContext } from "./program.ts";
import type { Output } from "./thread-commands.ts";
import { type ExitCode, exitCode } from "./words/exit-code.ts";

export const json = new Option("--json", "Print JSON, one document per line");

/** Any result other than success is reported by its exit code. */
export type Act = (output: Output) => Promise<ExitCode> | Promise<void>;

/** Runs one action against the app and exits with its code. */
export async function perform(context: ProgramContext, flags: { json?: boolean }, act: Act, withoutBridge = false): Promise<void> {
	const { console } = context;
	const code = await context.withApp(async (api) => await act({ api, console, json: flags.json === true }), { withoutBridge });
	context.done(code ?? exitCode.success);
}

export function checked<T>(result: { success: true; data: T } | { success: false }, form: string): T {
	if (result.success) return result.data;
	throw new InvalidArgumentError(`It must be ${form}.`);
}
