import { expect, it } from "vitest";
import { spanWords } from "../src/index.ts";

it.each([
	[0, "0 s"],
	[50, "0.05 s"],
	[250, "0.25 s"],
	[300, "0.3 s"],
	[999, "1 s"],
	[1_000, "1 s"],
	[59_400, "59 s"],
	[118_000, "1 min 58 s"],
	[3_900_000, "1 h 5 min"],
])("a span of %i ms is %s: only no time at all is 0 s", (milliseconds, words) => {
	expect(spanWords(milliseconds)).toBe(words);
});
