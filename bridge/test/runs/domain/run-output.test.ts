import { limits } from "@xworkmate/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { extendMessage, type Message, toOutput } from "../../../src/runs/domain/run-output.ts";

function say(pieces: readonly string[]): Message | undefined {
	let message: Message | undefined;
	for (const piece of pieces) message = extendMessage(message, "m", piece);
	return message;
}

describe("the output of a run", () => {
	it("is the whole text while it fits", () => {
		fc.assert(
			fc.property(fc.array(fc.string({ unit: "grapheme" }), { minLength: 1 }), (pieces) => {
				const whole = pieces.join("");
				expect(toOutput(say(pieces))).toEqual({ text: whole, truncated: false, totalBytes: Buffer.byteLength(whole) });
			}),
		);
	});

	it("keeps a whole prefix of at most 256 KiB and counts the rest", () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 9_000 }), fc.constantFrom("a", "é", "語", "🙂"), (size, character) => {
				const piece = character.repeat(size);
				const pieces = Array.from({ length: 60 }, () => piece);
				const whole = pieces.join("");
				const output = toOutput(say(pieces));
				expect(whole.startsWith(output.text)).toBe(true);
				expect(output.text.isWellFormed()).toBe(true);
				expect(Buffer.byteLength(output.text)).toBeLessThanOrEqual(limits.outputBytes);
				expect(output.totalBytes).toBe(Buffer.byteLength(whole));
				expect(output.truncated).toBe(output.totalBytes > Buffer.byteLength(output.text));
			}),
			{ numRuns: 30 },
		);
	});

	it("begins anew with another message", () => {
		const first = extendMessage(undefined, "a", "remark");
		expect(toOutput(extendMessage(first, "b", "answer")).text).toBe("answer");
	});
});
