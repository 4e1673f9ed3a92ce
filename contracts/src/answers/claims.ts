import { claimIn } from "./claim-rules.ts";
import type { Claimed } from "./claimed.ts";
import { foldedText } from "./folded-text.ts";
import { sentencesOf } from "./sentences.ts";
import { unspacedClaimIn } from "./unspaced-rules.ts";

/** A sentence that says that something was done. UTF-16 units. */
export interface Claim extends NonNullable<Claimed> {
	readonly start: number;
	readonly end: number;
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** A longer sentence is read in parts: time grows with the length of a part. */
const PART = 4_000;

/**
 * The sentences of a text that claim an effect. A net, not a proof: it finds what is commonly said, in eight languages, and stays silent
 * about what is denied, asked, planned or quoted. Pure, and takes time in proportion to the text.
 */
export function claimsOf(text: string): readonly Claim[] {
	return sentencesOf(text).flatMap(({ start, end, said, isQuestion }) => {
		if (isQuestion) return [];
		for (let at = 0; at < said.length; at += PART) {
			const claimed = claimOf(foldedText(said.slice(at, at + PART)));
			if (claimed !== undefined) return [{ start, end, ...claimed }];
		}
		return [];
	});
}

function claimOf(sentence: string): Claimed {
	return (UNSPACED.test(sentence) ? unspacedClaimIn(sentence) : undefined) ?? claimIn(sentence);
}
