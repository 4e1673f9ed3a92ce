import { z } from "zod";
import { ApprovalId, RunId, Sha256, Timestamp, ToolCallId } from "../ids/ids.ts";
import { PlanId } from "../ids/plan-id.ts";
import { Preview } from "../tools/tool-call.ts";
import { DenyReason, ReportedToolId, Risk, ToolErrorCode, ToolId } from "../tools/tool-id.ts";

/** `<runId>.<n>` or `<planId>.<n>`. */
export const ReceiptId = z
	.string()
	.regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}\.[1-9][0-9]{0,8}$/, "must be a run or plan id, followed by a dot and a number")
	.brand<"ReceiptId">();
export type ReceiptId = z.infer<typeof ReceiptId>;

export const ReceiptType = z.enum([
	"tool.call.requested",
	"tool.call.approved",
	"tool.call.denied",
	"tool.call.started",
	"tool.call.succeeded",
	"tool.call.failed",
	"tool.call.unknown",
	"approval.actor_refused",
	"auth.profile.rotated",
	"answer.checked",
	"delivery.requested",
	"delivery.handed_over",
	"delivery.succeeded",
	"delivery.failed",
	"delivery.unknown",
	"delivery.settled",
	"delivery.reviewed",
	"delivery.cancelled",
]);
export type ReceiptType = z.infer<typeof ReceiptType>;

/** `executed`: the bridge made the call. `reported`: an agent reported having made it. */
export const ReceiptOrigin = z.enum(["executed", "reported"]);
export type ReceiptOrigin = z.infer<typeof ReceiptOrigin>;

export const ReceiptDecision = z.object({
	approvalId: ApprovalId.optional(),
	/**
	 * `person`, `policy`, `run` (the run's own rule), `bridge` (no one answered), `gateway`, `agent:<providerId>`, `configuration:<what>`,
	 * `window:<approvalId>` or `discord:<user>`.
	 */
	by: z.string().max(300),
	decision: z.enum(["allow_once", "allow_window", "allow", "deny"]),
	reason: DenyReason.optional(),
});
export type ReceiptDecision = z.infer<typeof ReceiptDecision>;

export const ReceiptOutcome = z.object({
	code: ToolErrorCode.optional(),
	message: z.string().max(2_000).optional(),
	outputHash: Sha256.optional(),
	preview: Preview.optional(),
	/** 1 for the first call to the handler, 0 if it was not called. */
	attempt: z.int().min(0),
	durationMs: z.int().min(0),
});
export type ReceiptOutcome = z.infer<typeof ReceiptOutcome>;

/**
 * What happened in one step of a call, or to a message of a plan. Append-only: an event in the log of its run or plan, and a link in that
 * chain. It has either `runId` or `planId`.
 */
export const Receipt = z.object({
	receiptId: ReceiptId,
	runId: RunId.optional(),
	/** Set for receipts of what happened to a plan's message. */
	planId: PlanId.optional(),
	/** Gapless from 1 within its run or plan. */
	n: z.int().min(1),
	at: Timestamp,
	type: ReceiptType,
	origin: ReceiptOrigin,
	toolCallId: ToolCallId.optional(),
	toolId: z.union([ToolId, ReportedToolId]).optional(),
	risk: Risk.optional(),
	/** sha256 of the input's canonical JSON. */
	inputHash: Sha256.optional(),
	toolHash: Sha256.optional(),
	/** What the call does, in the words of the tool or, if it was reported, of the agent. */
	words: z.string().max(1_000).optional(),
	/** At most 2 KiB, without secrets. */
	input: Preview.optional(),
	decision: ReceiptDecision.optional(),
	outcome: ReceiptOutcome.optional(),
	detail: z.record(z.string().max(100), z.union([z.string().max(2_000), z.int(), z.boolean()])).optional(),
	/** The hash of the previous receipt. The first receipt has a hash made from a constant and the id of its run or plan. */
	prevHash: Sha256,
	/** sha256 of the canonical JSON of everything else. */
	hash: Sha256,
});
export type Receipt = z.infer<typeof Receipt>;

/** A receipt that has not been added to the chain yet. */
export type ReceiptDraft = Omit<Receipt, "receiptId" | "runId" | "planId" | "n" | "at" | "prevHash" | "hash">;
