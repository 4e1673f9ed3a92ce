/** How many problems the bridge names at most in one verification of the receipts (bridge/src/evidence/receipt-verifier.ts). */
const MOST_PROBLEMS = 1_000;

/** False if a verification may have found more problems than it names, so that nothing follows from a run's not being named. */
export function areAllNamed(problems: readonly unknown[]): boolean {
	return problems.length < MOST_PROBLEMS;
}
