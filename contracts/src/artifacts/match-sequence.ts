/** Thrown when a match would take longer than its budget. */
export class MatchBudgetError extends Error {
	override readonly name = "MatchBudgetError";
	readonly code = "GLOB_TOO_EXPENSIVE";
}

/** How many more steps may be taken, shared by all matches of one caller. */
export interface MatchBudget {
	steps: number;
}

export interface SequenceRules<Unit, Item> {
	/** True for a unit that matches any number of items, including none. */
	readonly isStar: (unit: Unit) => boolean;
	/** Whether a unit that is not a star matches this one item. */
	readonly accepts: (unit: Unit, item: Item) => boolean;
	readonly budget: MatchBudget;
}

/**
 * Whether a pattern matches a whole sequence. Every unit except a star takes exactly one item, so a mismatch never has to backtrack beyond
 * the last star. It takes about (pattern length × item count) steps at most, where a regular expression for the same glob could take
 * exponentially many.
 * @throws MatchBudgetError
 */
export function matchSequence<Unit extends object, Item extends string>(
	pattern: readonly Unit[],
	items: readonly Item[],
	{ isStar, accepts, budget }: SequenceRules<Unit, Item>,
): boolean {
	let unitAt = 0;
	let lastStar = -1;
	let resumeAt = 0;
	for (let itemAt = 0; itemAt < items.length; ) {
		if (--budget.steps < 0) throw new MatchBudgetError("the globs take too long to match");
		const unit = pattern[unitAt];
		const item = items[itemAt];
		if (unit !== undefined && isStar(unit)) {
			lastStar = unitAt++;
			resumeAt = itemAt;
		} else if (unit !== undefined && item !== undefined && accepts(unit, item)) {
			unitAt++;
			itemAt++;
		} else if (lastStar === -1) {
			return false;
		} else {
			unitAt = lastStar + 1;
			itemAt = ++resumeAt;
		}
	}
	return pattern.slice(unitAt).every(isStar);
}
