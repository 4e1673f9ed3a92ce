import { findFolded } from "./index.ts";

/** Only a few characters precede the match, so that the match is visible even in a narrow list. */
const BEFORE = 14;
const AFTER = 90;

/** One line around the first match of `wanted` in a text, cut at spaces if there are any nearby, with "…" where text is left out. */
export function excerpt(text: string, wanted: string): string {
	const line = text.trim().replace(/\s+/g, " ");
	const { start, end } = findFolded(line, wanted) ?? { start: 0, end: 0 };
	const from = wordBegin(line, start);
	const to = wordEnd(line, end);
	return `${from > 0 ? "…" : ""}${line.slice(from, to).toWellFormed()}${to < line.length ? "…" : ""}`;
}

function wordBegin(line: string, start: number): number {
	if (start <= BEFORE) return 0;
	const gap = line.slice(start - BEFORE, start).indexOf(" ");
	return gap === -1 ? start : start - BEFORE + gap + 1;
}

function wordEnd(line: string, end: number): number {
	if (line.length <= end + AFTER) return line.length;
	const gap = line.slice(end, end + AFTER).lastIndexOf(" ");
	return gap === -1 ? end : end + gap;
}
