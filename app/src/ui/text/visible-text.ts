/**
 * Characters that a user cannot see, or that make text look like another text: controls, bidirectional
 * marks and overrides, zero-width and invisible ones, tags, and lone surrogates. A line feed and a tab may stay, and
 * what makes one picture of several, as in "⚠️": the emoji that Unicode recommends, and nothing else.
 */
const HIDDEN = /(\p{RGI_Emoji})|[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029\u115F\u1160\u3164\uFFA0\u00AD]|[\uFE00-\uFE0F]/gv;
/** What text editors and terminals show as space or nothing but a plain space. */
const ODD_SPACE = /[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000\u2800]/gu;
/** Overrides, embeddings and isolates. The marks and joiners that Arabic, Hebrew and Persian are written with are not among them. */
const REORDERS = /[\u202A-\u202E\u2066-\u2069]/gu;

export interface VisibleText {
	readonly text: string;
	/** How many characters were written out. */
	readonly escaped: number;
}

/** The same text with every character that does not show written as ⟨U+XXXX⟩. `lines` keeps line feeds and tabs. */
export function visibleText(text: string, lines: "keep" | "escape"): VisibleText {
	let escaped = 0;
	const writeOut = (found: string, emoji?: string): string => {
		if (emoji === found) return found;
		if (lines === "keep" && (found === "\n" || found === "\t")) return found;
		escaped += 1;
		return writtenOut(found);
	};
	return { text: text.replace(HIDDEN, writeOut).replace(ODD_SPACE, (found) => writeOut(found)), escaped };
}

function writtenOut(character: string): string {
	return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

/** What people and agents write, in any script: only what would turn its order is written out. */
export function visibleProse(text: string): string {
	return text.replace(REORDERS, writtenOut);
}

/** One line for a name or a title. */
export function visibleName(text: string): string {
	return visibleText(text, "escape").text;
}

/** Words of several lines as one line, for a list. */
export function oneLine(text: string): string {
	return visibleName(text.trim().replace(/\s+/g, " "));
}
