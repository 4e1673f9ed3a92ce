/**
 * Stored texts of events that readers are shown unparsed: how each begins, and what takes the place of that beginning. The last character,
 * the bracket that closes the event, is left out. All that an agent says, and receipts, which are half of the log of one that works with
 * tools.
 */
export const shownUnparsed = [
	{ stored: '{"type":"said","update":', shown: "" },
	{ stored: '{"type":"receipt","receipt":{', shown: '{"kind":"receipt",' },
] as const;

/** What a reader is sent for an event of one run: these texts around its seq (twice), its time, its status and its update. */
export interface FrameForm {
	readonly beforeId: string;
	readonly beforeSeq: string;
	readonly beforeAt: string;
	readonly beforeStatus: string;
	readonly beforeUpdate: string;
	readonly end: string;
}

/** Events that follow one another, as readers are sent them. */
export interface RunFrames {
	/** UTF-8. */
	readonly bytes: Buffer;
	readonly lastSeq: number;
}
