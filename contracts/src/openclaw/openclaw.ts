import { z } from "zod";
import { Artifact, RejectedArtifact } from "../artifacts/artifact.ts";
import { ArtifactPath } from "../artifacts/artifact-path-schema.ts";
import { ArtifactScope } from "../artifacts/scope.ts";
import { Unavailable } from "../errors/unavailable.ts";
import { RunId, Sha256, Timestamp, ToolCallId } from "../ids/ids.ts";
import { Preview, ToolKind } from "../tools/tool-call.ts";

/**
 * Version of the protocol between the bridge and the plugin over an OpenClaw gateway. The plugin reports its version, and the bridge
 * refuses any other.
 */
export const OPENCLAW_CONTRACT_VERSION = 1;

/**
 * The plugin's HTTP route: `<route>/<runId>` is a tar stream, `<route>/<runId>/<encoded path>` one file with Range;
 * `?sessionKey=&artifactScope=` identify the run.
 */
export const OPENCLAW_ARTIFACT_ROUTE = "/xworkmate/artifacts";

/** The bridge's own key of a conversation: a hash, so that the app's draft keys never reach the gateway. */
export const OpenClawSessionKey = z
	.string()
	.regex(/^agent:[a-z0-9][a-z0-9_-]{0,63}:xwm-[0-9a-f]{24}$/, "must be agent:<agent>:xwm-<24 hex>")
	.brand<"OpenClawSessionKey">();
export type OpenClawSessionKey = z.infer<typeof OpenClawSessionKey>;

/** Codes of a gateway's `unavailable` that are temporary. Every other code requires action by the user. */
export const PassingGatewayCode = z.enum(["GATEWAY_UNREACHABLE", "GATEWAY_STARTING", "GATEWAY_CONNECTING", "GATEWAY_LOCKED_OUT"]);
export type PassingGatewayCode = z.infer<typeof PassingGatewayCode>;

/** The run's state at the gateway. `lost`: the gateway stopped during the run, so the outcome is unknown. */
export const OpenClawRunState = z.enum(["prepared", "running", "completed", "failed", "cancelled", "lost"]);
export type OpenClawRunState = z.infer<typeof OpenClawRunState>;

/** True for a state that never changes again. */
export function isOpenClawEnd(state: OpenClawRunState): boolean {
	return state !== "prepared" && state !== "running";
}

/** Identifies a run. The three must belong together, or the call is refused with SCOPE_MISMATCH. */
export const OpenClawRunRef = z.strictObject({ runId: RunId, sessionKey: OpenClawSessionKey, artifactScope: ArtifactScope });
export type OpenClawRunRef = z.infer<typeof OpenClawRunRef>;

/** Errors of the plugin's methods, as `error.details.code` of the gateway's response. */
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

/**
 * In `atWork`, replaces the names of tasks if it is unknown what is running. The text also works as a name, because bridges of earlier
 * releases show it like one.
 */
export const openClawWorkUnknown = "unknown, because OpenClaw's list of tasks could not be read";

export const OpenClawTask = z.object({
	runId: RunId,
	sessionKey: OpenClawSessionKey,
	artifactScope: ArtifactScope,
	state: OpenClawRunState,
	/** The final text of this run, never of an earlier one, cut off at 256 KiB. Set only once the run has ended. */
	output: z.object({ text: z.string(), truncated: z.boolean(), totalBytes: z.int().min(0) }).optional(),
	/** Why the run failed, in the gateway's own words if it gave any. */
	error: z.string().optional(),
	/** A stop was requested through xworkmate.tasks.cancel. */
	cancelRequested: z.boolean(),
	/**
	 * Background commands, sub-agents and other tasks that the run started and that were still running when it ended, apart from those whose
	 * files the collection waits for; after a stop, those that could not be ended. Only `openClawWorkUnknown` if they are unknown. Set only
	 * once the run has ended.
	 */
	atWork: z.array(z.string()).optional(),
	preparedAt: Timestamp,
	startedAt: Timestamp.optional(),
	endedAt: Timestamp.optional(),
	/** True once the scope is sealed: files written to it later do not count. */
	collected: z.boolean(),
});
export type OpenClawTask = z.infer<typeof OpenClawTask>;

/** One file of the sealed scope; the bridge assigns its address. */
export const OpenClawArtifact = Artifact.omit({ artifactRef: true });
export type OpenClawArtifact = z.infer<typeof OpenClawArtifact>;

