/** The longest content of a Discord message, counted in UTF-16 units, the strictest reading of Discord's limit. */
export const POST_LENGTH = 2_000;

const FENCE = "```";
/** Room to end a code block that is cut. The line that opens the block again is counted separately. */
const FENCE_ROOM = 40;

/**
 * Splits text into parts of at most `most` UTF-16 units, at a paragraph, a line or a word if possible. No cut is inside a surrogate pair or
 * between a backslash and the character it escapes. A code block that is cut is closed in its part and opened again in the next. Pure.
 */
export function splitText(text: string, most = POST_LENGTH): readonly string[] {
	const parts: string[] = [];
	let rest = text.trim();
	let opening = "";
	while (rest !== "") {
		const whole = opening + rest;
		if (whole.length <= most) {
			parts.push(whole);
			break;
		}
		const cut = cutAt(rest, most - opening.length - FENCE_ROOM);
		const part = (opening + rest.slice(0, cut)).trimEnd();
		const open = openFence(part);
		parts.push(open === undefined ? part : `${part}\n${FENCE}`);
		opening = open === undefined ? "" : `${open}\n`;
		rest = open === undefined ? rest.slice(cut).trimStart() : rest.slice(cut).replace(/^\n/, "");
	}
	return parts;
}

/** Where to cut. Never 0, so that the remaining text becomes shorter each time. */
function cutAt(text: string, most: number): number {
	const least = Math.floor(most / 2);
	const head = text.slice(0, most);
	for (const mark of ["\n\n", "\n", " "]) {
		const found = head.lastIndexOf(mark);
		if (found >= least) return found + (mark === " " ? 0 : mark.length);
	}
	// Keeps a fence of three backticks whole.
	const ticks = text[most] === "`" ? runBefore(text, most, "`") : 0;
	let cut = most - (ticks % FENCE.length);
	if (/[\uD800-\uDBFF]$/.test(text.slice(0, cut))) cut--;
	return runBefore(text, cut, "\\") % 2 === 1 ? cut - 1 : cut;
}

/** How many times a character is repeated right before a position. */
function runBefore(text: string, end: number, character: string): number {
	let start = end;
	while (start > 0 && text[start - 1] === character) start--;
	return end - start;
}

/** The line that opens the code block in which the text ends; undefined if it does not end in one. */
function openFence(text: string): string | undefined {
	const pieces = text.split(FENCE);
	if (pieces.length % 2 === 1) return undefined;
	const language = /^[\w+#.-]{1,20}(?=\n|$)/.exec(pieces.at(-1) ?? "")?.[0] ?? "";
	return `${FENCE}${language}`;
}
