import type { Timestamp } from "@xworkmate/contracts";

/** An event at its place in its stream: the first has seq 1, and there is no gap. */
export interface PlacedEvent<Event> {
	readonly seq: number;
	readonly at: Timestamp;
	readonly event: Event;
}

/** `status` is the stream's after the event. */
export interface StreamEvent<Event, Status extends string> extends PlacedEvent<Event> {
	readonly status: Status;
}

/** What one stream adds to the store in one commit: its events, contiguous with what is stored, and its views after them. */
export interface StreamAppend {
	readonly events: readonly StreamEvent<unknown, string>[];
}

/** Where streams are stored. */
export interface LogStore<Id, Append extends StreamAppend> {
	/** One durable transaction for all. @throws when an event does not follow the stored stream. */
	append(batch: readonly Append[]): Promise<void>;
	/** Events after a seq, in order, at most `limit`. */
	readEvents(id: Id, afterSeq: number, limit: number): Promise<Append["events"]>;
}

/** Reads what is committed; nothing is shown before it is. */
export interface EventLog<Id, Append extends StreamAppend> {
	/** Events after a seq, in order, at most `limit`. @throws SEQ_AHEAD when afterSeq is beyond the end. */
	read(id: Id, afterSeq: number, limit: number): Promise<Append["events"]>;
	/** Calls back after each commit of the stream, with the events in order. Returns the unsubscribe. */
	onCommitted(id: Id, listener: (events: Append["events"]) => void): () => void;
	/** Calls back after each commit of any stream, a new one's first event included. Returns the unsubscribe. */
	onCommittedAny(listener: (id: Id, events: Append["events"]) => void): () => void;
}
