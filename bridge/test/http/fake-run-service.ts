import {
	type Artifact,
	artifactScope,
	artifactsDigest,
	type Change,
	type ChangeNotice,
	ContractError,
	type MethodResult,
	openArtifactContract,
	ProviderId,
	type RunEvidence,
	RunId,
	type SessionId,
	type Snapshot,
	type SubmitParams,
	type TaskInput,
	type TaskRef,
} from "@xworkmate/contracts";
import { timestamp } from "../../src/ports/clock.ts";
import type { LoggedEvent, RunEvent } from "../../src/ports/runs/run-event.ts";
import type { RunRecord } from "../../src/ports/runs/run-record.ts";
import type { ChangeFeed, RunLog, RunService } from "../../src/ports/runs/run-service.ts";
import { toSnapshot, toTaskInput } from "../../src/runs/domain/run-view.ts";
import { fold } from "../runs/domain/fold.ts";

export const FAKE_PROVIDER = ProviderId.parse("script");

type Listener = (events: readonly LoggedEvent[]) => void;

interface FakeRun {
	readonly record: RunRecord;
	readonly events: LoggedEvent[];
	readonly listeners: Set<Listener>;
}

/** A core without execution: the test says what happens in a run. */
export class FakeRunService implements RunService {
	readonly #runs = new Map<RunId, FakeRun>();
	readonly cancelled: RunId[] = [];
	readonly submits: SubmitParams[] = [];
	/** What the next call is refused with. */
	failWith: unknown;
	onSubmitted: (runId: RunId) => void = () => {};

	/** What readers of all changes are shown: what the test says. */
	readonly notices: ChangeNotice[] = [];
	readonly changeListeners = new Set<() => void>();
	readonly changes: ChangeFeed & { toolChanges: number; agentChanges: number } = {
		read: async (after = "0-0", limit) => {
			this.#refuse();
			const from = Number(after.split("-")[1]);
			const items = this.notices.slice(from, from + limit);
			return { items, cursor: items.at(-1)?.cursor ?? after };
		},
		onChanged: (listener) => {
			this.changeListeners.add(listener);
			return () => void this.changeListeners.delete(listener);
		},
		toolChanges: 0,
		agentChanges: 0,
	};

	readonly log: RunLog = {
		read: async (runId, afterSeq, limit) => {
			const { events } = this.#run(runId);
			if (afterSeq > events.length) throw new ContractError("SEQ_AHEAD");
			return events.slice(afterSeq, afterSeq + limit);
		},
		readTexts: async (runId, afterSeq, size) => {
			const { events } = this.#run(runId);
			if (afterSeq > events.length) throw new ContractError("SEQ_AHEAD");
			const texts = events.slice(afterSeq).map(({ seq, at, status, event }) => ({ seq, at, status, text: JSON.stringify(event) }));
			let read = 0;
			const full = texts.findIndex(({ text }) => {
				read += text.length;
				return read >= size;
			});
			return full < 0 ? texts : texts.slice(0, full + 1);
		},
		onCommitted: (runId, listener) => {
			const { listeners } = this.#run(runId);
			listeners.add(listener);
			return () => void listeners.delete(listener);
		},
		onCommittedAny: (listener) => {
			this.#anyListeners.add(listener);
			return () => void this.#anyListeners.delete(listener);
		},
	};

	readonly #anyListeners = new Set<(runId: RunId, events: readonly LoggedEvent[]) => void>();

	#snapshotFault: Error | undefined;

	breakSnapshots(fault: Error): void {
		this.#snapshotFault = fault;
	}

	/** Something changed in the bridge. */
	changeTools(): void {
		this.changes.toolChanges += 1;
		for (const listener of this.changeListeners) listener();
	}

	change(...changes: readonly Change[]): void {
		for (const change of changes) this.notices.push({ cursor: `0-${this.notices.length + 1}`, change });
		for (const listener of [...this.changeListeners]) listener();
	}

	/** Readers that listen to a run now. */
	listeners(runId: RunId): number {
		return this.#run(runId).listeners.size;
	}

