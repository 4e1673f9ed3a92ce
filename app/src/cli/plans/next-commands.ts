import type { DeliveryAction, Occurrence } from "@xworkmate/contracts";
import { isDropped, isDroppedInDoubt } from "@xworkmate/contracts/is-dropped";
import { commandLine } from "../../text/command-line.ts";
import { mayHaveBeenSent } from "../../text/plans/may-have-been-sent.ts";
import { idInCommand, whichMessage } from "./message-names.ts";
import { isResent, isUnsent } from "./read-resent.ts";

const ofWork: ReadonlySet<Occurrence["code"]> = new Set(["WORK_FAILED", "WORK_UNKNOWN", "WORK_NOT_VERIFIED"]);

/**
 * The commands that make sense next for an occurrence that needs attention or has not ended. `resent`: the later messages that repeat those
 * of the occurrence.
 */
export function nextCommands(occurrence: Occurrence, resent: readonly DeliveryAction[] = []): readonly string[] {
	const { occurrenceId, planId, status, code, delivery } = occurrence;
	const held = delivery.filter((action) => action.status === "needs_review");
	const isHeld = held.length > 0 || (status === "needs_review" && delivery.length === 0);
	const unknown = delivery.filter((action) => action.status === "unknown");
	const isOfWork = code !== undefined && ofWork.has(code);
	const reviewed = held.length === 1 ? idInCommand(occurrence, held[0]) : occurrenceId;
	return [
		...(isHeld ? [`  Review ${held.length > 1 ? "them" : "it"}: ${commandLine(`plans review ${reviewed}`)}`] : []),
		...unknown.map((action) => {
			const command = commandLine(`plans settle ${idInCommand(occurrence, action)} --sent`);
			return `  Record whether it arrived${whichMessage(occurrence, action)}: ${command} or --not-sent`;
		}),
		...(isOfWork ? [`  Run it again: ${commandLine(`plans run ${planId}`)}`] : []),
		...(status === "failed" && !isOfWork ? againCommands(occurrence, resent) : []),
	];
}

/**
 * How to resend the messages that were not sent, except those that have already been resent. A message that was discarded or cancelled is
 * resent only if the command names it.
 */
function againCommands(occurrence: Occurrence, resent: readonly DeliveryAction[]): readonly string[] {
	const { occurrenceId, planId, delivery, deliverable } = occurrence;
	const unsent = delivery.filter(isUnsent);
	const left = unsent.filter((action) => !isResent(action, resent));
	// A message without a text can't be sent again.
	const canResend = ({ content }: DeliveryAction) => (content ?? deliverable) !== undefined;
	if (left.length === 0) return [];
	if (!left.some(canResend)) return [`  Run it again: ${commandLine(`plans run ${planId}`)}`];
	const one = (action: DeliveryAction, words: string) =>
		`  ${words}${whichMessage(occurrence, action)}: ${commandLine(`plans resend ${idInCommand(occurrence, action)}${flagFor(action)}`)}`;
	const failed = left.filter((action) => !isDropped(action));
	// The due time's id stands for all messages that failed, and the bridge would refuse it if one of them was sent again or has no text.
	const isAll = failed.length > 1 && failed.every(canResend) && failed.length === unsent.filter((action) => !isDropped(action)).length;
	return [
		...(isAll
			? [`  ${allAgain(failed)}: ${commandLine(`plans resend ${occurrenceId}${flagFor(...failed)}`)}`]
			: failed.filter(canResend).map((action) => one(action, mayHaveBeenSent(action) ? unlessArrived.one : "Send it again"))),
		...left
			.filter((action) => isDropped(action) && canResend(action))
			.map((action) => one(action, isDroppedInDoubt(action) ? unlessArrived.dropped : afterAll[reviewedFirst(occurrence, action)])),
	];
}

const unlessArrived = {
	one: "If it hasn’t arrived, send it again",
	all: "If they haven’t arrived, send them again",
	dropped: "If it hasn’t arrived, send it after all",
};

function allAgain(failed: readonly DeliveryAction[]): string {
	return failed.some(mayHaveBeenSent) ? unlessArrived.all : "Send them again";
}

/** Without this flag, the bridge refuses to resend a message that may have been sent after the backup that was restored. */
function flagFor(...actions: readonly DeliveryAction[]): string {
	return actions.some((action) => mayHaveBeenSent(action) || isDroppedInDoubt(action)) ? " --allow-duplicate" : "";
}

const afterAll = {
	yes: "Review it once more and send it after all",
	perhaps: "Send it after all; you may have to review it first",
	no: "Send it after all",
} as const;

/**
 * Whether the bridge holds a discarded or cancelled message for a review before it sends it (docs/delivery.md#when-the-outcome-is-unknown).
 * Whether the channel objects to an agent's text is known only once the message is built again.
 */
function reviewedFirst(
	{ deliverable, grounding, runs }: Occurrence,
	{ content, payloadHash, workedBy, heldFor = [] }: DeliveryAction,
): keyof typeof afterAll {
	const run = workedBy === undefined ? runs.at(-1) : runs.findLast(({ runId, rewrites }) => (rewrites ?? runId) === workedBy);
	const { status, code, message } = run ?? {};
	const isDoubted = status === "completed" && code === undefined && message !== undefined;
	const isFound = grounding?.state === "unverified" || grounding?.state === "replaced";
	const isClaim = workedBy === undefined ? isFound : heldFor.includes("UNVERIFIED_CLAIM");
	const isWritten = content === undefined && deliverable?.source === "model";
	if (payloadHash === undefined && (isDoubted || (isClaim && isWritten))) return "yes";
	// Editing another message of the same due time, or running the work again for it, stores the agent's text with this message, so text that
	// is stored with it may still be the agent's.
	const isObjectedTo = heldFor.some((one) => one.startsWith("LINT_"));
	return isWritten || (payloadHash === undefined && (isClaim || isObjectedTo)) ? "perhaps" : "no";
}
