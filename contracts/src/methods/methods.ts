import { z } from "zod";
import { Approval, ApprovalDecision, ApprovalState } from "../approvals/approval.ts";
import { ArtifactContract } from "../artifacts/artifact-contract.ts";
import { ArtifactScope } from "../artifacts/scope.ts";
import { ApprovalId, ProviderId, RunId, SessionId, ThreadId, TurnId } from "../ids/ids.ts";
import { ResolvedRouting, Routing } from "../routing/routing.ts";
import { AssistantMetadata } from "../runs/assistant-metadata.ts";
import { Attachment } from "../runs/attachment.ts";
import { ChangeCursor, ChangePage } from "../runs/change.ts";
import { limits } from "../runs/limits.ts";
import { Origin } from "../runs/origin.ts";
import { Snapshot, TaskSummary } from "../runs/snapshot.ts";
import { RunStatus } from "../runs/status.ts";
import { TaskInput } from "../runs/task-input.ts";
import { ThreadFolder } from "../threads/thread-folder.ts";
import { accountMethods } from "./account-methods.ts";
import { agentMethods } from "./agent-methods.ts";
import { Capabilities, ProviderCapability } from "./capabilities.ts";
import { channelMethods } from "./channel-methods.ts";
import { editMethods } from "./edit-methods.ts";
import { type MethodDefinition, page } from "./method-definition.ts";
import { operatorMethods } from "./operator-methods.ts";
import { planMethods } from "./plan-methods.ts";
import { receiptMethods } from "./receipt-methods.ts";
import { settingsMethods } from "./settings-methods.ts";
import { toolMethods } from "./tool-methods.ts";

/** Text with more UTF-16 units than the allowed bytes is refused without encoding it, since it has at least as many bytes. */
const text = (maxBytes: number) =>
	z
		.string()
		.refine((value) => value.length <= maxBytes && new TextEncoder().encode(value).length <= maxBytes, `must be at most ${maxBytes} bytes`);

const metadata = z.strictObject({
	xworkmateTaskArtifactContract: ArtifactContract.optional(),
	xworkmateAssistant: AssistantMetadata.optional(),
});

/** Params of `session.start` and `session.message`: one turn. */
export const SubmitParams = z.strictObject({
	sessionId: SessionId,
	threadId: ThreadId,
	turnId: TurnId,
	/** The user's message. */
	prompt: text(limits.promptBytes).refine((value) => value.trim() !== "", "must not be empty"),
	/** The `TaskThread workspace context` prefix. It reaches the runtime, but never a transcript. */
	workspaceContext: text(64 * 1024).optional(),
	workingDirectory: z.string().min(1).max(4096).optional(),
	/** If `workingDirectory` can't be used, the turn is refused instead of running elsewhere. */
	workingDirectoryRequired: z.literal(true).optional(),
	/**
	 * Works in the thread's own git worktree, on the bridge's machine, instead of in `workingDirectory` itself, which must be in a git
	 * repository. The turn is refused if there can't be a worktree.
	 */
	worktree: z.literal(true).optional(),
	remoteWorkingDirectoryHint: z.string().min(1).max(4096).optional(),
	routing: Routing,
	attachments: z.array(Attachment).max(50).optional(),
	metadata: metadata.optional(),
	/** Who started the run. Absent: an app that does not name itself. */
	origin: z.strictObject(Origin.shape).optional(),
});
export type SubmitParams = z.infer<typeof SubmitParams>;

/** Identifies a run, by runId or by (threadId, turnId). If a scope is given, it must be the run's. */
export const TaskRef = z.union([
	z.strictObject({ runId: RunId, artifactScope: ArtifactScope.optional() }),
	z.strictObject({ threadId: ThreadId, turnId: TurnId, artifactScope: ArtifactScope.optional() }),
]);
export type TaskRef = z.infer<typeof TaskRef>;

