import type { RunEvent } from "../../ports/runs/run-event.ts";

/** Pieces of one message that wait for the same commit are merged into texts of up to this many UTF-16 units. */
const MERGED_BYTES = 8 * 1024;

/** Merges two pieces of the same message or thought; undefined if they cannot be merged. Pure. */
export function mergePieces(last: RunEvent, next: RunEvent): RunEvent | undefined {
	if (last.type !== "said" || next.type !== "said") return undefined;
	const before = last.update;
	const piece = next.update;
	if (piece.kind !== "message_delta" && piece.kind !== "thought_delta") return undefined;
	if (before.kind !== piece.kind || before.messageId !== piece.messageId) return undefined;
	if (before.text.length + piece.text.length > MERGED_BYTES) return undefined;
	return { type: "said", update: { ...before, text: before.text + piece.text } };
}
