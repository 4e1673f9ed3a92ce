import { MOST_CLAIM_PROBLEMS } from "../answers/most-claim-problems.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

/** Limits that every caller may rely on (docs/protocol.md). Bytes, milliseconds or counts, as named. */
export const limits = {
	bodyBytes: 40 * MIB,
	bodyDepth: 64,
	/** Entries of all objects plus elements of all arrays. 128 bytes of keys, numbers and white space, or 128 escapes, also count as one. */
	bodyMembers: 50_000,
	/** One string of a body: more than the largest attachment in base64. A longer one is refused before it is parsed. */
	bodyStringBytes: 20_000_000,
	/** The maximum number of requests in one batch. */
	batchItems: 100,
	promptBytes: 4 * MIB,
	attachmentBytes: 10 * MIB,
	attachmentsBytes: 25 * MIB,
	outputBytes: 256 * KIB,
	snapshotItems: 200,
	previewBytes: 16 * KIB,
	readerLagBytes: 1 * MIB,
	heartbeatMs: 15_000,
	listDefault: 50,
	listMax: 200,
	/**
	 * The maximum number of a plan's missed due times that are counted: the number of minutes in a day. If more were missed, the count is a
	 * lower bound.
	 */
	missedTimes: 1_440,
	/** The maximum number of problems that one verification of the receipts names. If it names this many, there may be more. */
	receiptProblems: 1_000,
	/** The maximum number of problems that the check of an answer names. If it names this many, there may be more. */
	answerProblems: MOST_CLAIM_PROBLEMS,
	approvalMs: 15 * 60_000,
	cancelConfirmMs: 30_000,
	cancelDeadlineMs: 5 * 60_000,
	stopMs: 5_000,
	failedAuthPerMinute: 20,
	recoveryMs: 10 * 60_000,
	pollMs: 30_000,
	unresolvedAskMs: 10 * 60_000,
	unresolvedKeepMs: 7 * 24 * 60 * 60_000,
} as const;
