import { ContractError, type ProviderId, type SessionId, type Snapshot, type TaskRef } from "@xworkmate/contracts";
import type { ApprovalBroker } from "../../approvals/approval-broker.ts";
import type { Provider } from "../../ports/agents/provider.ts";
import type { Page } from "../../ports/page.ts";
import type { RunFacts } from "../../ports/runs/run-record.ts";
import type { RunLog, RunService } from "../../ports/runs/run-service.ts";
import type { RunStore } from "../../ports/runs/run-store.ts";
import type { RunWorkspace } from "../../ports/runs/run-workspace.ts";
import type { SessionStore } from "../../ports/runs/session-store.ts";
import type { ApprovalStore } from "../../ports/tools/approval-store.ts";
import { toTaskInput } from "../domain/run-view.ts";
import { runEvidence } from "../domain/unverified-claims.ts";
import type { Changes } from "./changes.ts";
import type { Coordinator } from "./coordinator.ts";
import type { RunLookup } from "./run-lookup.ts";
import type { ThreadRemoval } from "./thread-removal.ts";

interface Collaborators {
	readonly log: RunLog;
	readonly readFrames: RunService["readFrames"];
	readonly submit: RunService["submit"];
	readonly runs: RunStore;
	readonly approvals: ApprovalStore;
	readonly changes: Changes;
	readonly sessions: SessionStore;
	readonly providers: ReadonlyMap<ProviderId, Provider>;
	readonly lookup: RunLookup;
	readonly broker: ApprovalBroker;
	readonly coordinator: Coordinator;
	readonly removal: ThreadRemoval;
	readonly workspace: Pick<RunWorkspace, "mayHaveChanged">;
}

/** Creates the service through which the rest of the bridge uses the core. */
export function createRunService(collaborators: Collaborators): RunService {
	const { log, readFrames, submit, runs, approvals, changes, sessions, providers, lookup, broker, coordinator, removal, workspace } =
		collaborators;

	const resolve = async (ref: TaskRef): Promise<RunFacts> => {
		const facts = await lookup.facts(ref);
		if (ref.artifactScope !== undefined && ref.artifactScope !== facts.artifactScope) throw new ContractError("SCOPE_MISMATCH");
		return facts;
	};
	const cancelSession = async (sessionId: SessionId): Promise<{ cancelled: Snapshot[] }> => {
		const session = await sessions.findBySession(sessionId);
		if (session === undefined) throw new ContractError("SESSION_NOT_FOUND");
		const live = lookup.liveOf(session.threadId);
		return { cancelled: await Promise.all(live.map((run) => coordinator.cancel(run.runId))) };
	};

	return {
		log,
		readFrames,
		changes,
		submit,
		resolve,
		input: async (ref) => toTaskInput(await lookup.record((await resolve(ref)).runId)),
		snapshot: (runId) => lookup.snapshot(runId),
		mayHaveChangedFiles: async (runId) => {
			const [record, { startedAt }] = [await lookup.record(runId), await lookup.snapshot(runId)];
			if (startedAt === undefined || record.provider.target === "gateway") return false;
			return workspace.mayHaveChanged(record, Date.parse(startedAt));
		},
		evidence: async (runId) => runEvidence(await lookup.fold(runId), (await lookup.facts({ runId })).provider),
		live: (runId) => lookup.live(runId),
		cancel: (runId) => coordinator.cancel(runId),
		cancelSession,
		closeSession: async (sessionId) => {
			const session = await sessions.findBySession(sessionId);
			if (session === undefined) throw new ContractError("SESSION_NOT_FOUND");
			// The runs are told to stop even if the session can't be marked as closed, for example on a full disk.
			await Promise.all([sessions.setClosed(session.threadId, true), cancelSession(sessionId)]);
			await coordinator.settled(session.threadId);
			await Promise.all([...providers.values()].map((provider) => provider.releaseSession(sessionId)));
			return { closed: true };
		},
		list: async (params) => mutable(await runs.listRuns(params)),
		listApprovals: async (params) => {
			const { items, ...page } = await approvals.listApprovals(params);
			return { ...page, items: items.map(broker.asOfNow) };
		},
		approval: (approvalId) => broker.shown(approvalId),
		decideApproval: (approvalId, decision, decidedBy) => broker.decide(approvalId, decision, decidedBy),
		refuseActor: (approvalId, actor) => broker.refuseActor(approvalId, actor),
		grants: (threadId) => broker.grants(threadId),
		revokeGrant: async (approvalId) => {
			const revoked = await broker.revoke(approvalId);
			// Revoking marks the record without adding an event to the log, so readers are notified here.
			changes.ring();
			return revoked;
		},
		deleteThread: ({ threadId }) => removal.delete(threadId),
		threadFolders: async ({ threadId }) => ({ folders: [...(await removal.folders(threadId))] }),
	};
}

function mutable<T>(page: Page<T>): { items: T[]; nextCursor?: string } {
	return { ...page, items: [...page.items] };
}
