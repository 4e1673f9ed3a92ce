/** The features of a clause that tell a report about the world from a claim about work done for the reader. */
export interface ToldClause {
	/** The words before the participle. */
	readonly before: readonly string[];
	readonly roles: readonly number[];
	/** The role of the word right after the participle; undefined if no word follows. */
	readonly next: number | undefined;
	/** The participle describes an effect on people. */
	readonly isTold: boolean;
	/** The participle describes how a thing is. */
	readonly isDescribing: boolean;
	/** A comma follows the clause. */
	readonly isApposed: boolean;
}

/** The bits of roles, as in `claim-words/claim-words.ts`. */
export interface NarrationRoles {
	readonly thing: number;
	readonly target: number;
	/** The bits of words for the writer, and for what belongs to the reader or the writer. */
	readonly yours: number;
	readonly place: number;
	readonly passive: number;
}

/** "190", "4.000", "1.2". */
const AMOUNT = /^\d[\d.]*$/;
export const MORE_THAN_ONE = /^(?:[2-9]|\d{2,}|\d[\d.]+)$/;

/**
 * Whether a passive that does not say who acted belongs to a report: "190 cars were charged in nine minutes". Its subject is not something
 * that an assistant acts on, and either has a number or is followed by a place or a time. In a message to be sent, which is read on its
 * own, neither is necessary. An effect on people, as in "Anna was invited", belongs to a report only if their number is given. A
 * description, such as "is made of steel", also belongs to a report. Pure.
 */
export function isNarrated(clause: ToldClause, { thing, target, yours, place, passive }: NarrationRoles, isMessage: boolean): boolean {
	const { before, roles, next, isTold, isDescribing, isApposed } = clause;
	const has = (wanted: number) => roles.some((role) => (role & wanted) !== 0);
	if (has(thing | yours)) return false;
	if (isDescribing) return true;
	if (has(target)) return false;
	// Without a subject, a participle counts only in a message, before a place or a time and a comma: "Launched in Berlin, the app ..."
	if (before.length === 0) return isMessage && isApposed && next !== undefined && (next & place) !== 0;
	if (!before.some((word, index) => (roles[index] ?? 0) === 0 && !AMOUNT.test(word))) return false;
	if (MORE_THAN_ONE.test(before[0] ?? "")) return true;
	if (isTold) return false;
	return isMessage || isPlaced(roles, next, { place, passive });
}

/** In some languages the place comes before the participle: "wurden in Berlin gebaut". */
function isPlaced(
	roles: readonly number[],
	next: number | undefined,
	{ place, passive }: Pick<NarrationRoles, "place" | "passive">,
): boolean {
	if (next !== undefined && (next & place) !== 0) return true;
	const verb = roles.findIndex((role) => (role & passive) !== 0);
	return verb !== -1 && roles.some((role, index) => index > verb && (role & place) !== 0);
}
