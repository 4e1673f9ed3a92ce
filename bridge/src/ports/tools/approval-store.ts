import type { Approval, ApprovalId, ApprovalState, RunId, ThreadId, Timestamp } from "@xworkmate/contracts";
import type { Page } from "../page.ts";

/** Stores the latest state of approvals, as the log records it. */
export interface ApprovalStore {
	/**
	 * Newest first.
	 * @throws ContractError INVALID_PARAMS for a cursor that is damaged or belongs to another list
	 */
	listApprovals(query: ApprovalQuery): Promise<Page<Approval>>;
	findApproval(approvalId: ApprovalId): Promise<Approval | undefined>;
	/** `allow_window` decisions that were not revoked and have not expired, newest first, at most 200. */
	grants(query: GrantQuery): Promise<readonly Approval[]>;
	/** Records that a grant was revoked. False if it was already revoked, or if it does not exist. */
	revokeGrant(approvalId: ApprovalId, at: Timestamp): Promise<boolean>;
}

export interface ApprovalQuery {
	readonly state?: ApprovalState | undefined;
	readonly runId?: RunId | undefined;
	readonly limit: number;
	readonly cursor?: string | undefined;
}

export interface GrantQuery {
	/** The thread whose approvals are listed. If absent, those of all threads are. */
	readonly threadId?: ThreadId | undefined;
	/** Milliseconds since the epoch. */
	readonly now: number;
}
