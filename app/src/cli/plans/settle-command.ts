import { AppError } from "../../errors/app-error.ts";
import { commandLine } from "../../text/command-line.ts";
import type { Output } from "../parts/output.ts";
import { print } from "../parts/print.ts";
import { type ExitCode, exitCode } from "../words/exit-code.ts";
import { findOccurrence } from "./find-occurrence.ts";
import { occurrenceLines, readNow } from "./plan-lines.ts";

export interface SettleFlags {
	readonly sent?: boolean;
	readonly notSent?: boolean;
}

/** Records whether a message of unknown outcome arrived. There is no default, and the answer is final. */
export async function settleMessage(output: Output, id: string, { sent, notSent }: SettleFlags): Promise<ExitCode> {
	if ((sent === true) === (notSent === true)) {
		const fix = `Check whether the recipient has it, then run ${commandLine(`plans settle ${id} --sent`)} or use --not-sent instead`;
		throw new AppError("INVALID_INPUT", "Say whether the message arrived.", fix);
	}
	const unknown = await findOccurrence(
		output.api,
		id,
		({ delivery }) => {
			const found = delivery.filter(({ status, stage }) => status === "unknown" || (status === "sending" && stage === "accepted"));
			return found.length === 0 ? undefined : found;
		},
		{ words: "has an unknown outcome", command: "plans settle" },
	);
	const [action, second] = unknown.actions;
	if (action === undefined || second !== undefined) {
		const names = unknown.actions.map(({ actionId }) => commandLine(`plans settle ${actionId} ${sent ? "--sent" : "--not-sent"}`));
		throw new AppError("SEVERAL_WAIT", "Several messages have an unknown outcome.", `Name one: ${names.join(", ")}`);
	}
	const { occurrenceId, revision } = unknown.occurrence;
	const outcome = sent === true ? "sent" : "not_sent";
	const { occurrence, applied } = await output.api.settleMessage({ occurrenceId, actionId: action.actionId, revision, outcome });
	const said = sent === true ? "Recorded: it arrived." : "Recorded: it did not arrive.";
	const lines = occurrenceLines(occurrence, readNow());
	print(output, { occurrence, applied }, [
		applied ? said : "The message was settled or changed in the meantime, so your answer was not applied. Its current state:",
		...lines,
	]);
	return applied ? exitCode.success : exitCode.beforeRun;
}
