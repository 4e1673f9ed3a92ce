import { limits } from "@xworkmate/contracts";

/** Limits of the core, in milliseconds or bytes, as named. Configuration may change them. */
export interface RunLimits {
	/** How many agent runs execute at once. */
	readonly maxActiveRuns: number;
	readonly maxQueuedPerThread: number;
	/** How many agent runs may wait. */
	readonly maxQueued: number;
	/** Separate limits for runs on a gateway, which use none of this machine's resources. */
	readonly gateway: { readonly maxActive: number; readonly maxQueued: number };
	readonly runBudgetMs: number;
	readonly approvalMs: number;
	readonly windowSeconds: number;
	/** If a cancel is not confirmed within this time, the deadline is brought forward. */
	readonly cancelConfirmMs: number;
	/** Time that a provider has to stop once the deadline has passed. */
	readonly deadlineGraceMs: number;
	/** Time limit for collecting files. */
	readonly collectMs: number;
	/** Time limit for fetching files from a remote runtime. */
	readonly bringMs: number;
	/** How long a program that waits only for people keeps its process and its place. */
	readonly parkMs: number;
	/** How long runs may take to end after SIGTERM. */
	readonly stopMs: number;
	/** A run that has not crashed the bridge for this long is considered harmless, if nothing shows that sooner. */
	readonly provenMs: number;
	/** A caller whose request cannot be stored gets DISK_FULL after this long, and before twice as long. */
	readonly diskAnswerMs: number;
	/** How long storing a run's files is retried on a full disk before the run fails. */
	readonly diskWaitMs: number;
	/** How long what nothing waits for may wait for a commit, so that more is written with it. */
	readonly gatherMs: number;
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
	parkMs: 2_000,
	stopMs: limits.stopMs,
	provenMs: 5_000,
	diskAnswerMs: 3_000,
	diskWaitMs: 30_000,
	gatherMs: 10,
	runLogBytes: 64 * MIB,
	retentionMaxAgeMs: 90 * 24 * 60 * MINUTE,
	retentionMaxBytes: 50 * 1024 * MIB,
};
