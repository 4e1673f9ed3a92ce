import { describe, expect, it } from "vitest";
import { rankEntries } from "../../../src/ui/text/rank-entries.ts";

const entries = [
	{ text: "New thread" },
	{ text: "Settings", also: "preferences" },
	{ text: "Über den Wolken" },
	{ text: "Renew the passport" },
	{ text: "Réglages du thread" },
	{ text: "Usage" },
];
const found = (text: string) => rankEntries(text, entries).map((entry) => entry.text);

describe("what a text leads to", () => {
	it.each([
		["words in any order", "thread new", ["New thread"]],
		["the beginning of a word before its inside", "new", ["New thread", "Renew the passport"]],
		["without case and accents", "uber WOLKEN", ["Über den Wolken"]],
		["letters in their order", "stgs", ["Settings"]],
		["another word for it", "prefer", ["Settings"]],
		["nothing, if one word is nowhere", "new nowhere", []],
		["nothing, for signs alone", "/ ?", []],
	])("is found by %s", (_, text, expected) => {
		expect(found(text)).toEqual(expected);
	});

	it("is everything in its order for no text, and equally good ones stay in theirs", () => {
		expect(found(" ")).toEqual(entries.map(({ text }) => text));
		expect(found("thread")).toEqual(["New thread", "Réglages du thread"]);
	});

	it("is not found by scattered letters of two", () => {
		expect(found("ue")).toEqual([]);
	});
});
