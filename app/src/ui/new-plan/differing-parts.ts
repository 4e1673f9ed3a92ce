import { shortened } from "../../text/cut-line.ts";
import { oneLine, visibleName } from "../text/visible-text.ts";

/** How many characters are shown before the first difference if the beginning of the text is cut off. */
const LEAD = 30;

/**
 * Two texts, each on one line and cut to a length in characters. If the first difference is far into the texts, both begin shortly before
 * it. If the texts differ only in white space, the white space is written out.
 */
export function differingParts(before: string, after: string, length: number): readonly [string, string] {
	const write = oneLine(before) === oneLine(after) ? visibleName : oneLine;
	const [was, is] = [[...write(before)], [...write(after)]];
	const found = was.findIndex((character, index) => character !== is[index]);
	const difference = found === -1 ? was.length : found;
	const from = difference < length - LEAD ? 0 : difference - LEAD;
	const cut = (characters: readonly string[]) => `${from === 0 ? "" : "…"}${shortened(characters.slice(from).join(""), length)}`;
	return [cut(was), cut(is)];
}
