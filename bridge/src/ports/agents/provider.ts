import type {
	ApprovalDecision,
	ArtifactContract,
	ArtifactScope,
	ExecutionTarget,
	MessageId,
	OwnProvider,
	Preview,
	ProviderFeatures,
	ProviderId,
	RejectedArtifact,
	RunId,
	SessionId,
	Sha256,
	TerminalStatus,
	ThreadId,
	ToolCallId,
	ToolKind,
	TurnId,
	Unavailable,
} from "@xworkmate/contracts";
import type { ProgramLog } from "../programs/program-log.ts";
import type { ProviderOutcome, ProviderUpdate } from "../runs/run-event.ts";
import type { ProviderSession } from "../runs/session-store.ts";
import type { ToolCatalogue } from "../tools/tool-hosts.ts";

/** One turn, ready to run: the directories exist, and the attachments are in place. */
export interface ProviderTurn {
	readonly runId: RunId;
	readonly threadId: ThreadId;
	readonly sessionId: SessionId;
	readonly turnId: TurnId;
	/** The user's message only. */
	readonly prompt: string;
	/**
	 * The prompt for runtimes that read prose: the context, where final files belong, where the files of an earlier run are, and the message.
	 */
	readonly composedPrompt: string;
	/** The parts of `composedPrompt`, for a remote runtime that has directories of its own. */
	readonly workspaceContext?: string;
	readonly earlier?: PreviousArtifacts;
	/** The earlier turns, oldest first, as far back as they fit. Only for a provider that `readsConversation`. */
	readonly conversation?: readonly EarlierTurn[];
	readonly artifactContract: ArtifactContract;
	readonly model?: string;
	/** The account that the sender named. */
	readonly account?: string;
	readonly artifactScope: ArtifactScope;
	/** Absolute path of a folder that is created empty for this run. */
	readonly artifactDirectory: string;
	/** Absolute path: the agent's current directory. */
	readonly workingDirectory: string;
	/** The attachments, with the absolute paths of the copies made for this run. */
	readonly attachments: readonly { readonly path: string; readonly name: string; readonly mediaType: string }[];
	/** The conversation to continue. If absent, a new one is started. */
	readonly session?: ProviderSession;
	/** Aborted when the bridge stops: a recorded program ends where it is, and continues under the next bridge. */
	readonly suspend?: AbortSignal;
	/**
	 * True if, according to the log, an earlier bridge has handed this turn over. If the runtime does not know the turn, the runtime has lost
	 * it.
	 */
	readonly begun: boolean;
	/** The last message and the last thought that an earlier bridge logged. A runtime that continues the turn sends the rest. */
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

/** A turn of the thread that has ended, no matter which provider ran it. */
export interface EarlierTurn {
	readonly prompt: string;
	/** The answer that was shown; absent if there was none. */
	readonly answer?: string;
	readonly status: TerminalStatus;
}

/** The files of the thread's last successful run that delivered any. */
export interface PreviousArtifacts {
	readonly runId: RunId;
	/** Absolute path. */
	readonly directory: string;
	/** The first of the run's files, in byte order. */
	readonly paths: readonly string[];
	/** How many files the run delivered. */
	readonly count: number;
}

export interface PermissionRequest {
	readonly toolCallId?: ToolCallId;
	readonly title: string;
	readonly toolKind: ToolKind;
	readonly input?: Preview;
	/** The hash of the whole input, not the preview. */
	readonly inputHash: Sha256;
	/** The decisions that the runtime supports. */
	readonly options: readonly ApprovalDecision[];
	/** The runtime's names for its ways to allow the call once, if it has any. `allow_once` is answered with the first. */
	readonly allowNames?: readonly string[];
	/** Present if the runtime offers no way to deny only this call. */
	readonly deniesAlways?: true;
	/** The exact command line, if there is one, to compare with commands that the configuration allows. */
	readonly command?: string;
	readonly outside?: OutsideAnswers;
	/** The folder in which the command would run, according to the runtime, if not the run's working directory. */
	readonly directory?: string;
	/** Files that the runtime names for the call, and that the input does not show. */
	readonly alsoNamed?: readonly string[];
	/** A change to files that the runtime reported for the call, and that the input does not show. */
	readonly proposed?: Preview;
	/** What the runtime says about the call, if neither the input nor the change shows it. */
	readonly says?: Preview;
	/** The fields that the runtime did not give, so that the bridge chose them. */
	readonly unstated?: readonly ("title" | "kind")[];
	/** The folder whose files the call would change directly, as an absolute real path, if the call does nothing else. */
	readonly folder?: { readonly path: string; readonly inside?: string };
	/** Present if the turn was already being stopped: the user is not asked, no grant applies, and the record says withdrawn. */
	readonly isLate?: true;
}

/** An answer given at the runtime; `withdrawn`: the runtime no longer asks, and no answer was given. */
export type OutsideAnswer = "allow_once" | "deny" | "withdrawn";

/** For a request that can also be answered at the runtime. The first answer counts. */
export interface OutsideAnswers {
	/** Settles with an answer given at the runtime; may never settle. */
	readonly given: Promise<OutsideAnswer>;
	/**
	 * Delivers the answer given here. Settles with the answer that the runtime applied if it is a different one, otherwise with undefined. Never
	 * rejects.
	 */
	bring(answer: "allow" | "deny" | "expired"): Promise<OutsideAnswer | undefined>;
}

/** `withdrawn`: the run is stopping, or the runtime no longer asks; reply with the runtime's own answer for a cancelled request. */
export type PermissionAnswer =
	| { readonly decision: ApprovalDecision }
	| { readonly decision: "withdrawn" }
	| { readonly decision: "expired" };

/** Receives what a provider reports during a turn. Updates and requests become events of the run's log. */
export interface TurnSink {
	/**
	 * Records that the turn is about to reach its runtime, and resolves once this is in the log. Must be awaited before any part of the turn
	 * can have an effect. A provider with `handsOver` always calls it.
	 */
	handOver(): Promise<void>;
	/** Appends an update. Must be awaited: it resolves later if the log is behind, which slows the turn down. */
	emit(update: ProviderUpdate): Promise<void>;
	/** Records the request and waits for the answer. The run's time limit is paused during the wait. */
	requestPermission(request: PermissionRequest): Promise<PermissionAnswer>;
	/** Reports a file that the provider refused to write. */
	rejectArtifact(rejected: RejectedArtifact): void;
	/** Saves the conversation to continue next time; undefined deletes the saved one. */
	saveSession(session: ProviderSession | undefined): Promise<void>;
	/** Where a program of this turn is recorded. If absent, the program cannot call integrations. */
	readonly program?: ProgramLog;
}

/**
 * The turn has stopped for now, and can continue from the same point, because the log contains everything needed. `waiting`: how many calls
 * of its program have no answer. The turn may remain parked while that many calls are waiting for the user.
 */
export interface Parked {
	readonly kind: "parked";
	readonly waiting: number;
}

/** A run whose turn has ended. `session` is its saved conversation. */
export type EndedTurn = Pick<ProviderTurn, "runId" | "threadId" | "artifactScope" | "artifactDirectory" | "artifactContract" | "session">;

/** Where a provider reports the progress of fetching files. */
export interface FetchSink {
	show(stage: "collecting" | "exporting", message?: string): void;
	/** Reports a file that was found but is not accepted. */
	rejectArtifact(rejected: RejectedArtifact): void;
}

/** Why the outcome of a turn cannot be known. */
export type Loss = Extract<ProviderOutcome, { kind: "lost" }>;

export type Availability =
	| { readonly available: true; readonly models?: readonly string[] }
	| { readonly available: false; readonly unavailable: Unavailable };

/**
 * One runtime behind a target. Implementations only translate a protocol: queueing, deadlines, artifacts and the definition of success
 * belong to the run.
 */
export interface Provider {
	readonly providerId: ProviderId;
	readonly label: string;
	readonly target: ExecutionTarget;
	readonly features: ProviderFeatures;
	/** Only for the bridge's own providers. */
	readonly own?: OwnProvider;
	/** True for an agent that providers.json defines. */
	readonly isDefined?: boolean;
	/** The typed tools that a turn can call. Absent for a provider whose turns call none. */
	toolCatalogue?(): Promise<ToolCatalogue>;
	/** Whether the provider can be used. Cheap; may be called for every capabilities request. */
	availability(): Promise<Availability>;
	/**
	 * Tests the runtime by starting an agent and ending it again, until `signal` aborts. Absent: `availability` is the only test. Never
	 * rejects because of the runtime.
	 */
	test?(signal: AbortSignal): Promise<Availability>;
	/**
	 * Runs one turn to its end. Never rejects because of the runtime: failures are outcomes. `stop` asks the turn to end: the promise then
	 * settles with `cancelled` once the stop is confirmed (by the runtime, or because its process group is dead), or with the outcome that
	 * came first.
	 */
	runTurn(turn: ProviderTurn, sink: TurnSink, stop: AbortSignal): Promise<ProviderOutcome | Parked>;
	/**
	 * True if every turn calls `sink.handOver()` before any part of it can act. If the bridge ends before that call, the turn is started
	 * again. If absent, a turn that was started is never started a second time.
	 */
	readonly handsOver?: true;
	/**
	 * True if turns outlive the bridge: after a restart, runTurn is called again for a run that was executing; the call continues the run and
	 * never executes anything twice. If absent, such a run is interrupted.
	 */
	readonly resumable?: true;
	/**
	 * Present if the steps of its turns are recorded: after a restart, a turn continues from them, with an emptied scope, and it may end as
	 * parked. `once_acted`: applies only to turns that called an integration; any other turn is treated as if the provider were not
	 * `resumable`. `always`: applies to every turn.
	 */
	readonly durable?: "once_acted" | "always";
	/** True if the prompt has to include the thread's earlier turns, because the provider keeps no conversation itself. */
	readonly readsConversation?: true;
	/**
	 * For a runtime with directories of its own: copies what the turn delivered into its artifactDirectory, regardless of what an earlier
	 * attempt left there, and checks each file's hash. Returns a loss if this fails, or is not complete when `signal` is aborted. May be
	 * repeated, also by a later bridge. If absent, the files are already in the artifactDirectory.
	 */
	fetchArtifacts?(turn: EndedTurn, sink: FetchSink, signal: AbortSignal): Promise<Loss | undefined>;
	/** Ends everything that is kept running for a session, such as an idle agent process. */
	releaseSession(sessionId: SessionId): Promise<void>;
	/** Stops everything that the provider is running, within a few seconds. */
	close(): Promise<void>;
}
