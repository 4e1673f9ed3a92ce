import { z } from "zod";
import { ApprovalId, RunId, Sha256, ThreadId, Timestamp, ToolCallId } from "./ids.ts";
import { Preview, ToolKind } from "./tool-call.ts";

export const ApprovalState = z.enum(["pending", "decided", "expired", "withdrawn"]);
export type ApprovalState = z.infer<typeof ApprovalState>;

export const ApprovalDecision = z.enum(["allow_once", "allow_window", "deny"]);
export type ApprovalDecision = z.infer<typeof ApprovalDecision>;

/** A question an agent asks a person before it acts. The first decision wins. */
export const Approval = z.object({
	approvalId: ApprovalId,
	runId: RunId,
	threadId: ThreadId,
	toolCallId: ToolCallId.optional(),
	title: z.string(),
	toolKind: ToolKind,
	/** A preview; the whole input stays with the agent, bound by inputHash. */
	input: Preview.optional(),
	inputHash: Sha256,
	options: z.array(ApprovalDecision).min(1),
	requestedAt: Timestamp,
	expiresAt: Timestamp,
	state: ApprovalState,
	decision: ApprovalDecision.optional(),
	windowSeconds: z.int().min(1).optional(),
	decidedBy: z.string().optional(),
	decidedAt: Timestamp.optional(),
});
export type Approval = z.infer<typeof Approval>;
