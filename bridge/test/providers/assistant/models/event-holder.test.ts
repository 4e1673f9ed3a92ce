import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventHolder } from "../../../../src/providers/assistant/models/exchange/event-holder.ts";

const text = (bytes: Uint8Array | undefined) => (bytes === undefined ? undefined : Buffer.from(bytes).toString());

function piecesOf(chunks: readonly string[]): readonly (string | undefined)[] {
	const holder = new EventHolder();
	return [...chunks.map((chunk) => text(holder.take(Buffer.from(chunk)))), text(holder.rest())];
}

describe("what is held back of a stream", () => {
	it.each<readonly [string, readonly string[], readonly (string | undefined)[]]>([
		["an event in pieces", ["da", "ta: 1\n", "\n"], [undefined, undefined, "data: 1\n\n", ""]],
		["the beginning of the next goes along", ["data: 1\n\nda", "ta: 2"], ["data: 1\n\nda", undefined, "ta: 2"]],
		["an end that was passed on does not count again", ["data: 1\n\n", "data: 2\n", "\n"], ["data: 1\n\n", undefined, "data: 2\n\n", ""]],
		["returns and line feeds", ["data: 1\r\n", "\r", "\n"], [undefined, undefined, "data: 1\r\n\r\n", ""]],
		["returns alone", ["data: 1\r", "\r"], [undefined, "data: 1\r\r", ""]],
		["one end of a line is none of an event", ["a\nb\r\nc\rd\n", "e"], [undefined, undefined, "a\nb\r\nc\rd\ne"]],
	])("%s", (_, chunks, expected) => {
		expect(piecesOf(chunks)).toEqual(expected);
	});

	it("loses nothing, and holds nothing back that has ended", () => {
		const chunk = fc.string({ unit: fc.constantFrom("a", "\n", "\r", "家"), maxLength: 12 });
		fc.assert(
			fc.property(fc.array(chunk), (chunks) => {
				const pieces = piecesOf(chunks);
				expect(pieces.join("")).toBe(chunks.join(""));
				expect(pieces.at(-1)).not.toMatch(/\n\n|\r\r|\r\n\r\n/);
			}),
		);
	});

	it("grows with a long event", () => {
		const holder = new EventHolder();
		const long = "x".repeat(1_000);
		for (let piece = 0; piece < 100; piece++) expect(holder.take(Buffer.from(long))).toBeUndefined();
		expect(text(holder.take(Buffer.from("\n\n")))).toBe(`${long.repeat(100)}\n\n`);
	});
});
