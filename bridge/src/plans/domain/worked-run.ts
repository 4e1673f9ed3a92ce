import type { DeliveryAction, Occurrence, RunId } from "@xworkmate/contracts";

/**
 * The run whose text and files a message has: the one recorded for the message, otherwise the newest that completed. A run that was only
 * asked to write the message again has no files, so it stands for the run that did the work. Undefined if there is none.
 */
export function workedRun({ runs }: Pick<Occurrence, "runs">, { workedBy }: Pick<DeliveryAction, "workedBy">): RunId | undefined {
	if (workedBy !== undefined) return workedBy;
	const last = runs.findLast(({ status }) => status === "completed");
	return last?.rewrites ?? last?.runId;
}
