import { limits } from "../runs/limits.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const MIB = 1024 * 1024;

/** The limits of runs and plans where no setting says otherwise. Times in milliseconds, sizes in bytes. */
export const defaultLimits = {
	maxActiveRuns: 4,
	maxQueuedPerThread: 20,
	maxQueued: 500,
	openclawMaxActive: 1,
	openclawMaxQueued: 20,
	runBudgetMs: 60 * MINUTE,
	approvalMs: limits.approvalMs,
	cancelConfirmMs: limits.cancelConfirmMs,
	deadlineGraceMs: 5_000,
	collectMs: 10 * MINUTE,
	parkMs: 2_000,
	stopMs: limits.stopMs,
	runLogBytes: 64 * MIB,
	keepMs: 90 * DAY,
	keepBytes: 50 * 1024 * MIB,
	maxPlans: 1_000,
	catchUpMs: DAY,
	deliverWithinMs: DAY,
	sendTimeoutMs: MINUTE,
	confirmMs: 10 * MINUTE,
	sendsPerHour: 30,
} as const;