/** Every method of `POST /acp/rpc` that version 1 serves (docs/protocol.md#methods). */
export const methods = {
	"acp.capabilities": {
		params: z.strictObject({}),
		result: Capabilities,
		streams: false,
		effects: false,
		summary: "What this bridge can run, and its limits.",
	},
	"xworkmate.routing.resolve": {
		params: z.strictObject({ routing: Routing }),
		result: ResolvedRouting,
		streams: false,
		effects: false,
		summary: "Which provider a routing would use.",
	},
	"session.start": {
		params: SubmitParams,
		result: Snapshot,
		streams: true,
		effects: true,
		summary: "Submits a turn and begins a new conversation with the provider.",
	},
	"session.message": {
		params: SubmitParams,
		result: Snapshot,
		streams: true,
		effects: true,
		summary: "Submits a turn that continues the thread's conversation.",
	},
	"session.cancel": {
		params: z.strictObject({ sessionId: SessionId }),
		result: z.object({ cancelled: z.array(Snapshot) }),
		streams: false,
		effects: true,
		summary: "Asks every unfinished run of a session to stop.",
	},
	"session.close": {
		params: z.strictObject({ sessionId: SessionId }),
		result: z.object({ closed: z.literal(true) }),
		streams: false,
		effects: true,
		summary: "Refuses new turns, cancels running ones and releases the agent.",
	},
	"xworkmate.tasks.get": {
		params: TaskRef,
		result: Snapshot,
		streams: false,
		effects: false,
		summary: "The snapshot of a run, for recovery and for the terminal result.",
	},
	"xworkmate.tasks.input": {
		params: TaskRef,
		result: TaskInput,
		streams: false,
		effects: false,
		summary: "The input of a run, without its workspace context and the bytes of its attachments.",
	},
	"xworkmate.tasks.cancel": {
		params: TaskRef,
		result: Snapshot,
		streams: false,
		effects: true,
		summary: "Asks a run to stop; only a terminal snapshot confirms that it has.",
	},
	"xworkmate.tasks.list": {
		params: z.strictObject({ threadId: ThreadId.optional(), status: RunStatus.optional(), ...page }),
		result: z.object({ items: z.array(TaskSummary), nextCursor: z.string().optional() }),
		streams: false,
		effects: false,
		summary: "Runs, newest first.",
	},
	"xworkmate.tasks.subscribe": {
		params: z.strictObject({ runId: RunId, afterSeq: z.int().min(0).optional() }),
		result: Snapshot,
		streams: true,
		effects: false,
		summary: "Replays a run's log after a seq, follows it, and ends with the snapshot.",
	},
	"xworkmate.changes.subscribe": {
		params: z.strictObject({ after: ChangeCursor.optional() }),
		result: ChangePage,
		streams: true,
		effects: false,
		summary:
			"The changes on this bridge after a cursor. A stream continues with later changes until it is closed; a JSON response contains the next page.",
	},
	"xworkmate.approvals.list": {
		params: z.strictObject({ state: ApprovalState.optional(), runId: RunId.optional(), ...page }),
		result: z.object({ items: z.array(Approval), nextCursor: z.string().optional() }),
		streams: false,
		effects: false,
		summary: "Approval records, newest first.",
	},
	"xworkmate.approvals.decide": {
		params: z.strictObject({ approvalId: ApprovalId, decision: ApprovalDecision }),
		result: z.object({ record: Approval, applied: z.boolean() }),
		streams: false,
		effects: true,
		summary: "Decides an approval; a late decision returns the recorded outcome.",
	},
	"xworkmate.approvals.grants": {
		params: z.strictObject({ threadId: ThreadId.optional() }),
		result: z.object({ items: z.array(Approval) }),
		streams: false,
		effects: false,
		summary:
			"Grants in force: `allow_window` decisions that have neither expired nor been revoked, newest first, at most 200. If a grant in the list has `revokedAt`, its revocation could not be saved and is lost when the bridge restarts.",
	},
	"xworkmate.approvals.revoke": {
		params: z.strictObject({ approvalId: ApprovalId }),
		result: z.object({ record: Approval, applied: z.boolean() }),
		streams: false,
		effects: true,
		summary: "Revokes a grant, which then covers nothing. A repeat returns the recorded outcome.",
	},
	"xworkmate.approvals.get": {
		params: z.strictObject({ approvalId: ApprovalId }),
		result: z.object({
			record: Approval,
			/**
			 * The whole input as JSON; without secrets, unless it is code. Absent: only the agent has the input, and `record.input` is all that
			 * the agent showed; or the input is no longer recorded.
			 */
			input: z.string().optional(),
		}),
		streams: false,
		effects: false,
		summary: "An approval record and, for a typed tool's call, its whole input.",
	},
	"xworkmate.providers.test": {
		params: z.strictObject({ providerId: ProviderId }),
		result: z.object({ provider: ProviderCapability, tookMs: z.int().min(0) }),
		streams: false,
		effects: true,
		summary:
			"Tests a provider by using it, for at most 20 s: starts an agent, then opens and ends a conversation, or has a gateway prepare a run and release it. The bridge records no run, and keeps the result as the provider's last test. A provider without a test only reports whether it is available.",
	},
	"xworkmate.threads.delete": {
		params: z.strictObject({ threadId: ThreadId }),
		result: z.object({ deletedRuns: z.int().min(0), freedBytes: z.int().min(0), keptBranch: z.string().optional() }),
		streams: false,
		effects: true,
		summary:
			"Deletes a thread's runs, records and stored files. `keptBranch`: the branch of its worktree, if it has commits of its own and is therefore kept.",
	},
	"xworkmate.threads.folders": {
		params: z.strictObject({ threadId: ThreadId }),
		result: z.object({ folders: z.array(ThreadFolder) }),
		streams: false,
		effects: false,
		summary: "The folders on the bridge's computer that are deleted with a thread, and how many files they contain.",
	},
	...receiptMethods,
	...toolMethods,
	...accountMethods,
	...agentMethods,
	...operatorMethods,
	...settingsMethods,
	...planMethods,
	...channelMethods,
	...editMethods,
} as const satisfies Record<string, MethodDefinition>;

export type MethodName = keyof typeof methods;
export type MethodParams<M extends MethodName> = z.infer<(typeof methods)[M]["params"]>;
export type MethodInput<M extends MethodName> = z.input<(typeof methods)[M]["params"]>;
export type MethodResult<M extends MethodName> = z.infer<(typeof methods)[M]["result"]>;

export function isMethodName(name: string): name is MethodName {
	return Object.hasOwn(methods, name);
}
