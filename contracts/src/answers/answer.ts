import { z } from "zod";
import { ReceiptId } from "../receipts/receipt.ts";
import { MOST_CLAIM_PROBLEMS } from "./most-claim-problems.ts";

/**
 * `grounded`: the run completed actions, or the answer cites calls that succeeded, and if one failed, the text claims no action.
 * `no_action`: no action was completed, and the answer claims none that needs a receipt. `unverified`: not everything in an agent's answer
 * could be verified. `replaced`: the model's answer failed the check twice, so the bridge wrote this one.
 */
export const GroundingState = z.enum(["grounded", "no_action", "unverified", "replaced"]);
export type GroundingState = z.infer<typeof GroundingState>;

export const GroundingProblemCode = z.enum([
	/** The answer says that something was done, but no evidence backs it. */
	"CLAIM_WITHOUT_ACTION",
	/** The answer says that something was done, but a call did not succeed, or other evidence contradicts it (`reason`). */
	"CLAIM_WITHOUT_SUCCESS",
	/** No call of the run's activity has this receipt. */
	"FOREIGN_RECEIPT",
	/** The receipt does not belong to a call that succeeded. */
	"RECEIPT_WITHOUT_SUCCESS",
	/** The model did not answer. */
	"NO_ANSWER",
]);
export type GroundingProblemCode = z.infer<typeof GroundingProblemCode>;

/**
 * The cause of a problem in an agent's answer, in addition to its code: a denied call that the agent reports making, a denied edit that
 * only a file shows (`found`; an earlier bridge says `denied`), a file that was not found, a file that the agent says is gone but that
 * still exists, or a permission that the agent says the user gave but the user did not give.
 */
export const ClaimReason = z.enum(["denied", "found", "no_file", "still_there", "not_allowed"]);
export type ClaimReason = z.infer<typeof ClaimReason>;

/**
 * `start` and `end` count UTF-16 units of the shown text. They are equal if the problem is not about one part of it. `said`: the beginning
 * of a sentence that is in an earlier message of the run, rather than in the shown text. `lookedIn`: only with `no_file`. `run_folders`:
 * the file was only looked for in the folders of the run, because the text doesn't say where it is, so it may be elsewhere. If `lookedIn`
 * is absent, nothing is at the path that the text names. `file`: the first file to which the problem applies, as the text names it, if the
 * sentence says something of several files.
 */
export const GroundingProblem = z.object({
	code: GroundingProblemCode,
	start: z.int().min(0),
	end: z.int().min(0),
	reason: ClaimReason.optional(),
	said: z.string().max(300).optional(),
	lookedIn: z.enum(["run_folders"]).optional(),
	file: z.string().max(300).optional(),
});
export type GroundingProblem = z.infer<typeof GroundingProblem>;

/** How far the shown text is backed by receipts. */
export const Grounding = z.object({ state: GroundingState, problems: z.array(GroundingProblem).max(MOST_CLAIM_PROBLEMS) });
export type Grounding = z.infer<typeof Grounding>;

/** What the model wrote, or an action in the bridge's words, with the receipt that proves it. */
export const AnswerSegment = z.union([z.object({ text: z.string() }), z.object({ receiptId: ReceiptId, words: z.string() })]);
export type AnswerSegment = z.infer<typeof AnswerSegment>;

/** The parts of the answer, in order; joined, they form the shown text. */
export const AnswerSegments = z.array(AnswerSegment).max(500);
export type AnswerSegments = z.infer<typeof AnswerSegments>;

/**
 * In an answer that the bridge wrote, these words precede the list of what was done. An interface that shows the activity anyway leaves out
 * these words and everything after them.
 */
export const RECEIPTS_SHOW = "This is what the receipts show:";
