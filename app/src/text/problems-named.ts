import { limits } from "@xworkmate/contracts/limits";

/** False if a verification may have found more problems than it names, so that nothing follows from a run's not being named. */
export function areAllNamed(problems: readonly unknown[]): boolean {
	return problems.length < limits.receiptProblems;
}
