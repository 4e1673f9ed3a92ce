import {
	type Capabilities,
	ContractError,
	limits,
	type MethodName,
	type MethodParams,
	type MethodResult,
	type ProviderId,
	type ResolvedRouting,
	type Routing,
	type SubmitParams,
	type TaskRef,
} from "@xworkmate/contracts";
import type { AgentService } from "../ports/agents/agent-service.ts";
import type { EditService } from "../ports/agents/edit-service.ts";
import type { ChannelService } from "../ports/channels/channel-service.ts";
import type { AccountService } from "../ports/models/accounts.ts";
import type { OperatorService } from "../ports/operator-service.ts";
import type { PlanService } from "../ports/plans/plan-service.ts";
import type { RunService } from "../ports/runs/run-service.ts";
import type { ReceiptService } from "../ports/tools/receipt-service.ts";
import type { ToolService } from "../ports/tools/tool-service.ts";
import { resumedCursor, resumedSeq, type StreamMethod, type StreamOpening, type StreamReader } from "./stream-opening.ts";

/**
 * One handler for each method of the contract. A streaming handler returns its stream's opening. `reader` is absent if the client wants a
 * single JSON response, which only `xworkmate.tasks.subscribe` refuses.
 */
export type MethodTable = CallTable & StreamTable;

/** `whenGone` returns a signal that aborts when the caller disconnects. */
export type CallTable = {
	readonly [M in CallMethod]: (params: MethodParams<M>, whenGone?: () => AbortSignal) => Promise<MethodResult<M>>;
};

export type StreamTable = { readonly [M in StreamMethod]: (params: MethodParams<M>, reader?: StreamReader) => Promise<StreamOpening<M>> };

export type CallMethod = Exclude<MethodName, StreamMethod>;

export interface MethodTableOptions {
	readonly runs: RunService;
	readonly receipts: ReceiptService;
	readonly tools: ToolService;
	readonly accounts: AccountService;
	readonly agents: AgentService;
	readonly edits: EditService;
	readonly operators: OperatorService;
	readonly plans: PlanService;
	readonly channels: ChannelService;
	settings(): Promise<MethodResult<"xworkmate.settings.list">>;
	capabilities(): Promise<Capabilities>;
	resolveRouting(routing: Routing): Promise<ResolvedRouting>;
	/** @throws ContractError PROVIDER_NOT_FOUND */
	testProvider(providerId: ProviderId): Promise<MethodResult<"xworkmate.providers.test">>;
}

/** What is recorded as the author of a decision made through the API, because a request with the token acts for the user. */
const DECIDED_BY = "person";

