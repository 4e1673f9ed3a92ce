import { setImmediate } from "node:timers/promises";
import type { PlacedEvent } from "../ports/event-log.ts";

const PAGE_EVENTS = 500;

interface StoredStreams<Id, Entry extends PlacedEvent<unknown>> {
	readEvents(id: Id, afterSeq: number, limit: number): Promise<readonly Entry[]>;
}

/** A stored stream from its beginning, in pages. */
export async function* readStream<Id, Entry extends PlacedEvent<unknown>>(
	store: StoredStreams<Id, Entry>,
	id: Id,
): AsyncGenerator<readonly Entry[]> {
	for (let after = 0; ; ) {
		const page = await store.readEvents(id, after, PAGE_EVENTS);
		yield page;
		const last = page.at(-1);
		if (last === undefined || page.length < PAGE_EVENTS) return;
		after = last.seq;
	}
}

/** The state that results from applying all events of a stored stream. */
export async function foldStream<Id, Entry extends PlacedEvent<unknown>, State>(
	store: StoredStreams<Id, Entry>,
	id: Id,
	{ initial, apply }: { readonly initial: State; apply(state: State, event: Entry): State },
): Promise<State> {
	let state = initial;
	for await (const events of readStream(store, id)) {
		for (const event of events) state = apply(state, event);
		// Keeps a long stream from delaying everything else.
		await setImmediate();
	}
	return state;
}
