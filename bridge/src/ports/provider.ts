import type {
	ApprovalDecision,
	ArtifactContract,
	ArtifactScope,
	ExecutionTarget,
	MessageId,
	Preview,
	ProviderFeatures,
	ProviderId,
	RejectedArtifact,
	RunId,
	SessionId,
	Sha256,
	ThreadId,
	ToolCallId,
	ToolKind,
	TurnId,
	Unavailable,
} from "@xworkmate/contracts";
import type { ProviderOutcome, ProviderUpdate } from "./run-event.ts";
import type { ProviderSession } from "./session-store.ts";

/** One turn, prepared: the directories exist, the attachments are in place. */
export interface ProviderTurn {
	readonly runId: RunId;
	readonly threadId: ThreadId;
	readonly sessionId: SessionId;
	readonly turnId: TurnId;
	/** The user's message alone. */
	readonly prompt: string;
	/** Context, the message, where final files belong, and where earlier deliverables are: for runtimes that read prose. */
	readonly composedPrompt: string;
	/** The parts of it, for a runtime elsewhere that has directories of its own. */
	readonly workspaceContext?: string;
	readonly earlier?: PreviousArtifacts;
	readonly artifactContract: ArtifactContract;
	readonly model?: string;
	readonly artifactScope: ArtifactScope;
	/** Absolute; created empty for this run. */
	readonly artifactDirectory: string;
	/** Absolute; the agent's current directory. */
	readonly workingDirectory: string;
	/** Absolute paths of the attachments, as placed. */
	readonly attachments: readonly { readonly path: string; readonly name: string; readonly mediaType: string }[];
	/** The conversation to continue; absent = start a new one. */
	readonly session?: ProviderSession;
	/** An earlier bridge handed this very turn over, as the log says. A runtime that does not know it has lost it. */
	readonly begun: boolean;
	/** The last message in the log of an earlier bridge: a runtime that continues sends the rest of it. */
	readonly spoken?: SpokenBefore;
}

/** The last message and the last thought of a turn. */
export interface SpokenBefore {
	readonly message?: SpokenWords;
	readonly thought?: SpokenWords;
}

export interface SpokenWords {
	readonly messageId: MessageId;
	/** The beginning of the text, up to `limits.outputBytes`. */
	readonly text: string;
	readonly totalBytes: number;
}

/** The files of the thread's last successful run. */
export interface PreviousArtifacts {
	readonly runId: RunId;
	/** Absolute. */
	readonly directory: string;
	readonly paths: readonly string[];
}

export interface PermissionRequest {
	readonly toolCallId?: ToolCallId;
	readonly title: string;
	readonly toolKind: ToolKind;
	readonly input?: Preview;
	/** Over the whole input, not the preview. */
	readonly inputHash: Sha256;
	/** The answers that the runtime accepts. */
	readonly options: readonly ApprovalDecision[];
	/** An exact command line, when there is one, for configured allowances. */
	readonly command?: string;
	readonly outside?: OutsideAnswers;
	/** Where it would run, as the runtime says, when that is not where the run works. */
	readonly directory?: string;
	/** The one folder whose files it would change directly, real and absolute, when it does nothing else. */
	readonly folder?: { readonly path: string; readonly inside?: string };
}

/** An answer that was given on the runtime's side; `withdrawn`: none was given, and the runtime no longer asks. */
export type OutsideAnswer = "allow_once" | "deny" | "withdrawn";

/** For a question that can be answered on the runtime's side too: there, the first answer counts. */
export interface OutsideAnswers {
	/** Settles with an answer that was given there; perhaps never. */
	readonly given: Promise<OutsideAnswer>;
	/** Brings the answer given here. Settles with the one that counts there instead, or undefined. Never rejects. */
	bring(answer: "allow" | "deny" | "expired"): Promise<OutsideAnswer | undefined>;
}

