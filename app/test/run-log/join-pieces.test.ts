import { expect, it } from "vitest";
import { joinPieces } from "../../src/run-log/join-pieces.ts";
import type { RawEntry } from "../../src/run-log/run-log-entries.ts";

const at = (second: number) => `2026-01-02T00:00:0${second}.000Z`;
const piece = (seq: number, text: string, messageId?: string, what = "message_delta"): RawEntry => ({
	...{ at: at(seq), from: "agent", to: "bridge", seq, what, text },
	...(messageId !== undefined && { messageId }),
});

it("joins consecutive pieces of one message, with how many they are and where they end", () => {
	expect(joinPieces([piece(1, "Hel", "m"), piece(2, "lo", "m"), piece(3, "!", "m")])).toEqual([
		{ ...piece(1, "Hello!", "m"), parts: 3, lastAt: at(3), lastSeq: 3 },
	]);
});

it("leaves apart what is of another message, of another kind, or of none, and what something came between", () => {
	const apart = [
		piece(1, "a", "m"),
		piece(2, "b", "n"),
		piece(3, "c", "n", "thought_delta"),
		piece(4, "d", "n"),
		piece(5, "tool", undefined, "tool_call"),
		piece(6, "tool", undefined, "tool_call"),
		piece(7, "e", "n"),
	];
	expect(joinPieces(apart)).toEqual(apart);
	expect(joinPieces([])).toEqual([]);
});
