import {
	type Capabilities,
	ContractError,
	type MethodName,
	type MethodParams,
	type MethodResult,
	type ProviderId,
	type ResolvedRouting,
	type Routing,
	type SubmitParams,
	type TaskRef,
} from "@xworkmate/contracts";
import type { RunService } from "../ports/run-service.ts";

/** One handler for each method of the contract. */
export type MethodTable = { readonly [M in MethodName]: (params: MethodParams<M>) => Promise<MethodResult<M>> };

export interface MethodTableOptions {
	readonly runs: RunService;
	capabilities(): Promise<Capabilities>;
	resolveRouting(routing: Routing): Promise<ResolvedRouting>;
	/** @throws ContractError PROVIDER_NOT_FOUND */
	testProvider(providerId: ProviderId): Promise<MethodResult<"xworkmate.providers.test">>;
}

/** The decider of a decision that comes over the wire: a request with the token acts for the user. */
const DECIDED_BY = "person";

/** What each method does. Every refusal is a ContractError. */
export function createMethodTable({ runs, capabilities, resolveRouting, testProvider }: MethodTableOptions): MethodTable {
	const submit = (method: "session.start" | "session.message") => async (params: SubmitParams) => {
		const { runId } = await runs.submit(method, params);
		return runs.snapshot(runId);
	};
	const found = async (ref: TaskRef) => (await runs.resolve(ref)).runId;
	return {
		"acp.capabilities": () => capabilities(),
		"xworkmate.routing.resolve": ({ routing }) => resolveRouting(routing),
		"session.start": submit("session.start"),
		"session.message": submit("session.message"),
		"session.cancel": ({ sessionId }) => runs.cancelSession(sessionId),
		"session.close": ({ sessionId }) => runs.closeSession(sessionId),
		"xworkmate.tasks.get": async (ref) => runs.snapshot(await found(ref)),
		"xworkmate.tasks.cancel": async (ref) => runs.cancel(await found(ref)),
		"xworkmate.tasks.list": (params) => runs.list(params),
		"xworkmate.tasks.subscribe": () => Promise.reject(new ContractError("STREAM_REQUIRED")),
		"xworkmate.approvals.list": (params) => runs.listApprovals(params),
		"xworkmate.approvals.decide": ({ approvalId, decision }) => runs.decideApproval(approvalId, decision, DECIDED_BY),
		"xworkmate.approvals.grants": async ({ threadId }) => ({ items: [...(await runs.grants(threadId))] }),
		"xworkmate.approvals.revoke": ({ approvalId }) => runs.revokeGrant(approvalId),
		"xworkmate.providers.test": ({ providerId }) => testProvider(providerId),
		"xworkmate.threads.delete": (params) => runs.deleteThread(params),
	};
}