/** `withdrawn`: the run is stopping, or the runtime asks no more; answer the runtime with its own word for cancelled. */
export type PermissionAnswer =
	| { readonly decision: ApprovalDecision }
	| { readonly decision: "withdrawn" }
	| { readonly decision: "expired" };

/** Where a provider reports what happens in a turn. Every call becomes an event of the run's log. */
export interface TurnSink {
	/**
	 * Says that the turn is about to reach its runtime, and resolves once that is in the log. Await it before
	 * anything of the turn can act. A provider with `handsOver` always does.
	 */
	handOver(): Promise<void>;
	/** Appends. Await it: it resolves later when the log is behind, which is the turn's back-pressure. */
	emit(update: ProviderUpdate): Promise<void>;
	/** Records the request and waits for the answer. The run's time limit is paused meanwhile. */
	requestPermission(request: PermissionRequest): Promise<PermissionAnswer>;
	/** A file the provider refused to write. */
	rejectArtifact(rejected: RejectedArtifact): void;
	/** The conversation to continue next time; undefined forgets it. */
	saveSession(session: ProviderSession | undefined): Promise<void>;
}

/** A run whose turn has ended; `session` is the conversation it was saved with. */
export type EndedTurn = Pick<ProviderTurn, "runId" | "threadId" | "artifactScope" | "artifactDirectory" | "artifactContract" | "session">;

/** Where a provider reports the progress of fetching files. */
export interface FetchSink {
	show(stage: "collecting" | "exporting", message?: string): void;
	/** A file that was there and does not count. */
	rejectArtifact(rejected: RejectedArtifact): void;
}

/** Why the outcome of a turn can't be known. */
export type Loss = Extract<ProviderOutcome, { kind: "lost" }>;

export type Availability =
	| { readonly available: true; readonly models?: readonly string[] }
	| { readonly available: false; readonly unavailable: Unavailable };

/**
 * One runtime behind a target. Implementations translate a protocol and nothing else: queueing,
 * deadlines, artifacts and what counts as success belong to the run.
 */
export interface Provider {
	readonly providerId: ProviderId;
	readonly label: string;
	readonly target: ExecutionTarget;
	readonly features: ProviderFeatures;
	/** Cheap; may be asked on every capabilities call. */
	availability(): Promise<Availability>;
	/**
	 * Really tries it, bounded by `signal`: an agent is started and ended again. Absent: `availability` is all there is to try.
	 * Never rejects for what a runtime does.
	 */
	test?(signal: AbortSignal): Promise<Availability>;
	/**
	 * Runs one turn to its end. Never rejects for what a runtime does: that is an outcome.
	 * `stop` asks it to end: the promise then settles with `cancelled` once the stop is confirmed
	 * (the runtime said so, or its process group is dead), or with what landed first.
	 */
	runTurn(turn: ProviderTurn, sink: TurnSink, stop: AbortSignal): Promise<ProviderOutcome>;
	/**
	 * True when every turn says `sink.handOver()` before anything of it can act: a turn whose bridge ended before
	 * that is begun again. Absent: a turn that was started is never begun a second time.
	 */
	readonly handsOver?: true;
	/**
	 * True when turns outlive the bridge: after a restart runTurn is called again for a run that was
	 * executing, takes it up where it is, and never runs anything twice. Absent: such a run is interrupted.
	 */
	readonly resumable?: true;
	/**
	 * For a runtime with directories of its own: copies what the turn delivered into its artifactDirectory, each file
	 * hash-checked, whatever is there from an attempt before. A loss when that cannot be done, or not before `signal` is
	 * aborted. May be repeated, also by a later bridge. Absent: the files are in the artifactDirectory already.
	 */
	fetchArtifacts?(turn: EndedTurn, sink: FetchSink, signal: AbortSignal): Promise<Loss | undefined>;
	/** Ends whatever is kept for a session (an idle agent process). */
	releaseSession(sessionId: SessionId): Promise<void>;
	/** Ends everything, bounded by a few seconds. */
	close(): Promise<void>;
}
