import { z } from "zod";
import { RunId, Sha256, Timestamp } from "../ids/ids.ts";
import { PlanId } from "../ids/plan-id.ts";

/**
 * One line of `bridge/receipts/ledger.jsonl`, the signed record outside the database. `head`: a run or a plan has at least `count` receipts,
 * and its chain ends in `head`. `final`: the run has ended, and has no more; a plan never has a final one. `removed`: the run's rows were deleted at the user's request. `key`:
 * from here on, lines are signed with `publicKey`; the line itself is signed by the key before.
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
	/** Written by a later bridge than the one that ended the run. */
	late: z.literal(true).optional(),
	/** sha256 of the line before, as it is in the file, without its line end; of the first: of a constant. */
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
	/** The number of the receipt, or of the ledger's line. */
	n: z.int().min(0).optional(),
	message: z.string(),
});
export type ReceiptProblem = z.infer<typeof ReceiptProblem>;

/** `head_matched`: a head that was noted elsewhere is in the chain. Without one, the bridge vouches for itself. */
export const Verification = z.object({
	ok: z.boolean(),
	runs: z.int().min(0),
	/** Plans that have receipts of what became of their messages. */
	plans: z.int().min(0).optional(),
	receipts: z.int().min(0),
	independence: z.enum(["self_attested", "head_matched"]),
	problems: z.array(ReceiptProblem),
});
export type Verification = z.infer<typeof Verification>;

/** The notification of a verification that goes on. */
export const VERIFICATION_PROGRESS = "xworkmate.receipts.progress";

/** How many receipts were checked so far, of how many when it began. */
export const VerificationProgress = z.object({ receipts: z.int().min(0), of: z.int().min(0) });
export type VerificationProgress = z.infer<typeof VerificationProgress>;
