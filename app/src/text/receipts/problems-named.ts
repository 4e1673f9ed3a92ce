import { limits } from "@xworkmate/contracts/limits";

/** False if a verification may have found more problems than it names, so that a run that isn't named may have problems too. */
export function areAllNamed(problems: readonly unknown[]): boolean {
	return problems.length < limits.receiptProblems;
}
