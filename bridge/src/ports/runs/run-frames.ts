/**
 * Stored texts of events that are sent to readers unparsed: how each begins, and what replaces that beginning. The last character, the
 * bracket that closes the event, is left out. Covers everything that an agent says, and receipts, which are half of the log of an agent
 * that works with tools.
 */
export const shownUnparsed = [
	{ stored: '{"type":"said","update":', shown: "" },
	{ stored: '{"type":"receipt","receipt":{', shown: '{"kind":"receipt",' },
] as const;

/** What is sent to a reader for an event of a run: these texts, around its seq (twice), its time, its status and its update. */
export interface FrameForm {
	readonly beforeId: string;
	readonly beforeSeq: string;
	readonly beforeAt: string;
	readonly beforeStatus: string;
	readonly beforeUpdate: string;
	readonly end: string;
}

/** Consecutive events, in the form that is sent to readers. */
export interface RunFrames {
	/** UTF-8. */
	readonly bytes: Buffer;
	readonly lastSeq: number;
}
