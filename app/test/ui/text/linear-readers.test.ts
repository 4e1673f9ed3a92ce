import { describe, expect, it } from "vitest";
import { isReadable, splitBlocks } from "../../../src/ui/rich-text/markdown-blocks.ts";

const readers: readonly (readonly [string, (text: string) => unknown])[] = [
	["cutting markdown into blocks", splitBlocks],
	["judging a block of markdown", isReadable],
];
const pieces = ["~", "~\u2028", "`", "```\n", "[", "\u2028[", "\r[", " \n", "\n", "- ", "1", "#", "\\t", "](", "\u200b"];

describe("text that an agent makes to hang the page", () => {
	it.each(readers)("takes time in proportion to its length: %s", (_name, read) => {
		for (const piece of pieces) {
			// From small to large, so that what is not linear fails here and does not hang.
			for (const size of [5_000, 50_000, 500_000]) {
				const started = performance.now();
				read(`~~~${piece.repeat(size / piece.length)}\u2028x`);
				read(piece.repeat(size / piece.length));
				expect(performance.now() - started, JSON.stringify(piece)).toBeLessThan(1_500);
			}
		}
	});
});
