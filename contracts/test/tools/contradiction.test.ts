import { expect, it } from "vitest";
import { examinedFiles } from "../../src/tools/contradiction.ts";

it("a file whose name ends with a space is not named like the one without it", () => {
	expect(examinedFiles({ examined: ["main.js ", "main.js"] })).toBe("“main.js ”, main.js");
	expect(examinedFiles({ examined: ["a", "b c", "d", "e"] })).toBe("a, b c, d and 1 more");
	expect(examinedFiles({ examined: [] })).toBeUndefined();
});
