import { type Command, Option } from "commander";
import { AppError } from "../../errors/app-error.ts";
import { commandLine } from "../../text/command-line.ts";
import { type ExitCode, exitCode } from "../words/exit-code.ts";
import { json, type ProgramContext, perform } from "./command-parts.ts";
import type { Output } from "./output.ts";

/** Something that a command removes permanently. */
export interface Removal {
	/** What is removed and what is kept; printed before the question. */
	readonly lines: readonly string[];
	/** The command itself, for a repeat with --yes; without `xworkmate`. */
	readonly command: string;
}

interface ConfirmFlags {
	readonly json?: boolean;
	readonly yes?: boolean;
}

/**
 * Makes a command say what it removes, and remove it only after a yes on the terminal or with --yes. The page asks before the same
 * removals. Without a terminal, or with --json, the command is refused: INVALID_INPUT.
 */
export function addRemoval<Given>(
	command: Command,
	context: ProgramContext,
	describe: (output: Output, given: Given) => Removal | Promise<Removal>,
	act: (output: Output, given: Given) => Promise<void>,
): void {
	command
		.addOption(new Option("--yes", "Don't ask for confirmation, for example in a script"))
		.addOption(json)
		.action((given: Given, { yes = false, ...flags }: ConfirmFlags) =>
			perform(context, flags, async (output): Promise<ExitCode> => {
				if (!yes && !(await isConfirmed(context, output, await describe(output, given)))) {
					output.console.line("Nothing was removed.");
					return exitCode.cancelled;
				}
				await act(output, given);
				return exitCode.success;
			}),
		);
}

async function isConfirmed(context: ProgramContext, { console, json: isJson }: Output, { lines, command }: Removal): Promise<boolean> {
	if (!context.canAsk || isJson) throw unasked(command);
	for (const line of lines) console.line(line);
	return await context.confirm("Continue?");
}

function unasked(command: string): AppError {
	const message = "This can't be undone, and there is no terminal to ask on. Nothing was removed.";
	return new AppError("INVALID_INPUT", message, `To do it without being asked: ${commandLine(`${command} --yes`)}`);
}
