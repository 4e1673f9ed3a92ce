import type {
	Approval,
	ApprovalDecision,
	ApprovalId,
	MethodParams,
	MethodResult,
	RunEvidence,
	RunId,
	SessionId,
	Snapshot,
	SubmitParams,
	TaskInput,
	TaskRef,
	ThreadId,
} from "@xworkmate/contracts";
import type { EventLog } from "../event-log.ts";
import type { ChangeStore } from "./change-store.ts";
import type { LoggedEvent } from "./run-event.ts";
import type { RunFacts, RunRecord } from "./run-record.ts";
import type { RunAppend, RunLogStore } from "./run-store.ts";

/** The part of the core that the RPC methods and the HTTP routes need. Every refusal is a ContractError. */
export interface RunService {
	/** Accepts a turn, or finds the run that already has this turnId. Returns once the intent is durable. */
	submit(method: "session.start" | "session.message", params: SubmitParams): Promise<RunRecord>;
	/** @throws NOT_FOUND, SCOPE_MISMATCH */
	resolve(ref: TaskRef): Promise<RunFacts>;
	/**
	 * The run's input.
	 * @throws NOT_FOUND, SCOPE_MISMATCH
	 */
	input(ref: TaskRef): Promise<TaskInput>;
	/** @throws NOT_FOUND */
	snapshot(runId: RunId): Promise<Snapshot>;
	/**
	 * True if anything where the run works on this machine may have changed since it began, no matter what its agent reported.
	 * @throws NOT_FOUND
	 */
	mayHaveChangedFiles(runId: RunId): Promise<boolean>;
	/**
	 * What a run that has ended left behind, as evidence for what its agent says.
	 * @throws NOT_FOUND
	 */
	evidence(runId: RunId): Promise<RunEvidence>;
	/** The view of a run that is in memory; undefined for any other. */
	live(runId: RunId): LiveView | undefined;
	cancel(runId: RunId): Promise<Snapshot>;
	cancelSession(sessionId: SessionId): Promise<MethodResult<"session.cancel">>;
	closeSession(sessionId: SessionId): Promise<MethodResult<"session.close">>;
	list(params: MethodParams<"xworkmate.tasks.list">): Promise<MethodResult<"xworkmate.tasks.list">>;
	listApprovals(params: MethodParams<"xworkmate.approvals.list">): Promise<MethodResult<"xworkmate.approvals.list">>;
	/** @throws NOT_FOUND */
	approval(approvalId: ApprovalId): Promise<MethodResult<"xworkmate.approvals.get">>;
	decideApproval(approvalId: ApprovalId, decision: ApprovalDecision, decidedBy: string): Promise<{ record: Approval; applied: boolean }>;
	/**
	 * Records that a user who is not an approver tried to answer. Does nothing if the run has ended.
	 * @throws NOT_FOUND
	 */
	refuseActor(approvalId: ApprovalId, actor: string): Promise<void>;
	/** The grants in force. */
	grants(threadId?: ThreadId): Promise<readonly Approval[]>;
	/** @throws NOT_FOUND, INVALID_PARAMS, DISK_FULL */
	revokeGrant(approvalId: ApprovalId): Promise<{ record: Approval; applied: boolean }>;
	deleteThread(params: MethodParams<"xworkmate.threads.delete">): Promise<MethodResult<"xworkmate.threads.delete">>;
	/** What a deletion of the thread removes on this machine. */
	threadFolders(params: MethodParams<"xworkmate.threads.folders">): Promise<MethodResult<"xworkmate.threads.folders">>;
	/** The committed log. */
	readonly log: RunLog;
	/** Reads committed events in the form that is sent to readers. */
	readonly readFrames: RunLogStore["readFrames"];
	readonly changes: ChangeFeed;
}

/** The committed state of a run in memory. */
export interface LiveView {
	readonly committedState: { readonly lastSeq: number };
	/** The events of the last commit; empty if this process has not committed any for this run. */
	readonly recent: readonly LoggedEvent[];
	/** The terminal snapshot as it was written, once there is one. */
	readonly sealedText: string | undefined;
}

/** All changes of the bridge. */
export interface ChangeFeed extends ChangeStore {
	/** Calls back when there may be more to read. Returns a function that unsubscribes. */
	onChanged(listener: () => void): () => void;
	/** How many times the tools have changed since the start. They are in files, so the log has no position for these changes. */
	readonly toolChanges: number;
	/** How many times the agents have changed since the start. */
	readonly agentChanges: number;
}

/** The logs of all runs. */
export type RunLog = EventLog<RunId, RunAppend>;
