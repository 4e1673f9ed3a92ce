import type { DeliveryAction, Occurrence } from "@xworkmate/contracts";
import { AppError } from "../../errors/app-error.ts";
import { WrongUsage } from "../../errors/wrong-usage.ts";
import { commandLine } from "../../text/command-line.ts";
import type { Output } from "../parts/output.ts";
import { print } from "../parts/print.ts";
import { type ExitCode, exitCode } from "../words/exit-code.ts";
import { isRecorded, namedMessages, type Outcome } from "./decided-already.ts";
import { findOccurrence } from "./find-occurrence.ts";
import { occurrenceLines, readNow } from "./plan-lines.ts";
import { readResent } from "./read-resent.ts";
import { severalMeant } from "./which-of-several.ts";

export interface SettleFlags {
	readonly sent?: boolean;
	readonly notSent?: boolean;
}

/** What the flags say about a message. There is no default. @throws WrongUsage unless exactly one flag is set */
export function outcomeOf(id: string, { sent, notSent }: SettleFlags): Outcome {
	if ((sent === true) !== (notSent === true)) return sent === true ? "sent" : "not_sent";
	const fix = `Check whether the recipient received the message. If so, run ${commandLine(`plans settle ${id} --sent`)}. If not, use --not-sent instead.`;
	throw new WrongUsage("Say whether the message arrived.", fix);
}

/** Records whether a message of unknown outcome arrived. The answer is final. */
export async function settleMessage(output: Output, id: string, outcome: Outcome): Promise<ExitCode> {
	const flags = outcome === "sent" ? "--sent" : "--not-sent";
	const unknown = await findOccurrence(
		output.api,
		id,
		({ delivery }) => {
			const found = delivery.filter(({ status, stage }) => status === "unknown" || (status === "sending" && stage === "accepted"));
			return found.length === 0 ? undefined : found;
		},
		{ words: "has an unknown outcome", several: "have a message with an unknown outcome", command: "plans settle", flags },
	).catch((error: unknown) => {
		if (error instanceof AppError && error.code === "NOTHING_WAITS") return error;
		throw error;
	});
	if (unknown instanceof AppError) return recordedAlready(output, id, outcome, unknown);
	const [action, second] = unknown.actions;
	if (action === undefined || second !== undefined) {
		const what = `Say which of these messages ${outcome === "sent" ? "arrived" : "did not arrive"}`;
		throw severalMeant(unknown.occurrence, unknown.actions, { what, command: "plans settle", flags });
	}
	const { occurrenceId, revision } = unknown.occurrence;
	const { occurrence, applied } = await output.api.settleMessage({ occurrenceId, actionId: action.actionId, revision, outcome });
	const said = outcome === "sent" ? "Recorded that the message arrived." : "Recorded that the message did not arrive.";
	const lines = await linesOf(output, occurrence);
	const now = occurrence.delivery.find(({ actionId }) => actionId === action.actionId);
	if (!applied && now !== undefined && isRecorded(now, outcome)) return sayRecorded(output, occurrence, outcome);
	print(output, { occurrence, applied }, [
		applied ? said : "Something changed in the meantime, so your answer was not applied. The current state:",
		...lines,
	]);
	return applied ? exitCode.success : exitCode.beforeRun;
}

/**
 * Succeeds if the same outcome is already recorded for all of the messages.
 * @throws AppError NOTHING_WAITS, which names the other outcome if that is recorded for all of them, and is `refused` otherwise
 */
async function recordedAlready(output: Output, id: string, outcome: Outcome, refused: AppError): Promise<ExitCode> {
	const isSettled = ({ settledBy }: DeliveryAction) => settledBy !== undefined;
	const named = await namedMessages(output.api, id, isSettled);
	if (named === undefined) throw refused;
	const { plan, occurrence, actions } = named;
	// If the user has recorded the outcome of some of the messages, the id names only those.
	const settled = actions.filter(isSettled);
	const meant = settled.length === 0 ? actions : settled;
	const isAll = (said: Outcome) => meant.length > 0 && meant.every((action) => isRecorded(action, said));
	if (isAll(outcome)) return sayRecorded(output, occurrence, outcome);
	const other = outcome === "sent" ? "not_sent" : "sent";
	if (!isAll(other)) throw refused;
	const which = meant.length === 1 ? `The message of “${plan.title}” is` : `The messages of “${plan.title}” are`;
	throw new AppError(refused.code, `${which} already ${recordedWords[other]}, and that is final.`, refused.fix);
}

const recordedWords: Readonly<Record<Outcome, string>> = { sent: "recorded as sent", not_sent: "recorded as not sent" };

async function sayRecorded(output: Output, occurrence: Occurrence, outcome: Outcome): Promise<ExitCode> {
	const lines = await linesOf(output, occurrence);
	print(output, { occurrence, applied: false }, [`Already ${recordedWords[outcome]}.`, ...lines]);
	return exitCode.success;
}

async function linesOf({ api }: Output, occurrence: Occurrence): Promise<readonly string[]> {
	return occurrenceLines(occurrence, { ...readNow(), resent: await readResent(api, occurrence) });
}
