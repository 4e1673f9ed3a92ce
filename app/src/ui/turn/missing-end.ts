import type { TurnDetail } from "../../api/ui-api.ts";
import { allMessages, type TurnView } from "./turn-view.ts";

/**
 * What a page lacks of a run that has ended. `unread`: its last updates, which are being read. `missing`: they were not received, because
 * the app learned how the run ended but could not fetch them.
 */
export type MissingEnd = "unread" | "missing";

interface ReadTurn {
	readonly view: Pick<TurnView, "seq">;
	readonly state: string;
}

/** Undefined if the updates that the snapshot covers have all been read, or if there is no snapshot yet. */
export function missingEnd({ view, state }: ReadTurn, snapshot: TurnDetail["snapshot"]): MissingEnd | undefined {
	if (snapshot === undefined || view.seq >= snapshot.lastSeq) return undefined;
	return state === "read" ? "missing" : "unread";
}

/** Everything that the agent said. Without the run's end, the last message need not be the answer, so the snapshot's is taken, if it has one. */
export function saidIn(
	{ items }: Pick<TurnView, "items">,
	snapshot: TurnDetail["snapshot"],
	missing: MissingEnd | undefined,
): string | undefined {
	const result = snapshot?.output?.text;
	if (missing !== undefined && result !== undefined) return result;
	return allMessages(items) ?? result;
}
