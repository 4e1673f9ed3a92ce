import { createHash } from "node:crypto";
import {
	type Approval,
	type ApprovalDecision,
	ApprovalId,
	type Artifact,
	ArtifactScope,
	type AssistantMetadata,
	artifactRef,
	artifactScope,
	artifactsDigest,
	isTerminal,
	limits,
	type Manifest,
	type Origin,
	omitUndefined,
	openArtifactContract,
	ProviderId,
	type RunCode,
	RunId,
	type RunStatus,
	SessionId,
	type SessionUpdate,
	type Snapshot,
	type TaskInput,
	TaskSummary,
	type TerminalStatus,
	type ThreadId,
	type Timestamp,
	type TurnId,
	type Update,
} from "@xworkmate/contracts";

export const AT = "2026-01-02T03:04:05.006Z";

export function sha256(bytes: Uint8Array | string): string {
	return createHash("sha256").update(bytes).digest("hex");
}

/** A run as a bridge would hold it: a log, and at the end a snapshot with files. */
export class FakeRun {
	readonly runId: RunId;
	readonly threadId: ThreadId;
	readonly turnId: TurnId;
	readonly log: SessionUpdate[] = [];
	readonly files = new Map<string, Buffer>();
	readonly approvals = new Map<string, Approval>();
	readonly #watchers = new Set<() => void>();
	status: RunStatus = "running";
	code: RunCode | undefined;
	/** The snapshot's words beside its code. */
	message: string | undefined;
	cancelRequested = false;
	/** True if the run goes on after it was asked to stop. */
	ignoresCancel = false;
	scope: string | undefined;
	/** The snapshot's, of an interrupted run. */
	workedIn: string | undefined;
	/** The snapshot's, if the bridge tells it. */
	endedAt: Timestamp | undefined;
	/** Who started it, and what with: of a run that no app submitted. */
	origin: Origin | undefined;
	/** What it asks of the bridge's own programs. */
	assistant: AssistantMetadata | undefined;
	/** True if it started a new conversation with its agent. */
	isFresh = false;
	prompt = "do it";
	/** The snapshot's output. */
	answer: string | undefined;
	/** What the answer is worth, its parts, and what was found of the files. */
	checked: Partial<Pick<Snapshot, "activity" | "answer" | "grounding" | "edits" | "rejectedArtifacts" | "rejectedCount">> = {};

	constructor(threadId: ThreadId, turnId: TurnId, runId: string) {
		this.threadId = threadId;
		this.turnId = turnId;
		this.runId = RunId.parse(runId);
		this.say({ kind: "status", progress: { stage: "starting" } });
	}

	say(update: Update): this {
		return this.#append(update);
	}

	text(...words: readonly string[]): this {
		for (const text of words) this.say({ kind: "message_delta", messageId: "m1", text });
		return this;
	}

	/** Asks the user, or says what was decided. */
	asks(name: string, decision?: ApprovalDecision): this {
		const about = { approvalId: ApprovalId.parse(name), runId: this.runId, threadId: this.threadId, title: `may I ${name}?` };
		const asked = {
			toolKind: "execute",
			inputHash: sha256(name),
			options: ["allow_once", "deny"],
			requestedAt: AT,
			expiresAt: "2999-01-01T00:00:00.000Z",
		} as const;
		const state = decision === undefined ? ({ state: "pending" } as const) : ({ state: "decided", decision, decidedAt: AT } as const);
		const approval: Approval = { ...about, ...asked, options: [...asked.options], ...state };
		this.approvals.set(approval.approvalId, approval);
		return this.say({ kind: "approval", ...approval });
	}

	/** Asks with a grant that can be named, or says that it was given. */
	offers(name: string, decision?: ApprovalDecision, more: Partial<Approval> = {}): this {
		this.asks(name, decision);
		const asked = this.approvals.get(name);
		if (asked === undefined) throw new Error("it was not asked");
		const scope = { grantScope: { kind: "program" as const, words: ["npm", "test"] }, windowSeconds: 900 };
		const approval: Approval = { ...asked, ...scope, options: ["allow_once", "allow_window", "deny"], ...more };
		this.approvals.set(approval.approvalId, approval);
		return this.say({ kind: "approval", ...approval });
	}

