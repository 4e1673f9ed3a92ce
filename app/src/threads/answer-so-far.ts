import { limits, type Output } from "@xworkmate/contracts";
import type { TranscriptPage } from "./domain/turn-record.ts";

const PAGE = 1_000;

/**
 * The last message of a run that is not blank, from the updates received so far, as the snapshot will contain it if nothing follows.
 * Undefined if there is no such message. Cut to `limits.outputBytes`.
 */
export function answerSoFar(read: (afterSeq: number, limit: number) => TranscriptPage): Output | undefined {
	let found: { readonly messageId: string; readonly text: string } | undefined;
	let blank: typeof found;
	let seq = 0;
	for (let page = read(0, PAGE); page.length > 0; page = read(seq, PAGE)) {
		for (const { seq: at, update } of page) {
			seq = at;
			if (update.kind !== "message_delta") continue;
			const { messageId, text } = update;
			const before = [found, blank].find((message) => message?.messageId === messageId);
			const message = { messageId, text: `${before?.text ?? ""}${text}` };
			if (message.text.trim() === "") blank = message;
			else found = message;
		}
	}
	if (found === undefined) return undefined;
	const bytes = Buffer.from(found.text);
	const truncated = bytes.length > limits.outputBytes;
	// A character that the cut would divide is left out.
	const text = truncated ? new TextDecoder().decode(bytes.subarray(0, limits.outputBytes), { stream: true }) : found.text;
	return { text, truncated, totalBytes: bytes.length };
}
