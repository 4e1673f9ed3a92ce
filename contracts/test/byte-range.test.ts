import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ByteRange, parseRange } from "../src/index.ts";

const numRuns = 500;
const size = fc.integer({ min: 0, max: 40 });
const place = fc.integer({ min: 0, max: 50 });

/** The places of a file's bytes that a test of each place picks, as a range: the definition, without arithmetic. */
function bytesWhere(sizeBytes: number, isAsked: (place: number) => boolean): ByteRange | "unsatisfiable" {
	const asked = Array.from({ length: sizeBytes }, (_, index) => index).filter(isAsked);
	const [first] = asked;
	const last = asked.at(-1);
	return first === undefined || last === undefined ? "unsatisfiable" : { start: first, end: last + 1 };
}

describe("a range of bytes", () => {
	it("is what lies between two places, cut at the end of the file", () => {
		fc.assert(
			fc.property(size, place, place, (sizeBytes, one, other) => {
				const [first, last] = one < other ? [one, other] : [other, one];
				const asked = bytesWhere(sizeBytes, (index) => index >= first && index <= last);
				expect(parseRange(`bytes=${first}-${last}`, sizeBytes)).toEqual(asked);
			}),
			{ numRuns },
		);
	});

	it("is all from a place on, or the last so many", () => {
		fc.assert(
			fc.property(size, place, (sizeBytes, count) => {
				expect(parseRange(`bytes=${count}-`, sizeBytes)).toEqual(bytesWhere(sizeBytes, (index) => index >= count));
				expect(parseRange(`bytes=-${count}`, sizeBytes)).toEqual(bytesWhere(sizeBytes, (index) => index >= sizeBytes - count));
			}),
			{ numRuns },
		);
	});

	it("never reaches out of the file, whatever is asked", () => {
		const anything = fc.oneof(fc.string(), fc.stringMatching(/^bytes=[\d, -]{0,40}$/));
		fc.assert(
			fc.property(anything, size, (header, sizeBytes) => {
				const range = parseRange(header, sizeBytes);
				if (range === undefined || range === "unsatisfiable") return;
				expect([range.start >= 0, range.start < range.end, range.end <= sizeBytes], header).toEqual([true, true, true]);
			}),
			{ numRuns },
		);
	});

	it.each([undefined, "", "bytes", "bytes=", "bytes=-", "bytes=5-2", "bytes=0-1,4-5", "bytes=a-b", "bytes=1e3-", "lines=0-1"])(
		"is not asked for by %s",
		(header) => {
			expect(parseRange(header, 10)).toBeUndefined();
		},
	);
});
