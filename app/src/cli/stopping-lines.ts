import { limits, type Plan } from "@xworkmate/contracts";
import type { AppApi } from "../api/app-api.ts";
import type { BridgeClient } from "../bridge-client/index.ts";
import { oneLine } from "../text/printable.ts";
import { dueWords, localZone } from "../text/zoned-time.ts";
import { handedOverLines } from "./plans/handed-over-lines.ts";

/**
 * What a terminal prints when the app stops. Runs on this computer are interrupted with the app's own bridge, except those that continue
 * from their record at the next start. Runs on a gateway continue there, and queued turns are resumed at the next start. Plans come due only
 * while the bridge runs, so the next one is named, and so are the messages that are being handed over.
 */
export async function stoppingLines(
	api: Pick<AppApi, "listThreads" | "gatewayQueue" | "listPlans" | "planOccurrences">,
	endsBridge: boolean,
): Promise<readonly string[]> {
	const { active } = await api.gatewayQueue();
	const atGateway = new Set(active.map(({ turnId }) => turnId));
	const isCut = ({ pendingTurnId, turns }: Awaited<ReturnType<AppApi["listThreads"]>>[number]) =>
		turns.some(({ turnId, status }) => turnId === pendingTurnId && status === "running" && !atGateway.has(turnId));
	const cut = endsBridge ? (await api.listThreads({ archived: false })).filter(isCut) : [];
	const plans = endsBridge ? await plansOf((params) => api.listPlans(params)) : [];
	return [
		...cutLines(
			"Stopping.",
			cut.map(({ title, threadId }) => `${oneLine(title, 80)} (${oneLine(threadId, 200)})`),
		),
		...(await handedOverLines(plans, (params) => api.planOccurrences(params))),
		...nextPlan(plans),
	];
}

/** The same for a bridge whose app died. Only the app knows the threads' titles. */
export async function leftBridgeLines(client: Pick<BridgeClient, "call">): Promise<readonly string[]> {
	const lead = "Stopping the bridge, which is still running although its app has ended.";
	try {
		const { items } = await client.call("xworkmate.tasks.list", { status: "running", limit: limits.listMax });
		const cut = items.filter(({ provider }) => provider.target !== "gateway");
		const plans = await plansOf((params) => client.call("xworkmate.plans.list", params));
		return [
			...cutLines(
				lead,
				cut.map(({ threadId, runId }) => `Thread ${oneLine(threadId, 200)}, run ${runId}`),
			),
			...(await handedOverLines(plans, (params) => client.call("xworkmate.plans.occurrences", params))),
			...nextPlan(plans),
		];
	} catch {
		// A bridge that does not answer is stopped as well.
		return [lead];
	}
}

function cutLines(lead: string, cut: readonly string[]): readonly string[] {
	if (cut.length === 0) return [lead];
	const what = cut.length === 1 ? "1 run on this computer" : `${cut.length} runs on this computer`;
	return [
		`${lead} ${what} will be interrupted (those of the assistant and of programs that called typed tools continue at the next start):`,
		...cut.map((run) => `  ${run}`),
	];
}

/** Every plan that has not been deleted. None if the list can't be read, because the bridge is stopped all the same. */
async function plansOf(list: AppApi["listPlans"]): Promise<readonly Plan[]> {
	const plans: Plan[] = [];
	try {
		for (let cursor: string | undefined, isLast = false; !isLast; isLast = cursor === undefined) {
			const page = await list(cursor === undefined ? {} : { cursor });
			plans.push(...page.items);
			cursor = page.nextCursor;
		}
	} catch {
		return [];
	}
	return plans;
}

/** The plan that is due next, which will not run while the bridge is stopped. */
function nextPlan(plans: readonly Plan[]): readonly string[] {
	const [next] = plans
		.flatMap(({ planId, title, status, nextDueAt }) =>
			nextDueAt === undefined || status === "paused" ? [] : [{ planId, title, at: Date.parse(nextDueAt) }],
		)
		.toSorted((one, other) => one.at - other.at);
	if (next === undefined) return [];
	const due = dueWords(next.at, Date.now(), localZone());
	return [`Plans don't run while XWorkmate is stopped. Next due: ${oneLine(next.title, 80)} (${next.planId}), ${due}`];
}
