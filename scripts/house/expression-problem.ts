import { check } from "recheck";
import type { RegularExpression } from "./regular-expressions.ts";

/** Generous for a busy machine: no expression takes more than five seconds on an idle one. */
const TIMEOUT_MS = 120_000;

/** Attacks are judged by their steps, because a time limit would call an expression slow on a busy machine. */
const byStepsAlone = { attackTimeout: null, incubationTimeout: null, seedingTimeout: null };

/** Why an expression may take more than linear time; undefined if it does not. */
export async function expressionProblem({ pattern }: Pick<RegularExpression, "pattern">): Promise<string | undefined> {
	if (pattern === undefined) return "is made when it runs, so nothing can be said of it";
	// The seed makes the analyzer's guesses the same in every run.
	const verdict = await check(pattern.source, pattern.flags, { timeout: TIMEOUT_MS, randomSeed: 1, ...byStepsAlone });
	if (verdict.status === "safe") return undefined;
	return verdict.status === "vulnerable" ? `takes ${verdict.complexity.summary} time` : `could not be judged (${verdict.error.kind})`;
}
