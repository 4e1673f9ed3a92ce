import type { Approval, ApprovalId, ApprovalState, RunId, ThreadId, Timestamp } from "@xworkmate/contracts";
import type { Page } from "./page.ts";

/** Approval records as the log last said. */
export interface ApprovalStore {
	/** Newest first. A cursor of another list or a damaged one throws ContractError INVALID_PARAMS. */
	listApprovals(query: ApprovalQuery): Promise<Page<Approval>>;
	findApproval(approvalId: ApprovalId): Promise<Approval | undefined>;
	/** Decided `allow_window` approvals that were not revoked, of a thread or of all, newest first, at most 200. */
	grants(threadId?: ThreadId): Promise<readonly Approval[]>;
	/** Writes down that a grant is taken back. False when it was already, or when there is no such grant. */
	revokeGrant(approvalId: ApprovalId, at: Timestamp): Promise<boolean>;
}

export interface ApprovalQuery {
	readonly state?: ApprovalState | undefined;
	readonly runId?: RunId | undefined;
	readonly limit: number;
	readonly cursor?: string | undefined;
}
