/**
 * Characters that the user cannot see, or that make a text look like a different one: controls, bidirectional marks and overrides,
 * zero-width and invisible characters, variation selectors, tags, private-use characters, and lone surrogates. Line feeds and tabs match
 * too. An emoji that Unicode recommends, such as "⚠️", matches as a whole, so that it keeps the joiners within it.
 */
const HIDDEN = /(\p{RGI_Emoji})|[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029\u115F\u1160\u3164\uFFA0\u00AD]|[\uFE00-\uFE0F]/gv;
/** Characters other than the normal space that editors and terminals show as a space, or not at all. */
const ODD_SPACE = /[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000\u2800]/gu;
/** Any of the above. Text that contains none of them is shown as it is, because recognizing emoji is slow in scripts other than Latin. */
const SUSPECT =
	/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029\u115F\u1160\u3164\uFFA0\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000\u2800]|[\uFE00-\uFE0F]/u;

export interface VisibleText {
	readonly text: string;
	/** How many characters were written out. */
	readonly escaped: number;
}

/** The text with every invisible character written as ⟨U+XXXX⟩. `lines`: whether line feeds and tabs are kept or written out. */
export function visibleText(text: string, lines: "keep" | "escape"): VisibleText {
	if (!SUSPECT.test(text)) return { text, escaped: 0 };
	let escaped = 0;
	const writeOut = (found: string, emoji?: string): string => {
		if (emoji === found) return found;
		if (lines === "keep" && (found === "\n" || found === "\t")) return found;
		escaped += 1;
		return writtenOut(found);
	};
	return { text: text.replace(HIDDEN, writeOut).replace(ODD_SPACE, (found) => writeOut(found)), escaped };
}

/** A character as ⟨U+XXXX⟩. */
export function writtenOut(character: string): string {
	return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

/** A name or a title as one line. */
export function visibleName(text: string): string {
	return visibleText(text, "escape").text;
}
