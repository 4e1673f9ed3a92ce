import {
	type ArtifactContract,
	ContractError,
	type ProviderId,
	type Routing,
	type RunId,
	type SessionId,
	type Snapshot,
	type TaskRef,
} from "@xworkmate/contracts";
import type { ApprovalBroker } from "../../approvals/approval-broker.ts";
import { CommitLog } from "../../log/commit-log.ts";
import type { RunLookup } from "../../log/run-lookup.ts";
import type { ArtifactStore } from "../../ports/artifact-store.ts";
import type { AttemptLedger } from "../../ports/attempt-ledger.ts";
import type { ChangeStore } from "../../ports/change-store.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Provider } from "../../ports/provider.ts";
import type { RunLimits } from "../../ports/run-limits.ts";
import type { RunProvider, RunRecord } from "../../ports/run-record.ts";
import type { RunService } from "../../ports/run-service.ts";
import type { Page, RunStore } from "../../ports/run-store.ts";
import type { RunWorkspace } from "../../ports/run-workspace.ts";
import type { SessionStore } from "../../ports/session-store.ts";
import { Admission } from "../domain/admission.ts";
import { Attempts, type EndBefore } from "../domain/attempts.ts";
import { toTaskInput } from "../domain/run-view.ts";
import { Changes } from "./changes.ts";
import type { CheckContract } from "./collection.ts";
import { Coordinator } from "./coordinator.ts";
import { expireBytes } from "./retention.ts";
import { Submission } from "./submission.ts";
import { ThreadRemoval } from "./thread-removal.ts";

export interface RunServiceDeps {
	readonly runs: RunStore;
	readonly changes: ChangeStore;
	readonly sessions: SessionStore;
	readonly attempts: AttemptLedger;
	readonly providers: ReadonlyMap<ProviderId, Provider>;
	/** @throws ContractError of routing: who would run this. */
	readonly resolveRouting: (routing: Routing) => Promise<RunProvider>;
	readonly artifactStore: ArtifactStore;
	readonly checkContract: CheckContract;
	/** Why no run can honor a contract; undefined = one can. */
	readonly contractProblem: (contract: ArtifactContract) => string | undefined;
	readonly workspace: RunWorkspace;
	readonly lookup: RunLookup;
	readonly broker: ApprovalBroker;
	readonly clock: Clock;
	readonly newRunId: () => RunId;
	readonly limits: RunLimits;
	readonly onError: (error: unknown, runId?: RunId) => void;
	/** The disk is full, and every run waits. */
	readonly onDiskFull: (error: unknown) => void;
	/** There is space again, after so many milliseconds. */
	readonly onDiskSpace: (waitedMs: number) => void;
	/** The log cannot be written; the process must end. */
	readonly onFatal: (error: unknown) => void;
}

export interface RunServiceHandle extends RunService {
	/**
	 * Reads every run that is not over, so that requests about it can be answered, and ends those that the end of the bridge
	 * before cut. Call once, before requests are served.
	 */
	load(before: EndBefore): Promise<void>;
	/** Takes up what was read, one by one. Call once, when requests are served: a run may end the bridge. */
	recover(): Promise<void>;
	/** Ends or parks every run within `limits.stopMs`. */
	shutdown(): Promise<void>;
	/** Removes the bytes of runs past the age and size limits. */
	expire(): Promise<void>;
	stats(): { readonly active: number; readonly queued: number; readonly commits: number };
}

/** The core: wires the log, the queue and the coordinator together. */
export function createRunService(deps: RunServiceDeps): RunServiceHandle {
	const { runs, sessions, clock, limits, workspace, artifactStore, lookup, broker } = deps;
	const log = new CommitLog(runs, {
		retryForMs: 30_000,
		answerMs: limits.diskAnswerMs,
		onFatal: deps.onFatal,
		onRetry: (error) => deps.onError(error),
		onFull: deps.onDiskFull,
		onSpace: deps.onDiskSpace,
	});
	const admission = new Admission(limits);
	const attempts = new Attempts(deps.attempts, deps.onError);
	const coordinator = new Coordinator({ ...deps, store: runs, log, admission, attempts });
	const submission = new Submission({ ...deps, store: runs, log, admission, coordinator });
	const removal = new ThreadRemoval({ store: runs, sessions, artifactStore, workspace, lookup, providers: deps.providers });

	const resolve = async (ref: TaskRef): Promise<RunRecord> => {
		const record = "runId" in ref ? await lookup.record(ref.runId) : await runs.findTurn(ref.threadId, ref.turnId);
		if (record === undefined) throw new ContractError("NOT_FOUND", { detail: "This turn has no run." });
		if (ref.artifactScope !== undefined && ref.artifactScope !== record.artifactScope) throw new ContractError("SCOPE_MISMATCH");
		return record;
	};
	const cancelSession = async (sessionId: SessionId): Promise<{ cancelled: Snapshot[] }> => {
		const session = await sessions.findBySession(sessionId);
		if (session === undefined) throw new ContractError("SESSION_NOT_FOUND");
		const live = lookup.liveOf(session.threadId);
		return { cancelled: await Promise.all(live.map((run) => coordinator.cancel(run.runId))) };
	};

	const changes = new Changes(deps.changes, log);
	return {
		log,
		changes,
		submit: (method, params) => submission.submit(method, params),
		resolve,
		input: async (ref) => toTaskInput(await resolve(ref)),
		snapshot: (runId) => lookup.snapshot(runId),
		cancel: (runId) => coordinator.cancel(runId),
		cancelSession,
		closeSession: async (sessionId) => {
			const session = await sessions.findBySession(sessionId);
			if (session === undefined) throw new ContractError("SESSION_NOT_FOUND");
			await sessions.setClosed(session.threadId, true);
			await cancelSession(sessionId);
			await coordinator.settled(session.threadId);
			await Promise.all([...deps.providers.values()].map((provider) => provider.releaseSession(sessionId)));
			return { closed: true };
		},
		list: async (params) => mutable(await runs.listRuns(params)),
		listApprovals: async (params) => mutable(await runs.listApprovals(params)),
		decideApproval: (approvalId, decision, decidedBy) => broker.decide(approvalId, decision, decidedBy),
		grants: (threadId) => broker.grants(threadId),
		revokeGrant: async (approvalId) => {
			const revoked = await broker.revoke(approvalId);
			// A mark on its record, which is no event of the log.
			changes.ring();
			return revoked;
		},
		deleteThread: ({ threadId }) => removal.delete(threadId),
		load: (before) => coordinator.load(before),
		recover: () => coordinator.recover(),
		shutdown: () => coordinator.shutdown(),
		expire: () => expireBytes({ store: runs, artifactStore, clock, limits }),
		stats: () => ({ active: admission.activeCount, queued: admission.queuedCount, commits: log.commits }),
	};
}

function mutable<T>(page: Page<T>): { items: T[]; nextCursor?: string } {
	return { ...page, items: [...page.items] };
}
