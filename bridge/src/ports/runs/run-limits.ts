import { defaultLimits } from "@xworkmate/contracts";

/** Limits of the core: counts, or quantities in the unit that the name or a comment gives. Configuration may change most of them. */
export interface RunLimits {
	/** How many agent runs execute at once. */
	readonly maxActiveRuns: number;
	readonly maxQueuedPerThread: number;
	/** How many agent runs may be queued. */
	readonly maxQueued: number;
	/** Separate limits for runs on a gateway, which use none of this machine's resources. */
	readonly gateway: { readonly maxActive: number; readonly maxQueued: number };
	readonly runBudgetMs: number;
	readonly approvalMs: number;
	readonly windowSeconds: number;
	/** If a cancel is not confirmed within this time, the deadline is brought forward. */
	readonly cancelConfirmMs: number;
	/** How long a provider may take to stop once the deadline has passed. */
	readonly deadlineGraceMs: number;
	/** Time limit for collecting files. */
	readonly collectMs: number;
	/** Time limit for fetching files from a remote runtime. */
	readonly bringMs: number;
	/** How long a program that waits only for the user keeps its process and its slot among the active runs. */
	readonly parkMs: number;
	/** How long runs may take to end when the bridge is stopped. */
	readonly stopMs: number;
	/** A run that has not crashed the bridge for this long is considered harmless, unless the bridge has evidence of this sooner. */
	readonly provenMs: number;
	/** A caller whose request cannot be stored gets DISK_FULL after at least this long, and less than twice as long. */
	readonly diskAnswerMs: number;
	/** How long the bridge keeps trying to store a run's files while the disk is full, before the run fails. */
	readonly diskWaitMs: number;
	/** How long events that are not urgent may wait for a commit, so that more are written together. */
	readonly gatherMs: number;
	/** Maximum size of the updates in one run's log, in characters of their JSON. */
	readonly runLogBytes: number;
	readonly retentionMaxAgeMs: number;
	readonly retentionMaxBytes: number;
}

const MINUTE = 60_000;

export const defaultRunLimits: RunLimits = {
	maxActiveRuns: defaultLimits.maxActiveRuns,
	maxQueuedPerThread: defaultLimits.maxQueuedPerThread,
	maxQueued: defaultLimits.maxQueued,
	gateway: { maxActive: defaultLimits.openclawMaxActive, maxQueued: defaultLimits.openclawMaxQueued },
	runBudgetMs: defaultLimits.runBudgetMs,
	approvalMs: defaultLimits.approvalMs,
	windowSeconds: 15 * 60,
	cancelConfirmMs: defaultLimits.cancelConfirmMs,
	deadlineGraceMs: defaultLimits.deadlineGraceMs,
	collectMs: defaultLimits.collectMs,
	bringMs: 30 * MINUTE,
	parkMs: defaultLimits.parkMs,
	stopMs: defaultLimits.stopMs,
	provenMs: 5_000,
	diskAnswerMs: 3_000,
	diskWaitMs: 30_000,
	gatherMs: 10,
	runLogBytes: defaultLimits.runLogBytes,
	retentionMaxAgeMs: defaultLimits.keepMs,
	retentionMaxBytes: defaultLimits.keepBytes,
};
