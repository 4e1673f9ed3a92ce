import { saysAllowed } from "./allowed.ts";
import { saysAttached } from "./attached.ts";
import { claimIn } from "./claim-rules.ts";
import type { Claimed } from "./claimed.ts";
import { withPlainFileNames } from "./file-name.ts";
import { foldedText } from "./folded-text.ts";
import { passedIn } from "./passed.ts";
import { type Sentence, sentencesOf } from "./sentences.ts";
import { unspacedClaimIn } from "./unspaced-rules.ts";
import { withNames } from "./with-names.ts";
import { withSigns } from "./with-signs.ts";
import { withTold } from "./with-told.ts";

/** A sentence that makes a claim, with its position in UTF-16 units. */
export interface Claim extends NonNullable<Claimed> {
	readonly start: number;
	readonly end: number;
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/**
 * The maximum length that is read at once, in UTF-16 units. A longer sentence is read in parts, because the time taken grows faster than
 * the length.
 */
const PART = 4_000;

/**
 * The sentences of a text that claim an effect, that a check passed, that the user allowed something, or that a file is attached. This is a
 * heuristic, not a proof: it finds common wording in eight languages, and ignores what is denied, asked, planned or quoted. Pure, and takes
 * time in proportion to the text.
 *
 * `isWanted`: claims for which it returns false are left out. `most`: after this many claims, the rest of the text is not read.
 * `isMessage`: the text is a message to be sent, which may be a report, rather than an answer about what was done.
 */
export function claimsOf(
	text: string,
	{
		isWanted = () => true,
		most = Number.POSITIVE_INFINITY,
		isMessage = false,
	}: { readonly isWanted?: (claim: Claim) => boolean; readonly most?: number; readonly isMessage?: boolean } = {},
): readonly Claim[] {
	const claims: Claim[] = [];
	for (const sentence of sentencesOf(text)) {
		if (claims.length >= most) break;
		const claim = claimBy(sentence, isMessage);
		if (claim !== undefined && isWanted(claim)) claims.push(claim);
	}
	return claims;
}

function claimBy({ start, end, said, isQuestion }: Sentence, isMessage: boolean): Claim | undefined {
	if (isQuestion) return undefined;
	for (let at = 0; at < said.length; at += PART) {
		const claimed = claimOf(foldedText(withSigns(withPlainFileNames(withNames(said.slice(at, at + PART))))), isMessage);
		if (claimed !== undefined) return { start, end, ...claimed };
	}
	return undefined;
}

function claimOf(sentence: string, isMessage: boolean): Claimed {
	const claimed = (UNSPACED.test(sentence) ? unspacedClaimIn(sentence, isMessage) : undefined) ?? claimIn(withTold(sentence), isMessage);
	const passed = passedIn(sentence);
	const isAllowed = saysAllowed(sentence);
	const isAttached = saysAttached(sentence);
	if (passed.size === 0 && !isAllowed && !isAttached) return claimed;
	const more = { ...(passed.size > 0 && { passed }), ...(isAllowed && { isAllowed }), ...(isAttached && { isAttached }) };
	return { ...(claimed ?? { isOfFile: false }), ...more };
}
