import type { LintFinding, LintRule } from "@xworkmate/contracts";
import { around, first, type LintCheck } from "./lint-check.ts";

/** Characters that are invisible, or that reorder visible ones. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}]+/gu;
/** Embeddings, overrides and isolates. */
const BIDI = /[\u{202a}-\u{202e}\u{2066}-\u{2069}]/u;
const ALL_BIDI = /[\u{202a}-\u{202e}\u{2066}-\u{2069}]/gu;
const MARK = /[\u{200e}\u{200f}\u{61c}]/gu;
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
/** Visible characters that nevertheless count as formatting: tab, line feed, and signs of some scripts, such as number signs. */
const SEEN = /[\t\n\u{600}-\u{605}\u{6dd}\u{70f}\u{890}\u{891}\u{8e2}\u{110bd}\u{110cd}]/gu;
/** A single variation selector, for text or emoji style. */
const SELECTOR = /^[\u{fe0e}\u{fe0f}]$/u;
/** Characters that a selector may follow: emoji, symbols, punctuation, and the digits of keycaps. */
const SELECTABLE = /[\p{Emoji}\p{So}\p{Sm}\p{Po}]$/u;
const JOINED_PICTURE = /^\u{fe0f}?\u{200d}$/u;
const PICTURE_BEFORE = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier})$/u;
const PICTURE_AFTER = /^\p{Extended_Pictographic}/u;
/** Scripts in which a joiner or non-joiner changes the form of letters. */
const JOINING =
	/^[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Inherited}]+$/u;
/** The three flags that are written with tag characters. */
const FLAG_TAGS = /^\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}$/u;
const FLAG = "\u{1f3f4}";

/** Finds invisible characters. Those that emoji and scripts need are allowed where they belong. */
export const invisible: LintCheck = (text) => {
	const isRightToLeft = RIGHT_TO_LEFT.test(text);
	return first(runs(text, "invisible", (run, at) => hides(text, run, at, isRightToLeft)));
};

/** Finds characters that change the direction of text. */
export const bidi: LintCheck = (text) => first(runs(text, "bidi", (run) => BIDI.test(run)));

function* runs(text: string, rule: LintRule, isWrong: (run: string, at: number) => boolean): Generator<LintFinding> {
	for (const { 0: run, index } of text.matchAll(HIDDEN)) {
		const skipped = rule === "bidi" ? run.search(BIDI) : run.length - run.replace(/^[\t\n]+/, "").length;
		const shown = run.slice(skipped, skipped + 30).replace(/[\uD800-\uDBFF]$/, "");
		if (isWrong(run, index)) yield { rule, at: index + skipped, excerpt: around(text, index + skipped, shown) };
	}
}

function hides(text: string, whole: string, at: number, isRightToLeft: boolean): boolean {
	const seen = whole.replace(SEEN, "").replace(ALL_BIDI, "");
	const run = isRightToLeft ? seen.replace(MARK, "") : seen;
	if (run === "") return false;
	const before = lastCharacter(text.slice(Math.max(0, at - 2), at));
	const after = firstCharacter(text.slice(at + whole.length, at + whole.length + 2));
	if (SELECTOR.test(run)) return !SELECTABLE.test(before);
	if (JOINED_PICTURE.test(run) && PICTURE_BEFORE.test(before)) return !PICTURE_AFTER.test(after);
	if (run === "\u{200c}" || run === "\u{200d}") return !(JOINING.test(before) && (JOINING.test(after) || run === "\u{200d}"));
	return !(before === FLAG && FLAG_TAGS.test(run));
}

function firstCharacter(text: string): string {
	const [character = ""] = text;
	return character;
}

function lastCharacter(text: string): string {
	return Array.from(text).at(-1) ?? "";
}
