/** What of a clause says whether it tells of the world or of what was done for the reader. */
export interface ToldClause {
	/** The words before the participle. */
	readonly before: readonly string[];
	readonly roles: readonly number[];
	/** The role of the word right after the participle; undefined: there is none. */
	readonly next: number | undefined;
	/** The participle is said of people. */
	readonly isTold: boolean;
	/** It says how a thing is. */
	readonly isDescribing: boolean;
	/** A comma follows the clause. */
	readonly isApposed: boolean;
}

/** The bits of roles, as in `claim-words/claim-words.ts`. */
export interface NarrationRoles {
	readonly thing: number;
	readonly target: number;
	/** What is the reader's or the writer's, or done by the writer. */
	readonly yours: number;
	readonly place: number;
	readonly passive: number;
}

/** "190", "4.000", "1,2". */
const AMOUNT = /^\d[\d.]*$/;
export const MORE_THAN_ONE = /^(?:[2-9]|\d{2,}|\d[\d.]+)$/;

/**
 * Whether a passive without a writer is one of a report: "190 cars were charged in nine minutes". Its subject is nothing that an assistant
 * acts on, and is counted or stands where or when something happened. In a message that leaves the house, which is read as a text of its
 * own, any such subject is one of a report. Pure.
 */
export function isNarrated(clause: ToldClause, { thing, target, yours, place, passive }: NarrationRoles, isMessage: boolean): boolean {
	const { before, roles, next, isTold, isDescribing, isApposed } = clause;
	const has = (wanted: number) => roles.some((role) => (role & wanted) !== 0);
	if (has(thing | yours)) return false;
	if (isDescribing) return true;
	if (has(target)) return false;
	// "Launched in Berlin, the app has ..."
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
