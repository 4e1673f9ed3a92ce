import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatBytes, formatSpan } from "../../src/text/format-measure.ts";

describe("[D23] one system of measures on the page and in the command", () => {
	it.each([
		[0, "0 B"],
		[999, "999 B"],
		[1000, "1 kB"],
		[4_500, "4.5 kB"],
		[6_140, "6.1 kB"],
		[99_960, "100 kB"],
		[268_000, "268 kB"],
		[999_499, "999 kB"],
		[999_600, "1 MB"],
		[10_485_760, "10.5 MB"],
		[84e6, "84 MB"],
		[5_600_000_000, "5.6 GB"],
		[2e15, "2000 TB"],
	])("%d bytes read %s", (bytes, shown) => expect(formatBytes(bytes)).toBe(shown));

	it.each([
		[-5, "0 s"],
		[40, "0 s"],
		[320, "0.3 s"],
		[3_200, "3.2 s"],
		[4_000, "4 s"],
		[9_970, "10 s"],
		[59_400, "59 s"],
		[59_600, "1 min"],
		[134_000, "2 min 14 s"],
		[240_000, "4 min"],
		[900_000, "15 min"],
		[3_599_700, "1 h"],
		[3_600_000, "1 h"],
		[3_900_000, "1 h 5 min"],
		[90_000_000, "25 h"],
	])("%d ms read %s", (milliseconds, shown) => expect(formatSpan(milliseconds)).toBe(shown));

	it("no measure has more than three digits below 1000 TB, a part that is zero, or a step down when the value grows", () => {
		fc.assert(
			fc.property(fc.integer({ min: 0, max: 10 ** 15 - 10 ** 12 }), (bytes) => {
				expect(formatBytes(bytes)).toMatch(/^\d{1,3}(\.[1-9])? (B|kB|MB|GB|TB)$/);
			}),
		);
		fc.assert(
			fc.property(fc.integer({ min: 0, max: 10 ** 9 }), (milliseconds) => {
				const shown = formatSpan(milliseconds);
				expect(shown).not.toMatch(/\b(0 min|60 s|60 min)/);
				expect(shown === "0 s" || !/\b0 s/.test(shown)).toBe(true);
			}),
		);
	});
});
