import type { RunId } from "@xworkmate/contracts";

/** A run that is, or was, in a phase in which it could crash the bridge. */
export interface Attempt {
	readonly runId: RunId;
	/** Number of bridges that ended while it was open. */
	readonly deaths: number;
	/** True while the phase lasts; false for a run that is to be tried again. */
	readonly open: boolean;
}

/** Which runs the bridge is in the middle of starting or finishing, for the bridge that follows if this one dies. */
export interface AttemptLedger {
	/** Survives the end of the process, not a loss of power: no program and no prompt can cause that. */
	write(attempt: Attempt): Promise<void>;
	remove(runId: RunId): Promise<void>;
	/** Oldest run first. */
	list(): Promise<readonly Attempt[]>;
}