	end(status: TerminalStatus, files: Readonly<Record<string, string | Buffer>> = {}, code?: RunCode): this {
		for (const [path, bytes] of Object.entries(files)) this.files.set(path, Buffer.from(bytes));
		this.status = status;
		this.code = code;
		return this.#append({ kind: "status" });
	}

	get artifacts(): Artifact[] {
		return [...this.files].map(([relativePath, bytes]) => ({
			relativePath,
			sizeBytes: bytes.length,
			sha256: sha256(bytes),
			mediaType: "application/octet-stream",
			modifiedAt: AT,
			artifactRef: artifactRef(this.runId, relativePath),
		}));
	}

	snapshot(): Snapshot {
		const items = this.artifacts;
		return {
			runId: this.runId,
			sessionId: SessionId.parse(this.threadId),
			threadId: this.threadId,
			turnId: this.turnId,
			provider: { target: "agent", providerId: ProviderId.parse("script") },
			status: this.status,
			success: this.status === "completed",
			...(this.code
				? { code: this.code, message: this.message ?? `it ended with ${this.code}` }
				: omitUndefined({ message: this.message })),
			artifactScope: this.#scope(),
			...(this.workedIn !== undefined && { workedIn: this.workedIn }),
			artifacts: { items: items.slice(0, limits.snapshotItems), ...this.#sums(items) },
			rejectedArtifacts: [],
			lastSeq: this.log.length,
			serverTime: AT,
			createdAt: AT,
			...(this.endedAt !== undefined && { endedAt: this.endedAt }),
			pendingApprovals: [],
			...(this.cancelRequested && { cancelRequestedAt: AT }),
			...(this.answer !== undefined && { output: { text: this.answer, truncated: false, totalBytes: Buffer.byteLength(this.answer) } }),
			...this.checked,
		};
	}

	/** Its line in lists. */
	summary(): TaskSummary {
		const { origin } = this;
		return TaskSummary.parse({ ...this.snapshot(), artifactCount: this.files.size, ...(origin && { origin }) });
	}

	input(): TaskInput {
		const { runId, threadId, turnId, prompt, origin, assistant } = this;
		const ids = { runId, threadId, turnId, sessionId: SessionId.parse(threadId), ...(origin && { origin }) };
		const asked = { prompt, ...(assistant && { assistant }) };
		return {
			...ids,
			...asked,
			...(this.isFresh && { fresh: true }),
			routing: { executionTarget: "agent" },
			attachments: [],
			artifactContract: openArtifactContract,
		};
	}

	manifest(): Manifest {
		const items = this.artifacts;
		const { runId, threadId, turnId } = this;
		const ids = { runId, threadId, turnId, sessionId: SessionId.parse(threadId), artifactScope: this.#scope() };
		return { schemaVersion: 1, ...ids, createdAt: AT, items, ...this.#sums(items) };
	}

	get over(): boolean {
		return isTerminal(this.status);
	}

	/** Calls back at every event, until the returned function is called. */
	onEvent(watcher: () => void): () => void {
		this.#watchers.add(watcher);
		return () => this.#watchers.delete(watcher);
	}

	#append(update: Update): this {
		const { threadId, turnId, runId, status } = this;
		const ids = { sessionId: SessionId.parse(threadId), threadId, turnId, runId, artifactScope: this.#scope() };
		this.log.push({ ...ids, seq: this.log.length + 1, at: AT, status, update });
		for (const watcher of this.#watchers) watcher();
		return this;
	}

	#scope(): ArtifactScope {
		return this.scope === undefined ? artifactScope(this.threadId, this.runId) : ArtifactScope.parse(this.scope);
	}

	#sums(items: readonly Artifact[]) {
		return { count: items.length, totalBytes: items.reduce((sum, item) => sum + item.sizeBytes, 0), digest: artifactsDigest(items) };
	}
}