/** The handler of each method. Every refusal is a ContractError. */
export function createMethodTable({
	runs,
	receipts,
	tools,
	accounts,
	agents,
	edits,
	operators,
	plans,
	channels,
	settings,
	capabilities,
	resolveRouting,
	testProvider,
}: MethodTableOptions): MethodTable {
	const submit = (method: "session.start" | "session.message") => async (params: SubmitParams, reader?: StreamReader) => {
		const afterSeq = resumedSeq(reader) ?? 0;
		const record = await runs.submit(method, params);
		return { shows: "run", record, afterSeq, answer: () => runs.snapshot(record.runId) } as const;
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
		"xworkmate.tasks.input": (ref) => runs.input(ref),
		"xworkmate.tasks.cancel": async (ref) => runs.cancel(await found(ref)),
		"xworkmate.tasks.list": (params) => runs.list(params),
		"xworkmate.tasks.subscribe": async ({ runId, afterSeq = 0 }, reader) => {
			if (reader === undefined) throw new ContractError("STREAM_REQUIRED");
			const after = resumedSeq(reader) ?? afterSeq;
			return { shows: "run", record: await runs.resolve({ runId }), afterSeq: after, answer: () => runs.snapshot(runId) };
		},
		"xworkmate.changes.subscribe": async (params, reader) => {
			const after = resumedCursor(reader) ?? params.after;
			return { shows: "changes", after, answer: () => runs.changes.read(after, limits.listMax) };
		},
		"xworkmate.approvals.list": (params) => runs.listApprovals(params),
		"xworkmate.approvals.decide": ({ approvalId, decision }) => runs.decideApproval(approvalId, decision, DECIDED_BY),
		"xworkmate.approvals.grants": async ({ threadId }) => ({ items: [...(await runs.grants(threadId))] }),
		"xworkmate.approvals.revoke": ({ approvalId }) => runs.revokeGrant(approvalId),
		"xworkmate.approvals.get": ({ approvalId }) => runs.approval(approvalId),
		"xworkmate.receipts.list": (params) => receipts.list(params),
		"xworkmate.receipts.get": (params) => receipts.get(params),
		"xworkmate.receipts.verify": async (params) => ({
			shows: "verification",
			verify: (said, gone) => receipts.verify(params, () => gone, said),
			answer: (whenGone) => receipts.verify(params, whenGone),
		}),
		"xworkmate.activity.get": (params) => receipts.activity(params),
		"xworkmate.tools.list": (params) => tools.list(params),
		"xworkmate.tools.reload": (params) => tools.reload(params),
		"xworkmate.tools.accept": (params) => tools.accept(params),
		"xworkmate.tools.add": (params) => tools.add(params),
		"xworkmate.tools.new": (params) => tools.new(params),
		"xworkmate.tools.sources": (params) => tools.sources(params),
		"xworkmate.tools.policy": (params) => tools.policy(params),
		"xworkmate.auth.list": (params) => accounts.list(params),
		"xworkmate.auth.set": (params) => accounts.set(params),
		"xworkmate.auth.order": (params) => accounts.order(params),
		"xworkmate.auth.remove": (params) => accounts.remove(params),
		"xworkmate.auth.test": (params) => accounts.test(params),
		"xworkmate.agents.list": (params) => agents.list(params),
		"xworkmate.agents.install": (params) => agents.install(params),
		"xworkmate.agents.update": (params) => agents.update(params),
		"xworkmate.agents.cancel": (params) => agents.cancel(params),
		"xworkmate.agents.remove": (params) => agents.remove(params),
		"xworkmate.agents.test": (params) => agents.test(params),
		"xworkmate.agents.check": (params) => agents.check(params),
		"xworkmate.agents.signIn": (params) => agents.signIn(params),
		"xworkmate.agents.terminal": (params) => agents.terminal(params),
		"xworkmate.edits.list": (params) => edits.list(params),
		"xworkmate.edits.diff": (params) => edits.diff(params),
		"xworkmate.edits.apply": (params) => edits.apply(params),
		"xworkmate.edits.discard": (params) => edits.discard(params),
		"xworkmate.edits.commit": (params) => edits.commit(params),
		"xworkmate.operators.list": () => operators.list(),
		"xworkmate.settings.list": () => settings(),
		"xworkmate.plans.create": (params) => plans.create(params),
		"xworkmate.plans.extract": (params) => plans.extract(params),
		"xworkmate.plans.update": (params) => plans.update(params),
		"xworkmate.plans.get": (params) => plans.get(params),
		"xworkmate.plans.list": (params) => plans.list(params),
		"xworkmate.plans.occurrences": (params) => plans.occurrences(params),
		"xworkmate.plans.updates": (params) => plans.updates(params),
		"xworkmate.plans.schedule": (params) => plans.schedule(params),
		"xworkmate.plans.run": (params) => plans.run(params),
		"xworkmate.plans.pause": (params) => plans.pause(params),
		"xworkmate.plans.resume": (params) => plans.resume(params),
		"xworkmate.plans.delete": (params) => plans.delete(params),
		"xworkmate.plans.cancel": (params) => plans.cancel(params),
		"xworkmate.plans.preview": (params) => plans.preview(params),
		"xworkmate.plans.review": (params) => plans.review(params),
		"xworkmate.plans.settle": (params) => plans.settle(params),
		"xworkmate.plans.resend": (params) => plans.resend(params),
		"xworkmate.plans.subscribe": async ({ planId, afterFeedSeq = 0 }, reader) => {
			const after = resumedSeq(reader) ?? afterFeedSeq;
			return { shows: "plans", planId, afterFeedSeq: after, answer: () => plans.page({ planId, afterFeedSeq: after }) };
		},
		"xworkmate.channels.list": (params) => channels["channels.list"](params),
		"xworkmate.channels.configure": (params) => channels["channels.configure"](params),
		"xworkmate.channels.remove": (params) => channels["channels.remove"](params),
		"xworkmate.channels.test": (params) => channels["channels.test"](params),
		"xworkmate.contacts.list": (params) => channels["contacts.list"](params),
		"xworkmate.contacts.put": (params) => channels["contacts.put"](params),
		"xworkmate.contacts.remove": (params) => channels["contacts.remove"](params),
		"xworkmate.inbox.list": (params) => channels["inbox.list"](params),
		"xworkmate.inbox.mark": (params) => channels["inbox.mark"](params),
		"xworkmate.providers.test": ({ providerId }) => testProvider(providerId),
		"xworkmate.threads.delete": (params) => runs.deleteThread(params),
		"xworkmate.threads.folders": (params) => runs.threadFolders(params),
	};
}