const rejected = { rejected: z.array(RejectedArtifact), rejectedCount: z.int().min(0) };
const totals = { count: z.int().min(0), totalBytes: z.int().min(0), digest: Sha256 };

/** A tool call that is held until a user answers. */
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

/**
 * The outcome of a held tool call. `withdrawn`: denied without an answer, because its run was stopped or ended, the wait took too long, or
 * the gateway is stopping.
 */
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
	/** The minimum gateway scope that the method requires. */
	readonly scope: "operator.read" | "operator.write";
}

/** The plugin's gateway methods. Params are closed, results open. */
export const openClawMethods = {
	/** Registers the run under its session and creates its empty scope. Idempotent. */
	"xworkmate.session.prepare": {
		params: OpenClawRunRef.extend({
			/** Which tool calls wait for a user: those that act beyond the run's scope or read another conversation's files, or none. */
			hold: z.enum(["effects", "none"]),
			/** The app's context, in which `$XWORKMATE_ARTIFACT_DIRECTORY` is replaced here. It reaches the model, but never the transcript. */
			context: z
				.string()
				.max(64 * 1024)
				.optional(),
			/** The files that the conversation delivered last, from an earlier run of the same session. They are listed for the model. */
			earlier: z.strictObject({ runId: RunId, paths: z.array(ArtifactPath).max(100) }).optional(),
		}),
		result: OpenClawTask.extend({
			/** Absolute, on the gateway's machine; the plugin passes it to the model. */
			artifactDirectory: z.string(),
			workspaceDirectory: z.string(),
		}),
		scope: "operator.write",
	},
	/**
	 * Forgets a run that was prepared but never began, and removes its folder, which has to be empty. A caller can thus test whether runs can
	 * be prepared, without leaving anything behind. RUN_BEGUN if the run has begun, SCOPE_BLOCKED if its folder is not empty. Earlier
	 * releases of the plugin do not have this method.
	 */
	"xworkmate.session.release": {
		params: OpenClawRunRef,
		result: z.object({ released: z.literal(true) }),
		scope: "operator.write",
	},
	"xworkmate.tasks.get": { params: OpenClawRunRef, result: OpenClawTask, scope: "operator.read" },
	/**
	 * Records the intent to stop, denies held tool calls, and prevents a run that has not begun from starting. The caller also sends
	 * chat.abort.
	 */
	"xworkmate.tasks.cancel": { params: OpenClawRunRef, result: OpenClawTask, scope: "operator.write" },
	/**
	 * Waits (at most waitMs) for background tasks that the run started, copies media and tool outputs of this run into its scope, then
	 * checks, hashes and seals the scope. Idempotent. RUN_NOT_ENDED while the run continues.
	 */
	"xworkmate.artifacts.collect-and-snapshot": {
		params: OpenClawRunRef.extend({
			waitMs: z
				.int()
				.min(0)
				.max(10 * 60_000),
			/** More folders to search, relative to the workspace. */
			expectedArtifactDirs: z.array(ArtifactPath).max(50).optional(),
			/** Globs of required files; a matching file that is empty is rejected. */
			requiredGlobs: z.array(z.string().min(1).max(500)).max(100).optional(),
		}),
		result: z.object({ ...totals, ...rejected, pendingBackgroundTasks: z.int().min(0) }),
		scope: "operator.write",
	},
	/**
	 * The sealed scope's manifest without the files' contents, in pages, ordered by the bytes of the paths. NOT_COLLECTED before the seal.
	 */
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
	/** The tool calls that are held now. The caller repeats this after a reconnect. */
	"xworkmate.approvals.list": {
		params: z.strictObject({ sessionKey: OpenClawSessionKey.optional() }),
		result: z.object({ items: z.array(OpenClawApproval) }),
		scope: "operator.read",
	},
	/** The first answer counts; for a later one, `applied` is false and `outcome` is that of the first. */
	"xworkmate.approvals.answer": {
		params: z.strictObject({ id: z.string().min(1).max(200), allow: z.boolean(), reason: z.string().max(500).optional() }),
		result: z.object({ applied: z.boolean(), outcome: OpenClawApprovalOutcome.optional() }),
		scope: "operator.write",
	},
	/** What this gateway lacks for XWorkmate. An empty list means that it is ready. */
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
