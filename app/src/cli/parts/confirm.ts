import { type Command, Option } from "commander";
import { AppError } from "../../errors/app-error.ts";
import { commandLine } from "../../text/command-line.ts";
import { type ExitCode, exitCode } from "../words/exit-code.ts";
import { json, type ProgramContext, perform } from "./command-parts.ts";
import type { Output } from "./output.ts";

/** Something that a command removes or cancels permanently. */
export interface Removal {
	/** What is removed and what is kept; printed before the question. */
	readonly lines: readonly string[];
	/** The command itself, for a repeat with --yes; without `xworkmate`. */
	readonly command: string;
	/** Printed after a no, or instead of the question. By default, it says that nothing was removed. */
	readonly otherwise?: string;
}

interface ConfirmFlags {
	readonly json?: boolean;
	readonly yes?: boolean;
}

/**
 * Makes a command say what it removes, and remove it only after a yes on the terminal or with --yes. The page asks before the same
 * removals. Without --yes, a command with --json or without a terminal is refused (INVALID_INPUT). If `describe` returns nothing, no
 * question is asked.
 */
export function addRemoval<Given>(
	command: Command,
	context: ProgramContext,
	describe: (output: Output, given: Given) => Removal | undefined | Promise<Removal | undefined>,
	act: (output: Output, given: Given) => Promise<void>,
): void {
	command
		.addOption(new Option("--yes", "Don't ask for confirmation, for example in a script"))
		.addOption(json)
		.action((given: Given, { yes = false, ...flags }: ConfirmFlags) =>
			perform(context, flags, async (output): Promise<ExitCode> => {
				const removal = yes ? undefined : await describe(output, given);
				if (removal !== undefined && !(await isConfirmed(context, output, removal))) {
					output.console.line(removal.otherwise ?? NOTHING_REMOVED);
					return exitCode.cancelled;
				}
				await act(output, given);
				return exitCode.success;
			}),
		);
}

async function isConfirmed(
	context: ProgramContext,
	{ console, json: isJson }: Output,
	{ lines, command, otherwise }: Removal,
): Promise<boolean> {
	if (!console.canAsk || isJson) throw unasked(command, whyUnasked(isJson), otherwise ?? NOTHING_REMOVED);
	for (const line of lines) console.line(line);
	return await context.confirm("Continue?");
}

const NOTHING_REMOVED = "Nothing was removed.";

/** Why an effect that can't be undone was not confirmed. */
export function whyUnasked(isJson: boolean): string {
	return `This can't be undone, and XWorkmate can't ask you to confirm it ${isJson ? "with --json" : "without a terminal"}.`;
}

function unasked(command: string, why: string, otherwise: string): AppError {
	const message = `${why} ${otherwise}`;
	return new AppError("INVALID_INPUT", message, `To skip the confirmation: ${commandLine(`${command} --yes`)}`);
}
