import { ContractError, type Timestamp } from "@xworkmate/contracts";

/** An event with its position in its stream: the first has seq 1, and there is no gap. */
export interface PlacedEvent<Event> {
	readonly seq: number;
	readonly at: Timestamp;
	readonly event: Event;
}

/** An event, and the status of its stream after it. */
export interface StreamEvent<Event, Status extends string> extends PlacedEvent<Event> {
	readonly status: Status;
	/** The event as JSON, encoded once: the store keeps this text, and readers get it. Absent on an event that was read and parsed. */
	readonly text?: string | undefined;
}

/** A stored event as it was written, unparsed. */
export type EventText<Status extends string> = Omit<StreamEvent<unknown, Status>, "event" | "text"> & { readonly text: string };

/** The texts of a stream's events. */
export type EventTexts<Append extends StreamAppend> = readonly EventText<Append["events"][number]["status"]>[];

/** What one stream adds to the store in one commit: its events, contiguous with the stored ones, and its updated views. */
export interface StreamAppend {
	readonly events: readonly StreamEvent<unknown, string>[];
}

/** Stores streams. */
export interface LogStore<Id, Append extends StreamAppend> {
	/**
	 * Writes the whole batch in one durable transaction.
	 * @throws if an event does not follow the stored stream
	 */
	append(batch: readonly Append[]): Promise<void>;
	/** Events after a seq, in order, at most `limit`. */
	readEvents(id: Id, afterSeq: number, limit: number): Promise<Append["events"]>;
	/** The texts of the events after a seq, in order: at least one if any exist, and no more once they have `size` characters. */
	readTexts(id: Id, afterSeq: number, size: number): Promise<EventTexts<Append>>;
}

/** Reads committed events; nothing is shown before its commit. */
export interface EventLog<Id, Append extends StreamAppend> {
	/**
	 * Events after a seq, in order, at most `limit`.
	 * @throws SEQ_AHEAD if afterSeq is beyond the end.
	 */
	read(id: Id, afterSeq: number, limit: number): Promise<Append["events"]>;
	/**
	 * The texts of the events after a seq, in order. Ends with the text that brings the total to `size` characters.
	 * @throws SEQ_AHEAD if afterSeq is beyond the end.
	 */
	readTexts(id: Id, afterSeq: number, size: number): Promise<EventTexts<Append>>;
	/** Calls back after each commit of the stream, with the events in order. Returns a function that unsubscribes. */
	onCommitted(id: Id, listener: (events: Append["events"]) => void): () => void;
	/** Calls back after each commit of any stream, including the first event of a new stream. Returns a function that unsubscribes. */
	onCommittedAny(listener: (id: Id, events: Append["events"]) => void): () => void;
}

/** The refusal for a reader that names a seq which the stream does not have yet. */
export function seqAhead(seq: number): ContractError {
	return new ContractError("SEQ_AHEAD", { detail: `The log has no event ${seq}.` });
}
