import type {
	ArtifactContract,
	ArtifactScope,
	AssistantMetadata,
	Attachment,
	ExecutionTarget,
	Origin,
	ProviderId,
	RunId,
	SessionId,
	Sha256,
	ThreadId,
	Timestamp,
	TurnId,
} from "@xworkmate/contracts";

/** The provider of a turn, as routing resolved it. */
export interface RunProvider {
	readonly target: ExecutionTarget;
	readonly providerId: ProviderId;
	readonly model?: string;
}

export type StoredAttachment = Omit<Attachment, "base64">;

/** The input of a run: enough to run the turn after a restart. Never changes. */
export interface RunInput {
	readonly prompt: string;
	readonly workspaceContext?: string;
	readonly workingDirectory?: string;
	readonly worktree?: true;
	readonly remoteWorkingDirectoryHint?: string;
	readonly artifactContract: ArtifactContract;
	/** Options of the run for the bridge's own providers. */
	readonly assistant?: AssistantMetadata;
	/** The attachments; their bytes are under `inputs/<runId>/`. */
	readonly attachments: readonly StoredAttachment[];
	/** True for session.start, which starts a new conversation with the provider. */
	readonly fresh: boolean;
}

/** The intent of a run, written before anything is executed. Never changes. */
export interface RunRecord {
	readonly runId: RunId;
	readonly threadId: ThreadId;
	readonly sessionId: SessionId;
	readonly turnId: TurnId;
	/** Who started the run. Absent: an app that does not name itself. */
	readonly origin?: Origin;
	readonly provider: RunProvider;
	readonly artifactScope: ArtifactScope;
	readonly createdAt: Timestamp;
	/** sha256 of the idempotency input (docs/protocol.md#identifiers). */
	readonly inputHash: Sha256;
	readonly input: RunInput;
	/** Absolute real path of the user's folder that the run works in. If absent, the run works in the bridge's own workspace. */
	readonly projectDirectory?: string;
	/** Set if the project folder is in a worktree of the thread's own. `folder`: the folder that the user chose, which the run doesn't change. */
	readonly worktree?: { readonly folder: string };
	/** Why the requested folder is not used, for the run's notice. */
	readonly directoryRefused?: string;
	/** Time limit from the run's start, not counting time spent waiting for the user. */
	readonly budgetMs: number;
}

/** What identifies a run: everything except its input, which may be megabytes. */
export type RunFacts = Pick<
	RunRecord,
	"runId" | "sessionId" | "threadId" | "turnId" | "origin" | "provider" | "artifactScope" | "createdAt"
>;
