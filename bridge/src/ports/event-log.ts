import type { Timestamp } from "@xworkmate/contracts";

/** An event with its position in its stream: the first has seq 1, and there is no gap. */
export interface PlacedEvent<Event> {
	readonly seq: number;
	readonly at: Timestamp;
	readonly event: Event;
}

/** `status` is the stream's after the event. */
export interface StreamEvent<Event, Status extends string> extends PlacedEvent<Event> {
	readonly status: Status;
}

/** What one stream adds to the store in one commit: its events, contiguous with the stored ones, and its updated views. */
export interface StreamAppend {
	readonly events: readonly StreamEvent<unknown, string>[];
}

/** Where streams are stored. */
export interface LogStore<Id, Append extends StreamAppend> {
	/** Writes the whole batch in one durable transaction. @throws if an event does not follow the stored stream */
	append(batch: readonly Append[]): Promise<void>;
	/** Events after a seq, in order, at most `limit`. */
	readEvents(id: Id, afterSeq: number, limit: number): Promise<Append["events"]>;
}

/** Reads committed events; nothing is shown before its commit. */
export interface EventLog<Id, Append extends StreamAppend> {
	/** Events after a seq, in order, at most `limit`. @throws SEQ_AHEAD if afterSeq is beyond the end. */
	read(id: Id, afterSeq: number, limit: number): Promise<Append["events"]>;
	/** Calls back after each commit of the stream, with the events in order. Returns a function that unsubscribes. */
	onCommitted(id: Id, listener: (events: Append["events"]) => void): () => void;
	/** Calls back after each commit of any stream, including a new one's first event. Returns a function that unsubscribes. */
	onCommittedAny(listener: (id: Id, events: Append["events"]) => void): () => void;
}
