import { expect, it } from "vitest";
import { exactFileName, fileName, fileNames } from "../../src/text/file-names.ts";

const ACCENT = "\u0301";

it("an exact name shows how its accents are encoded, so that a rejected name does not look like an accepted one", () => {
	expect(exactFileName("caf\u00E9.txt")).toBe("caf\u00E9.txt");
	expect(exactFileName(`cafe${ACCENT}.txt`)).toBe("cafe⟨U+0301⟩.txt");
	expect(exactFileName("5 \u212B.txt")).toBe("5 ⟨U+212B⟩.txt");
	expect(exactFileName("\u1112\u1161\u11AB.txt")).toBe("\u1112⟨U+1161⟩⟨U+11AB⟩.txt");
	// There is no single character for these.
	expect(exactFileName(`x${ACCENT} हि.txt`)).toBe(`x${ACCENT} हि.txt`);
});

it("a readable name keeps its accents, and is exact in a list that has another of the same look", () => {
	const name = `cafe${ACCENT}.txt`;
	expect(fileName(name)).toBe(name);
	expect(fileNames([name, "b.txt"])(name)).toBe(name);
	const shown = fileNames([name, "caf\u00E9.txt"]);
	expect([shown(name), shown("caf\u00E9.txt")]).toEqual(["cafe⟨U+0301⟩.txt", "caf\u00E9.txt"]);
});
