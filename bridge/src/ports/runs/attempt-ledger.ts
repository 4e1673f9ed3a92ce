import type { RunId } from "@xworkmate/contracts";

/** A run that is, or was, in a phase in which it could crash the bridge. */
export interface Attempt {
	readonly runId: RunId;
	/** How many bridges were killed or crashed during such a phase of the run. A bridge that was stopped does not count. */
	readonly deaths: number;
	/** True while the phase lasts; false once the run waits to be retried. */
	readonly open: boolean;
}

/** Records the runs that the bridge is starting or finishing. If the bridge crashes, the next one reads them. */
export interface AttemptLedger {
	/** Survives a crash of the process but not a power cut. That is enough, because the ledger is for crashes that a run may cause. */
	write(attempt: Attempt): Promise<void>;
	remove(runId: RunId): Promise<void>;
	/** The runs, in the order in which they were first written. */
	list(): Promise<readonly Attempt[]>;
}
