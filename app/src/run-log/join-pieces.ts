import { omitUndefined, type SessionUpdate } from "@xworkmate/contracts";
import type { RawEntry } from "./run-log-entries.ts";

/** Joins consecutive pieces of a message into one entry. */
export function joinPieces(entries: readonly RawEntry[]): readonly RawEntry[] {
	const joined: RawEntry[] = [];
	let pieces: RawEntry[] = [];
	const close = () => {
		if (pieces.length > 0) joined.push(joinedEntry(pieces));
		pieces = [];
	};
	for (const entry of entries) {
		const [first] = pieces;
		if (first !== undefined && !isNextPiece(first, entry)) close();
		pieces.push(entry);
	}
	close();
	return joined;
}

function isNextPiece({ what, messageId }: RawEntry, next: RawEntry): boolean {
	return messageId !== undefined && messageId === next.messageId && what === next.what;
}

function joinedEntry(pieces: readonly RawEntry[]): RawEntry {
	const [first, ...rest] = pieces;
	const last = rest.at(-1);
	if (first === undefined) throw new RangeError("an entry has at least one piece");
	if (last === undefined) return first;
	return {
		...first,
		text: pieces.map(({ text }) => text).join(""),
		parts: pieces.length,
		lastAt: last.at,
		...omitUndefined({ lastSeq: last.seq }),
	};
}

/** True if two consecutive updates form one entry. */
export function isSamePiece({ update: one }: SessionUpdate, { update: next }: SessionUpdate): boolean {
	return one.kind === next.kind && "messageId" in one && "messageId" in next && one.messageId === next.messageId;
}