	/** Commits events in one group. */
	commit(runId: RunId, ...events: readonly RunEvent[]): void {
		const run = this.#run(runId);
		const first = run.events.length + 1;
		const group = events.map((event, index): LoggedEvent => {
			const status = event.type === "ended" ? event.status : run.events.length === 0 ? "queued" : "running";
			return { seq: first + index, at: timestamp(Date.now()), status, event };
		});
		run.events.push(...group);
		for (const listener of [...run.listeners]) listener(group);
		for (const listener of [...this.#anyListeners]) listener(runId, group);
	}

	say(runId: RunId, text: string, messageId = "m1"): void {
		this.commit(runId, { type: "said", update: { kind: "message_delta", messageId, text } });
	}

	collect(runId: RunId, items: readonly Artifact[]): void {
		const totalBytes = items.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
		const artifacts = { items, count: items.length, totalBytes, digest: artifactsDigest(items), rejected: [], rejectedCount: 0 };
		this.commit(runId, { type: "collected", artifacts });
	}

	end(runId: RunId): void {
		this.commit(runId, { type: "ended", status: "completed" });
	}

	async submit(_method: "session.start" | "session.message", params: SubmitParams): Promise<RunRecord> {
		this.#refuse();
		this.submits.push(params);
		const known = [...this.#runs.values()].find(({ record }) => record.threadId === params.threadId && record.turnId === params.turnId);
		if (known !== undefined) return known.record;
		const record = toRecord(params, RunId.parse(`run${this.#runs.size + 1}`));
		this.#runs.set(record.runId, { record, events: [], listeners: new Set() });
		this.commit(record.runId, { type: "accepted" });
		this.onSubmitted(record.runId);
		return record;
	}

	async resolve(ref: TaskRef): Promise<RunRecord> {
		this.#refuse();
		if ("runId" in ref) return this.#run(ref.runId).record;
		throw new ContractError("NOT_FOUND");
	}

	async input(ref: TaskRef): Promise<TaskInput> {
		return toTaskInput(await this.resolve(ref));
	}

	async snapshot(runId: RunId): Promise<Snapshot> {
		if (this.#snapshotFault !== undefined) throw this.#snapshotFault;
		const { record, events } = this.#run(runId);
		return toSnapshot(record, fold(events), Date.now());
	}

	async mayHaveChangedFiles(): Promise<boolean> {
		return false;
	}

	async evidence(): Promise<RunEvidence> {
		return { activity: undefined, delivered: { paths: [], count: 0 } };
	}

	/** As of a store in which every event has to be parsed. */
	async readFrames(): Promise<undefined> {
		return undefined;
	}

	live(): undefined {
		return undefined;
	}

	async cancel(runId: RunId): Promise<Snapshot> {
		this.cancelled.push(runId);
		return this.snapshot(runId);
	}

	async cancelSession(_sessionId: SessionId): Promise<MethodResult<"session.cancel">> {
		return { cancelled: [] };
	}

	async closeSession(_sessionId: SessionId): Promise<MethodResult<"session.close">> {
		return { closed: true };
	}

	async list(): Promise<MethodResult<"xworkmate.tasks.list">> {
		this.#refuse();
		return { items: [] };
	}

	async listApprovals(): Promise<MethodResult<"xworkmate.approvals.list">> {
		return { items: [] };
	}

	async approval(): Promise<never> {
		throw new ContractError("NOT_FOUND");
	}

	async decideApproval(): Promise<never> {
		throw new ContractError("NOT_FOUND");
	}

	async refuseActor(): Promise<never> {
		throw new ContractError("NOT_FOUND");
	}
	async grants(): Promise<readonly never[]> {
		return [];
	}

	async revokeGrant(): Promise<never> {
		throw new ContractError("NOT_FOUND");
	}

	async deleteThread(): Promise<MethodResult<"xworkmate.threads.delete">> {
		return { deletedRuns: 0, freedBytes: 0 };
	}

	async threadFolders(): Promise<MethodResult<"xworkmate.threads.folders">> {
		return { folders: [] };
	}

	#run(runId: RunId): FakeRun {
		const run = this.#runs.get(runId);
		if (run === undefined) throw new ContractError("NOT_FOUND", { detail: `no run ${runId}` });
		return run;
	}

	#refuse(): void {
		const reason = this.failWith;
		this.failWith = undefined;
		if (reason !== undefined) throw reason;
	}
}

function toRecord(params: SubmitParams, runId: RunId): RunRecord {
	const { threadId, sessionId, turnId, prompt } = params;
	return {
		runId,
		threadId,
		sessionId,
		turnId,
		provider: { target: "agent", providerId: FAKE_PROVIDER },
		artifactScope: artifactScope(threadId, runId),
		createdAt: timestamp(Date.now()),
		inputHash: "0".repeat(64),
		input: { prompt, artifactContract: openArtifactContract, attachments: [], fresh: true },
		budgetMs: 60_000,
	};
}
