import { z } from "zod";
import { RunId, Sha256, Timestamp } from "../ids/ids.ts";
import { PlanId } from "../ids/plan-id.ts";

/**
 * One line of `bridge/receipts/ledger.jsonl`, the signed record outside the database. `head`: a run or a plan has at least `count`
 * receipts, and its chain up to there ends in `head`. `final`: the run has ended, and no receipts follow; a plan never has a final line.
 * `removed`: the run's rows were deleted at the user's request. `key`: the lines from here on are signed with `publicKey`; this line itself
 * is signed with the previous key, or with `publicKey` if there was no previous key or it was lost.
 */
export const LedgerLine = z.object({
	/** Gapless from 1. */
	n: z.int().min(1),
	at: Timestamp,
	kind: z.enum(["head", "final", "removed", "key"]),
	runId: RunId.optional(),
	planId: PlanId.optional(),
	count: z.int().min(0).optional(),
	head: Sha256.optional(),
	/** Ed25519, raw, base64url. */
	publicKey: z.string().max(100).optional(),
	/** Written by a later bridge process than the one that ended the run or wrote the plan's receipts. */
	late: z.literal(true).optional(),
	/** sha256 of the previous line as it is in the file, without its line ending. The first line has the hash of a constant. */
	prev: Sha256,
	/** Ed25519 over the canonical JSON of everything else, base64url. */
	sig: z.string().max(200),
});
export type LedgerLine = z.infer<typeof LedgerLine>;

export const ReceiptProblemCode = z.enum([
	"EDITED",
	"MISSING",
	"MOVED",
	"FORGED",
	"CUT",
	"UNSEALED",
	"LEDGER_UNREADABLE",
	"LEDGER_BROKEN",
	"LEDGER_CUT",
	"BAD_SIGNATURE",
	"UNKNOWN_KEY",
	"REMOVED_UNSAID",
]);
export type ReceiptProblemCode = z.infer<typeof ReceiptProblemCode>;

export const ReceiptProblem = z.object({
	code: ReceiptProblemCode,
	runId: RunId.optional(),
	planId: PlanId.optional(),
	/** The number of the receipt, or of the line in the ledger. */
	n: z.int().min(0).optional(),
	message: z.string(),
});
export type ReceiptProblem = z.infer<typeof ReceiptProblem>;

/**
 * `head_matched`: the chain contains a head that was noted elsewhere. Without such a head, only the bridge's own records confirm the chain.
 */
export const Verification = z.object({
	ok: z.boolean(),
	runs: z.int().min(0),
	/** How many plans have receipts of what happened to their messages. */
	plans: z.int().min(0).optional(),
	receipts: z.int().min(0),
	independence: z.enum(["self_attested", "head_matched"]),
	problems: z.array(ReceiptProblem),
});
export type Verification = z.infer<typeof Verification>;

/** The notification about a verification in progress. */
export const VERIFICATION_PROGRESS = "xworkmate.receipts.progress";

/** How many receipts have been checked, and how many there were when the verification began. */
export const VerificationProgress = z.object({ receipts: z.int().min(0), of: z.int().min(0) });
export type VerificationProgress = z.infer<typeof VerificationProgress>;
