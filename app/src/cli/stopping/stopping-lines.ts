import { limits, type Plan, type RunId, type TaskSummary } from "@xworkmate/contracts";
import type { AppApi } from "../../api/app-api.ts";
import { pagesOf } from "../../api/pages-of.ts";
import type { BridgeClient } from "../../bridge-client/index.ts";
import type { RunningApp } from "../../process/app/running-app.ts";
import { findRunningBridge } from "../../process/bridge/adopt-bridge.ts";
import { isOwnBridge } from "../../process/bridge/bridge-files.ts";
import { ASSISTANT } from "../../strings/codes.ts";
import { oneLine } from "../../text/printable.ts";
import { dueWords, localZone } from "../../text/zoned-time.ts";
import { handedOverLines } from "./handed-over-lines.ts";

/** The id of the bridge's agent that runs programs. */
const SCRIPT = "script";

type StoppingApi = Pick<AppApi, "listThreads" | "gatewayQueue" | "listPlans" | "planOccurrences" | "tasks">;

/**
 * What a terminal prints when the app stops. Runs on this computer are interrupted with the app's own bridge, except those that continue
 * from their record at the next start. Runs on a gateway continue there, and queued turns are resumed at the next start. Plans come due only
 * while the bridge runs, so the next one is named, and so are the messages that are being handed over.
 */
export async function stoppingLines(api: StoppingApi, endsBridge: boolean): Promise<readonly string[]> {
	const ofPlans = endsBridge
		? await planLines(
				(params) => api.listPlans(params),
				(params) => api.planOccurrences(params),
			)
		: [];
	return [...(await runLines(api, endsBridge, "Stopping.")), ...ofPlans];
}

/** What a terminal prints before the system stops or restarts the service, whose app is a process of its own. */
export async function stoppingServiceLines({
	api,
	process: { endsBridge = false },
}: Pick<RunningApp, "api" | "process">): Promise<readonly string[]> {
	// An app that does not answer is also stopped.
	return await stoppingLines(api, endsBridge).catch(() => ["Stopping."]);
}

/** What a terminal prints before the app's own bridge is restarted. */
export async function restartingLines(api: StoppingApi): Promise<readonly string[]> {
	const lead = "Restarting the bridge.";
	// The bridge is restarted even if its runs can't be read.
	return await runLines(api, true, lead).catch(() => [lead]);
}

/** The runs on this computer that end with the bridge. */
async function runLines(api: StoppingApi, endsBridge: boolean, lead: string): Promise<readonly string[]> {
	const { active } = await api.gatewayQueue();
	const atGateway = new Set(active.map(({ turnId }) => turnId));
	const isCut = ({ pendingTurnId, turns }: Awaited<ReturnType<AppApi["listThreads"]>>[number]) =>
		turns.some(({ turnId, status }) => turnId === pendingTurnId && status === "running" && !atGateway.has(turnId));
	const cut = endsBridge ? (await api.listThreads({ archived: false })).filter(isCut) : [];
	const runs = cut.length === 0 ? new Map<RunId, TaskSummary>() : await newestRuns(api);
	const runOf = ({ pendingTurnId, turns }: (typeof cut)[number]) => {
		const runId = turns.find(({ turnId }) => turnId === pendingTurnId)?.runId;
		return runId === undefined ? undefined : runs.get(runId);
	};
	return cutLines(
		lead,
		cut.map((thread) => `${oneLine(thread.title, 80)} (${oneLine(thread.threadId, 200)}): ${endOf(runOf(thread))}`),
	);
}

/** What a terminal prints when a bridge whose app died is stopped. Thread titles are left out, because only the app knows them. */
export async function leftBridgeLines(client: Pick<BridgeClient, "call">): Promise<readonly string[]> {
	const lead = "Stopping the bridge, which is still running although its app has ended.";
	try {
		const { items } = await client.call("xworkmate.tasks.list", { status: "running", limit: limits.listMax });
		const cut = items.filter(({ provider }) => provider.target !== "gateway");
		return [
			...cutLines(
				lead,
				cut.map((run) => `Thread ${oneLine(run.threadId, 200)}, run ${run.runId}: ${endOf(run)}`),
			),
			...(await planLines(
				(params) => client.call("xworkmate.plans.list", params),
				(params) => client.call("xworkmate.plans.occurrences", params),
			)),
		];
	} catch {
		// A bridge that does not answer is also stopped.
		return [lead];
	}
}

/**
 * What to print once the app has ended. A bridge that the user started is not ended with it. `bridgeUrl`: the address of a bridge elsewhere
 * that the app used.
 */
export async function stoppedWords(home: string, stopped: string, bridgeUrl?: string): Promise<string> {
	if (bridgeUrl !== undefined) return `${stopped} The bridge at ${bridgeUrl} is not stopped with it, so its runs and plans continue.`;
	const bridge = await findRunningBridge(home);
	if (bridge === undefined || (await isOwnBridge(home, bridge))) return stopped;
	return `The app has stopped. The bridge at ${bridge.url} (process ${bridge.pid}), which was started separately, is still running.`;
}

function cutLines(lead: string, cut: readonly string[]): readonly string[] {
	if (cut.length === 0) return [lead];
	const what = cut.length === 1 ? "1 run on this computer is" : `${cut.length} runs on this computer are`;
	return [`${lead} ${what} in progress:`, ...cut.map((run) => `  ${run}`)];
}

/**
 * What stopping means for a run, by its agent: runs of the assistant and of programs can be run again from their record, unless they were
 * asked to stop. Any other run is interrupted, unless its agent has just ended. A plan restarts work that has changed nothing.
 */
function endOf(run: Pick<TaskSummary, "provider" | "origin" | "cancelRequestedAt"> | undefined): string {
	const providerId = run?.provider.providerId;
	if (providerId === undefined) return "will be interrupted, unless it ends first or can continue the next time the bridge starts";
	if (run?.cancelRequestedAt !== undefined) return "was asked to stop, so it will end";
	if (providerId === ASSISTANT) return "continues the next time the bridge starts";
	if (providerId === SCRIPT) return "continues the next time the bridge starts if it has called a typed tool, and is interrupted otherwise";
	return run?.origin?.kind === "plan"
		? "will be interrupted, unless it ends first, and may be started again the next time the bridge starts"
		: "will be interrupted, unless it ends first";
}

/** The newest runs. None if they can't be read, because the bridge is stopped in any case. */
async function newestRuns(api: Pick<AppApi, "tasks">): Promise<ReadonlyMap<RunId, TaskSummary>> {
	const { items } = await api.tasks({ limit: limits.listMax }).catch(() => ({ items: [] }));
	return new Map(items.map((run) => [run.runId, run]));
}

/** The messages that are being handed over, and the plan that is due next. */
async function planLines(list: AppApi["listPlans"], read: AppApi["planOccurrences"]): Promise<readonly string[]> {
	const plans = (await plansOf(list)).filter(({ status }) => status !== "deleted");
	const deleted = await plansOf(list, "deleted");
	return [...(await handedOverLines([...plans, ...deleted], read)), ...nextPlan(plans)];
}

/**
 * Every plan that has not been deleted, or only the deleted ones. None if the list can't be read, because the bridge is stopped in any
 * case.
 */
async function plansOf(list: AppApi["listPlans"], status?: "deleted"): Promise<readonly Plan[]> {
	const plans: Plan[] = [];
	try {
		const query = { ...(status && { status }), limit: limits.listMax };
		for await (const page of pagesOf((after) => list({ ...query, ...after }))) plans.push(...page.items);
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
