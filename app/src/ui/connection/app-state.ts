import type { Approval } from "@xworkmate/contracts";
import type { AppChange, AppState, ThreadSummary } from "../../api/ui-api.ts";

/** Applies a change to the state that every page shows. Applying it twice has the same effect as applying it once. */
export function applyChange(state: AppState | undefined, change: AppChange): AppState | undefined {
	if (state === undefined) return change.type === "state" ? change.state : undefined;
	switch (change.type) {
		case "state":
			return change.state;
		case "thread":
			return { ...state, threads: putThread(state.threads, change.thread) };
		case "thread_deleted":
			return { ...state, threads: state.threads.filter(({ threadId }) => threadId !== change.threadId) };
		case "approval":
			return { ...state, approvals: putApproval(state.approvals, change.approval) };
		case "grants":
			return { ...state, grants: change.grants };
		case "gatewayQueue":
			return { ...state, gatewayQueue: change.gatewayQueue };
		case "bridge":
			return { ...state, bridge: change.bridge };
		case "plans":
			return { ...state, plans: change.plans };
		case "newDraft": {
			const { newDraft: _before, ...others } = state;
			return { ...others, ...(change.draft && { newDraft: change.draft }) };
		}
		// A keep-alive line, or a kind of change that this page does not know and ignores.
		default:
			return state;
	}
}

/** Most recently changed first. */
function putThread(threads: readonly ThreadSummary[], thread: ThreadSummary): readonly ThreadSummary[] {
	const others = threads.filter(({ threadId }) => threadId !== thread.threadId);
	const place = others.findIndex(({ updatedAt }) => updatedAt <= thread.updatedAt);
	return others.toSpliced(place === -1 ? others.length : place, 0, thread);
}

function putApproval(approvals: readonly Approval[], approval: Approval): readonly Approval[] {
	const known = approvals.findIndex(({ approvalId }) => approvalId === approval.approvalId);
	if (approval.state !== "pending") return known === -1 ? approvals : approvals.toSpliced(known, 1);
	return known === -1 ? [...approvals, approval] : approvals.with(known, approval);
}
