/** SQL condition that hides threads that are being deleted. */
export const SHOWN = "thread_id NOT IN deleting";

/** Selects the key of a run, unless its thread is being deleted. Reads `run_state` instead of `run`, whose rows may be megabytes. */
export const shownRun = (runId: string): string =>
	`(SELECT run_state.run FROM run_state WHERE run = (SELECT run.id FROM run WHERE run_id = ${runId}) AND ${SHOWN})`;
