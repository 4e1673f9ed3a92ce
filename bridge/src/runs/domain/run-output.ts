import { limits, type Output } from "@xworkmate/contracts";

/** A message as far as it has arrived. `text` holds its first `limits.outputBytes` bytes. */
export interface Message {
	readonly messageId: string;
	readonly text: string;
	readonly totalBytes: number;
	readonly keptBytes: number;
	/** True while the message contains only white space, and so is not yet an answer. */
	readonly blank: boolean;
}

/** The message with another piece added, up to `limits.outputBytes`. It is cut between code points, never inside one. */
export function extendMessage(message: Message | undefined, messageId: string, piece: string): Message {
	const base = message?.messageId === messageId ? message : { messageId, text: "", totalBytes: 0, keptBytes: 0, blank: true };
	const bytes = Buffer.byteLength(piece);
	const kept = base.keptBytes < base.totalBytes ? "" : fitting(piece, bytes, limits.outputBytes - base.keptBytes);
	return {
		messageId,
		text: base.text + kept,
		totalBytes: base.totalBytes + bytes,
		keptBytes: base.keptBytes + (kept === piece ? bytes : Buffer.byteLength(kept)),
		blank: base.blank && piece.trim() === "",
	};
}

/** The output of a terminal snapshot: the last message that is not blank. */
export function toOutput(message: Message | undefined): Output {
	if (message === undefined) return { text: "", truncated: false, totalBytes: 0 };
	return { text: message.text, truncated: message.keptBytes < message.totalBytes, totalBytes: message.totalBytes };
}

function fitting(piece: string, bytes: number, room: number): string {
	if (bytes <= room) return piece;
	let end = 0;
	let used = 0;
	for (const character of piece) {
		used += Buffer.byteLength(character);
		if (used > room) break;
		end += character.length;
	}
	return piece.slice(0, end);
}
