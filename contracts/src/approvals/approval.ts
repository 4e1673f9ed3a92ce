import { z } from "zod";
import { ApprovalId, ProviderId, RunId, Sha256, ThreadId, Timestamp, ToolCallId } from "../ids/ids.ts";
import { ExecutionTarget } from "../routing/routing.ts";
import { Preview, ToolKind } from "../tools/tool-call.ts";
import { DenyReason, Risk, ToolId } from "../tools/tool-id.ts";

export const ApprovalState = z.enum(["pending", "decided", "expired", "withdrawn"]);
export type ApprovalState = z.infer<typeof ApprovalState>;

export const ApprovalDecision = z.enum(["allow_once", "allow_window", "deny"]);
export type ApprovalDecision = z.infer<typeof ApprovalDecision>;

const words = z.string().min(1).max(200);

/**
 * What a grant (`allow_window`) covers in its thread, apart from the agent, its folder and the kind of tool. It is set when a request is
 * made, so that a button can name it. A grant covers only requests with an equal scope and, for `program`, without new options.
 */
export const GrantScope = z.discriminatedUnion("kind", [
	/** Single commands that begin with these words. `tool`: the prefix that the agent's titles put before the command. */
	z.object({ kind: z.literal("program"), words: z.array(words).min(1).max(5), tool: z.string().max(200).optional() }),
	/** Exactly this command line. */
	z.object({ kind: z.literal("command"), sha256: Sha256, tool: z.string().max(200).optional() }),
	/** Edits of files directly in this folder. `inside`: its path relative to the run's working folder, "" for that folder itself. */
	z.object({ kind: z.literal("folder"), path: z.string().min(1).max(4096), inside: z.string().max(4096).optional() }),
	/** Covers the same request, with exactly the same input. */
	z.object({ kind: z.literal("request"), sha256: Sha256 }),
	/** Every call to this tool, as long as its code is the same. */
	z.object({ kind: z.literal("tool"), toolId: ToolId, toolHash: Sha256 }),
]);
export type GrantScope = z.infer<typeof GrantScope>;

/** The grant that allowed a request without asking again. */
export const UsedGrant = z.object({ approvalId: ApprovalId, decidedAt: Timestamp, windowSeconds: z.int().min(1) });
export type UsedGrant = z.infer<typeof UsedGrant>;

/** The agent that asks, and the folder that its run works in. A grant holds for the same agent in the same folder. */
export const Asker = z.object({
	target: ExecutionTarget,
	providerId: ProviderId,
	/** The project's folder; absent: the thread's own. */
	workingDirectory: z.string().max(4096).optional(),
});
export type Asker = z.infer<typeof Asker>;

/** An agent's question to the user before it acts. The first decision wins. */
export const Approval = z.object({
	approvalId: ApprovalId,
	runId: RunId,
	threadId: ThreadId,
	/** Absent in records of earlier bridges, which did not write it. */
	asker: Asker.optional(),
	toolCallId: ToolCallId.optional(),
	title: z.string(),
	toolKind: ToolKind,
	/** A preview. `inputHash` binds the decision to the whole input, which the bridge has only for a typed tool's call. */
	input: Preview.optional(),
	/** The folder that the agent says it would work in, if that is not the run's. */
	directory: z.string().max(4096).optional(),
	/** Files that the agent names in a change or a location that it reported for the call, and that the input does not show. */
	alsoNamed: z.array(z.string().max(4096)).max(50).optional(),
	/** A change to files that the agent reported for the call, and that the input does not show: each file's path, then its lines. */
	proposed: Preview.optional(),
	/** What the agent says about the call, if neither the input nor the change shows it. */
	says: Preview.optional(),
	/** What the agent did not state; the bridge then chose the `title` or `toolKind`. */
	unstated: z.array(z.enum(["title", "kind"])).optional(),
	inputHash: Sha256,
	options: z.array(ApprovalDecision).min(1),
	/** The agent's names for its ways to allow this once. `allow_once` answers with the first, whose name may say more than "once". */
	allowNames: z.array(z.string().max(200)).max(10).optional(),
	/** The agent offers no way to deny this only once: `deny` tells the agent to deny this permanently. */
	deniesAlways: z.literal(true).optional(),
	/**
	 * What `allow_window` covers. Absent if that cannot be determined: `allow_window` is then not offered, and a grant in an older record
	 * covers nothing.
	 */
	grantScope: GrantScope.optional(),
	requestedAt: Timestamp,
	expiresAt: Timestamp,
	state: ApprovalState,
	decision: ApprovalDecision.optional(),
	/** How long `allow_window` holds. */
	windowSeconds: z.int().min(1).optional(),
	/**
	 * `person`: the user, through the bridge's API. `discord:<user>`: a user on Discord. `gateway`: decided on the gateway.
	 * `policy`, `bridge`, `window:<approvalId>`, `configuration:<what>`: automatically.
	 */
	decidedBy: z.string().optional(),
	decidedAt: Timestamp.optional(),
	/** Set only for a typed tool's call, as are the next seven. */
	toolId: ToolId.optional(),
	risk: Risk.optional(),
	/** Hash of the code that would run. */
	toolHash: Sha256.optional(),
	/** The version of the user's rules that applied when the request was made. */
	policyVersion: z.string().max(200).optional(),
	/** What the call would do, in the tool's words. */
	words: z.string().max(1_000).optional(),
	/** Names of the secrets that the call would get. */
	secrets: z.array(z.string().max(200)).max(50).optional(),
	/** The user has not accepted this code, so `words` may not be true. Of an open request that is read: now; otherwise, when it was made. */
	unaccepted: z.literal(true).optional(),
	/** Of an open request that is read: the tool's code has changed since, or the tool was removed, so it could not start. */
	toolChanged: z.literal(true).optional(),
	/** Of an open request that is read: a rule of the user's denies every call to the tool, so it could not start. */
	forbidden: z.literal(true).optional(),
	/** Why the request was denied or withdrawn, unless the user denied it. */
	reason: DenyReason.optional(),
	/** The earlier grant that allowed this request, if one did. */
	grant: UsedGrant.optional(),
	/** When the grant that this decision gave was revoked. From then on, the grant covers nothing. */
	revokedAt: Timestamp.optional(),
});
export type Approval = z.infer<typeof Approval>;
