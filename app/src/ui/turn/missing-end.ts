import type { TurnDetail } from "../../api/ui-api.ts";
import { isAnswer } from "../../text/runs/is-answer.ts";
import { allMessages, lastMessage, type TurnView } from "./turn-view.ts";

/**
 * The part of an ended run that the page does not have. `unread`: its last updates, with its answer, which are being read. `missing`: they
 * were not received, because the app learned how the run ended but could not fetch them. `steps`: only updates after the answer were not
 * received.
 */
export type MissingEnd = "unread" | "missing" | "steps";

interface ReadTurn {
	readonly view: Pick<TurnView, "seq" | "items">;
	readonly state: string;
}

/** Undefined if the updates that the snapshot covers, or those up to the answer, have all been read, or if there is no snapshot yet. */
export function missingEnd({ view, state }: ReadTurn, snapshot: TurnDetail["snapshot"]): MissingEnd | undefined {
	if (snapshot === undefined || view.seq >= snapshot.lastSeq) return undefined;
	const isRead = state === "read";
	if (hasAnswer(view, snapshot)) return isRead ? "steps" : undefined;
	return isRead ? "missing" : "unread";
}

/** Whether the answer itself may be missing. If so, the last message that was received isn't necessarily the answer. */
export function lacksAnswer(missing: MissingEnd | undefined): boolean {
	return missing === "unread" || missing === "missing";
}

/** True if the last message that was received is the answer of the run's result. */
function hasAnswer({ items }: Pick<TurnView, "items">, { output }: NonNullable<TurnDetail["snapshot"]>): boolean {
	const said = lastMessage(items)?.text;
	return said !== undefined && output !== undefined && isAnswer(said, output);
}

/** Everything that the agent said. If the answer may be missing, the snapshot's answer is returned instead, if it has one. */
export function saidIn(
	{ items }: Pick<TurnView, "items">,
	snapshot: TurnDetail["snapshot"],
	missing: MissingEnd | undefined,
): string | undefined {
	const result = snapshot?.output?.text;
	if (lacksAnswer(missing) && result !== undefined) return result;
	return allMessages(items) ?? result;
}
