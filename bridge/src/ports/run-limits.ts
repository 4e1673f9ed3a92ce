import { limits } from "@xworkmate/contracts";

/** Bounds of the core, in milliseconds or bytes, as named. Configuration may change them. */
export interface RunLimits {
	/** Agent runs together. */
	readonly maxActiveRuns: number;
	readonly maxQueuedPerThread: number;
	/** Agent runs that wait. */
	readonly maxQueued: number;
	/** Runs on a gateway, which need nothing of this machine: bounds of their own. */
	readonly gateway: { readonly maxActive: number; readonly maxQueued: number };
	readonly runBudgetMs: number;
	readonly approvalMs: number;
	readonly windowSeconds: number;
	/** An unconfirmed cancel hastens the deadline after this. */
	readonly cancelConfirmMs: number;
	/** Time that a provider has to stop once the deadline has passed. */
	readonly deadlineGraceMs: number;
	/** Collecting may take this long. */
	readonly collectMs: number;
	/** Bringing files from where a turn ran may take this long. */
	readonly bringMs: number;
	/** SIGTERM: runs get this long to end. */
	readonly stopMs: number;
	/** A run that has not crashed the bridge for this long is taken as harmless, if nothing shows it sooner. */
	readonly provenMs: number;
	/** A caller whose request cannot be written down is answered DISK_FULL after this long, and before twice as long. */
	readonly diskAnswerMs: number;
	/** A run's files that find no room are tried again for this long; then the run has failed. */
	readonly diskWaitMs: number;
	/** Maximum size of one run's log, in bytes. */
	readonly runLogBytes: number;
	readonly retentionMaxAgeMs: number;
	readonly retentionMaxBytes: number;
}

const MINUTE = 60_000;
const MIB = 1024 * 1024;

export const defaultRunLimits: RunLimits = {
	maxActiveRuns: 4,
	maxQueuedPerThread: 20,
	maxQueued: 500,
	gateway: { maxActive: 1, maxQueued: 20 },
	runBudgetMs: 60 * MINUTE,
	approvalMs: limits.approvalMs,
	windowSeconds: 15 * 60,
	cancelConfirmMs: limits.cancelConfirmMs,
	deadlineGraceMs: 5_000,
	collectMs: 10 * MINUTE,
	bringMs: 30 * MINUTE,
	stopMs: limits.stopMs,
	provenMs: 5_000,
	diskAnswerMs: 3_000,
	diskWaitMs: 30_000,
	runLogBytes: 64 * MIB,
	retentionMaxAgeMs: 90 * 24 * 60 * MINUTE,
	retentionMaxBytes: 50 * 1024 * MIB,
};
