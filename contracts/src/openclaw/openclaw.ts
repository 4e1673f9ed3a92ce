import { z } from "zod";
import { Artifact, RejectedArtifact } from "../artifacts/artifact.ts";
import { ArtifactPath } from "../artifacts/artifact-path-schema.ts";
import { ArtifactScope } from "../artifacts/scope.ts";
import { RunId, Sha256, Timestamp, ToolCallId } from "../ids/ids.ts";
import { Unavailable } from "../methods/capabilities.ts";
import { Preview, ToolKind } from "../tools/tool-call.ts";

/** What bridge and plugin say to each other over an OpenClaw gateway; both refuse another version. */
export const OPENCLAW_CONTRACT_VERSION = 1;

/** The plugin's HTTP route: `<route>/<runId>` a tar stream, `<route>/<runId>/<encoded path>` one file with Range; `?sessionKey=&artifactScope=` name the run. */
export const OPENCLAW_ARTIFACT_ROUTE = "/xworkmate/artifacts";

/** The bridge's own key of a conversation: a hash, so that nothing of the app's draft keys reaches the gateway. */
export const OpenClawSessionKey = z
	.string()
	.regex(/^agent:[a-z0-9][a-z0-9_-]{0,63}:xwm-[0-9a-f]{24}$/, "must be agent:<agent>:xwm-<24 hex>")
	.brand<"OpenClawSessionKey">();
export type OpenClawSessionKey = z.infer<typeof OpenClawSessionKey>;

/** Codes of a gateway's `unavailable` that are temporary. Every other one needs someone to act first. */
export const PassingGatewayCode = z.enum(["GATEWAY_UNREACHABLE", "GATEWAY_STARTING", "GATEWAY_CONNECTING"]);
export type PassingGatewayCode = z.infer<typeof PassingGatewayCode>;

/** The run as the gateway sees it. `lost`: the gateway ended while it ran, so its outcome is not known. */
export const OpenClawRunState = z.enum(["prepared", "running", "completed", "failed", "cancelled", "lost"]);
export type OpenClawRunState = z.infer<typeof OpenClawRunState>;

/** True for a state that never changes again. */
export function isOpenClawEnd(state: OpenClawRunState): boolean {
	return state !== "prepared" && state !== "running";
}

/** Which run is meant. All three belong together, or the call is refused with SCOPE_MISMATCH. */
export const OpenClawRunRef = z.strictObject({ runId: RunId, sessionKey: OpenClawSessionKey, artifactScope: ArtifactScope });
export type OpenClawRunRef = z.infer<typeof OpenClawRunRef>;

/** Errors of the plugin's methods, as `error.details.code` of the gateway's answer. */
export const OpenClawPluginErrorCode = z.enum([
	"INVALID_PARAMS",
	"SCOPE_MISMATCH",
	"SCOPE_BLOCKED",
	"RUN_UNKNOWN",
	"RUN_BEGUN",
	"RUN_NOT_ENDED",
	"SESSION_BUSY",
	"NOT_COLLECTED",
	"NOT_FOUND",
	"APPROVAL_UNKNOWN",
	"ARTIFACT_CHANGED",
	"INTERNAL",
]);
export type OpenClawPluginErrorCode = z.infer<typeof OpenClawPluginErrorCode>;

export const OpenClawTask = z.object({
	runId: RunId,
	sessionKey: OpenClawSessionKey,
	artifactScope: ArtifactScope,
	state: OpenClawRunState,
	/** The final text of this run, never of an earlier one; only at the end, truncated at 256 KiB. */
	output: z.object({ text: z.string(), truncated: z.boolean(), totalBytes: z.int().min(0) }).optional(),
	/** Why it failed, in the gateway's words. */
	error: z.string().optional(),
	/** The stop was asked for through xworkmate.tasks.cancel. */
	cancelRequested: z.boolean(),
	/**
	 * Commands in the background, sub-agents and other tasks that the run started and that were still running when it
	 * ended. After a stop: what could not be ended. At the end only.
	 */
	atWork: z.array(z.string()).optional(),
	preparedAt: Timestamp,
	startedAt: Timestamp.optional(),
	endedAt: Timestamp.optional(),
	/** True once the scope is sealed: later writes into it do not count. */
	collected: z.boolean(),
});
export type OpenClawTask = z.infer<typeof OpenClawTask>;

/** One file of the sealed scope; its address is the bridge's matter. */
export const OpenClawArtifact = Artifact.omit({ artifactRef: true });
export type OpenClawArtifact = z.infer<typeof OpenClawArtifact>;

const rejected = { rejected: z.array(RejectedArtifact), rejectedCount: z.int().min(0) };
const totals = { count: z.int().min(0), totalBytes: z.int().min(0), digest: Sha256 };

/** A tool call that is held until a user has answered. */
export const OpenClawApproval = z.object({
	id: z.string().min(1).max(200),
	runId: RunId,
	sessionKey: OpenClawSessionKey,
	toolCallId: ToolCallId.optional(),
	title: z.string(),
	toolKind: ToolKind,
	input: Preview.optional(),
	inputHash: Sha256,
	/** The exact command line of a call that runs one. */
	command: z.string().optional(),
	requestedAt: Timestamp,
});
export type OpenClawApproval = z.infer<typeof OpenClawApproval>;

/** What became of a held tool call. `withdrawn`: refused unanswered, since its run was stopped or the wait had ended. */
export const OpenClawApprovalOutcome = z.enum(["allowed", "denied", "withdrawn"]);
export type OpenClawApprovalOutcome = z.infer<typeof OpenClawApprovalOutcome>;

