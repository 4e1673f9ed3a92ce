import type { RunId, Snapshot } from "@xworkmate/contracts";
import { closed, unreadable } from "./wire/bridge-errors.ts";
import type { StreamItem } from "./wire/stream-item.ts";
import type { TurnSink, UpdateItem } from "./wire/turn-end.ts";

/**
 * Passes the new updates of a batch to the sink, in order and each only once. Returns the answer if the batch contains it.
 * @throws BridgeTransportError on a gap or another run's event, after the updates before it have been passed on
 */
export function takeItems(sink: TurnSink, items: readonly StreamItem[]): Snapshot | undefined {
	const known = sink.position();
	let { lastSeq, runId } = known;
	const fresh: UpdateItem[] = [];
	let answer: Snapshot | undefined;
	let broken: Error | undefined;
	for (const item of items) {
		if (item.type === "heartbeat") continue;
		broken = foreignItem(sink, runId, item);
		if (broken !== undefined) break;
		if (item.type === "answer") {
			answer = item.snapshot;
			break;
		}
		const { place } = item;
		runId = place.runId;
		if (place.seq <= lastSeq) continue;
		if (place.seq > lastSeq + 1) {
			broken = closed(`The updates between ${lastSeq} and ${place.seq} are missing.`);
			break;
		}
		lastSeq = place.seq;
		fresh.push(item);
	}
	if (fresh.length > 0) sink.updates(fresh);
	if (broken !== undefined) throw broken;
	return answer;
}

/** @throws BridgeTransportError for another turn's or run's snapshot */
export function refuseForeign(sink: TurnSink, snapshot: Snapshot): void {
	const foreign = foreignItem(sink, sink.position().runId, { type: "answer", snapshot });
	if (foreign !== undefined) throw foreign;
}

/** Checks every event and answer against the turn's own thread, turn and run, so that a stream cannot update another turn. */
function foreignItem(sink: TurnSink, runId: RunId | undefined, item: Exclude<StreamItem, { type: "heartbeat" }>): Error | undefined {
	const { threadId, turnId, runId: itsRun } = item.type === "answer" ? item.snapshot : item.place;
	if (threadId === sink.threadId && turnId === sink.turnId && (runId === undefined || runId === itsRun)) return undefined;
	return unreadable(`it is about run ${itsRun}, which does not belong to this message`);
}
