import { z } from "zod";
import { AnswerSegments, Grounding } from "../answers/answer.ts";
import { Approval } from "../approvals/approval.ts";
import { ArtifactScope } from "../artifacts/scope.ts";
import { MessageId, RunId, Seq, SessionId, ThreadId, Timestamp, TurnId } from "../ids/ids.ts";
import { Receipt } from "../receipts/receipt.ts";
import { ToolCall } from "../tools/tool-call.ts";
import { Progress, RunStatus } from "./status.ts";

export const PlanEntry = z.object({
	content: z.string(),
	state: z.enum(["pending", "in_progress", "completed"]),
	priority: z.enum(["high", "medium", "low"]).optional(),
});
export type PlanEntry = z.infer<typeof PlanEntry>;

export const Usage = z.object({
	inputTokens: z.number().min(0).optional(),
	outputTokens: z.number().min(0).optional(),
	costUsd: z.number().min(0).optional(),
	/** A cost that is not in US dollars, in the currency that the agent states. */
	otherCost: z.object({ amount: z.number().min(0), currency: z.string().min(1).max(20) }).optional(),
	contextUsed: z.number().min(0).optional(),
	contextSize: z.number().min(0).optional(),
});
export type Usage = z.infer<typeof Usage>;

export const Notice = z.object({
	level: z.enum(["info", "warning", "error"]),
	code: z.string().regex(/^[A-Z][A-Z0-9_]*$/),
	message: z.string(),
});
export type Notice = z.infer<typeof Notice>;

/** What happened, one per event of the run's log (docs/protocol.md#updates). */
export const Update = z.discriminatedUnion("kind", [
	z.object({ kind: z.literal("status"), progress: Progress.optional() }),
	z.object({ kind: z.literal("message_delta"), messageId: MessageId, text: z.string() }),
	z.object({ kind: z.literal("thought_delta"), messageId: MessageId, text: z.string() }),
	z.object({ kind: z.literal("tool_call"), ...ToolCall.shape }),
	z.object({ kind: z.literal("plan"), entries: z.array(PlanEntry) }),
	z.object({ kind: z.literal("approval"), ...Approval.shape }),
	z.object({
		kind: z.literal("artifacts"),
		count: z.int().min(0),
		totalBytes: z.int().min(0),
		rejected: z.int().min(0),
	}),
	z.object({ kind: z.literal("usage"), ...Usage.shape }),
	z.object({ kind: z.literal("notice"), ...Notice.shape }),
	z.object({ kind: z.literal("receipt"), ...Receipt.shape }),
	/** How far the shown text is backed. `segments`: only if the bridge assembled the answer. */
	z.object({ kind: z.literal("answer"), segments: AnswerSegments.optional(), grounding: Grounding }),
]);
export type Update = z.infer<typeof Update>;
export type UpdateKind = Update["kind"];
export const UpdateKind = z.enum([
	"status",
	"message_delta",
	"thought_delta",
	"tool_call",
	"plan",
	"approval",
	"artifacts",
	"usage",
	"notice",
	"receipt",
	"answer",
]);

/** Params of the `session.update` notification. */
export const SessionUpdate = z.object({
	sessionId: SessionId,
	threadId: ThreadId,
	turnId: TurnId,
	runId: RunId,
	artifactScope: ArtifactScope,
	seq: Seq,
	at: Timestamp,
	status: RunStatus,
	update: Update,
});
export type SessionUpdate = z.infer<typeof SessionUpdate>;

export const Heartbeat = z.object({ at: Timestamp });

export const SESSION_UPDATE = "session.update";
export const SESSION_HEARTBEAT = "session.heartbeat";