/** Payloads of the events `xworkmate.run` and `xworkmate.approval`. */
export const openClawEvents = {
	run: OpenClawTask,
	approval: z.object({ approval: OpenClawApproval, state: z.enum(["pending", "allowed", "denied", "withdrawn"]) }),
} as const;

interface OpenClawMethod {
	readonly params: z.ZodType;
	readonly result: z.ZodType;
	/** The least gateway scope it needs. */
	readonly scope: "operator.read" | "operator.write";
}

/** The plugin's gateway methods. Params are closed, results open. */
export const openClawMethods = {
	/** Registers the run under its session and makes its scope, empty. Repeating it gives the same. */
	"xworkmate.session.prepare": {
		params: OpenClawRunRef.extend({
			/** Which tool calls wait for a user: those that act beyond the run's scope, or none. */
			hold: z.enum(["effects", "none"]),
			/** The app's context; `$XWORKMATE_ARTIFACT_DIRECTORY` in it is resolved here. Reaches the model, never the transcript. */
			context: z
				.string()
				.max(64 * 1024)
				.optional(),
			/** The last deliverables of the conversation, from an earlier run of the same session, which the model is told about. */
			earlier: z.strictObject({ runId: RunId, paths: z.array(ArtifactPath).max(100) }).optional(),
		}),
		result: OpenClawTask.extend({
			/** Absolute, on the gateway's machine; told to the model by the plugin. */
			artifactDirectory: z.string(),
			workspaceDirectory: z.string(),
		}),
		scope: "operator.write",
	},
	/**
	 * Forgets a run that was prepared and never began, and removes its folder, which has to be empty: how a caller
	 * finds out that runs can be prepared here, without leaving anything. RUN_BEGUN for a run that began, SCOPE_BLOCKED
	 * where something is in its folder. A plugin of an earlier release does not have it.
	 */
	"xworkmate.session.release": {
		params: OpenClawRunRef,
		result: z.object({ released: z.literal(true) }),
		scope: "operator.write",
	},
	"xworkmate.tasks.get": { params: OpenClawRunRef, result: OpenClawTask, scope: "operator.read" },
	/** Records the intent, answers held tool calls with no, and keeps a run that has not begun from beginning. The caller also sends chat.abort. */
	"xworkmate.tasks.cancel": { params: OpenClawRunRef, result: OpenClawTask, scope: "operator.write" },
	/**
	 * Brings media and tool outputs of this run into its scope, waits (bounded by waitMs) for background tasks
	 * the run opened, checks, hashes and seals the scope. Repeating it gives the same. RUN_NOT_ENDED before its end.
	 */
	"xworkmate.artifacts.collect-and-snapshot": {
		params: OpenClawRunRef.extend({
			waitMs: z
				.int()
				.min(0)
				.max(10 * 60_000),
			/** Further folders to look in, relative to the workspace. */
			expectedArtifactDirs: z.array(ArtifactPath).max(50).optional(),
			/** Globs of required files: one that is a guard's placeholder or empty is refused. */
			requiredGlobs: z.array(z.string().min(1).max(500)).max(100).optional(),
		}),
		result: z.object({ ...totals, ...rejected, pendingBackgroundTasks: z.int().min(0) }),
		scope: "operator.write",
	},
	/** The sealed scope's manifest, metadata only, by pages in byte order of the paths. NOT_COLLECTED before the seal. */
	"xworkmate.artifacts.export": {
		params: OpenClawRunRef.extend({ afterPath: ArtifactPath.optional(), limit: z.int().min(1).max(1000).default(1000) }),
		result: z.object({ items: z.array(OpenClawArtifact), complete: z.boolean(), ...totals, ...rejected }),
		scope: "operator.read",
	},
	/** A piece of one file, for connections that cannot use the HTTP route. */
	"xworkmate.artifacts.read": {
		params: OpenClawRunRef.extend({
			relativePath: ArtifactPath,
			offset: z.int().min(0),
			length: z
				.int()
				.min(1)
				.max(64 * 1024),
		}),
		result: z.object({ base64: z.string(), sizeBytes: z.int().min(0), sha256: Sha256, complete: z.boolean() }),
		scope: "operator.read",
	},
	/** Tool calls that are held now; asked again after a reconnect. */
	"xworkmate.approvals.list": {
		params: z.strictObject({ sessionKey: OpenClawSessionKey.optional() }),
		result: z.object({ items: z.array(OpenClawApproval) }),
		scope: "operator.read",
	},
	/** The first answer counts; `applied` is false for a later one, and `outcome` is that of the first. */
	"xworkmate.approvals.answer": {
		params: z.strictObject({ id: z.string().min(1).max(200), allow: z.boolean(), reason: z.string().max(500).optional() }),
		result: z.object({ applied: z.boolean(), outcome: OpenClawApprovalOutcome.optional() }),
		scope: "operator.write",
	},
	/** What this gateway lacks for XWorkmate; no problems = ready. */
	"xworkmate.doctor": {
		params: z.strictObject({}),
		result: z.object({
			contractVersion: z.int(),
			pluginVersion: z.string(),
			gatewayVersion: z.string(),
			problems: z.array(Unavailable),
		}),
		scope: "operator.read",
	},
} as const satisfies Record<string, OpenClawMethod>;

export type OpenClawMethodName = keyof typeof openClawMethods;
export type OpenClawParams<M extends OpenClawMethodName> = z.input<(typeof openClawMethods)[M]["params"]>;
export type OpenClawResult<M extends OpenClawMethodName> = z.infer<(typeof openClawMethods)[M]["result"]>;
