import { type AgentJob, limits, type Operator, type OperatorState, type Plan, type RunStatus } from "@xworkmate/contracts";
import type { StoredThread } from "../../api/app-api.ts";
import { pagesOf } from "../../api/pages-of.ts";

/** The calls of the app's API that show whether the app has work. */
export interface AskedForWork {
	listThreads(of: { readonly archived: boolean }): Promise<readonly Pick<StoredThread, "lifecycleStatus">[]>;
	tasks(of: object): Promise<{ readonly items: readonly { readonly status: RunStatus }[] }>;
	operators(): Promise<{ readonly operators: readonly Pick<Operator, "state">[] }>;
	agents(): Promise<{ readonly agents: readonly { readonly job?: Pick<AgentJob, "state"> | undefined }[] }>;
	listPlans(of: {
		readonly limit: number;
		readonly cursor?: string;
	}): Promise<{ readonly items: readonly PlanToCome[]; readonly nextCursor?: string | undefined }>;
}

type PlanToCome = Pick<Plan, "status" | "nextDueAt" | "occurrence">;

const inTouch: ReadonlySet<OperatorState> = new Set(["connecting", "connected", "slowed", "lost"]);

/**
 * Whether this app or its bridge has anything to do even when no user is present: an active run or a queued message, a plan with a next due
 * time or an occurrence in progress, a connection to Discord, an installation. What cannot be determined counts as work. `ownsBridge`: the
 * bridge ends with the app.
 */
export async function hasWork(api: AskedForWork, ownsBridge: boolean): Promise<boolean> {
	try {
		const threads = await api.listThreads({ archived: false });
		if (threads.some(({ lifecycleStatus }) => lifecycleStatus === "running" || lifecycleStatus === "queued")) return true;
		// The bridge does all other work, and continues it if the bridge does not end with the app.
		if (!ownsBridge) return false;
		const [{ items: tasks }, { operators }, { agents }] = await Promise.all([api.tasks({}), api.operators(), api.agents()]);
		if (tasks.some(({ status }) => status === "running" || status === "queued")) return true;
		if (operators.some(({ state }) => inTouch.has(state))) return true;
		if (agents.some(({ job }) => job?.state === "running")) return true;
		return await hasPlanToCome(api);
	} catch {
		return true;
	}
}

/** Whether a thread's run is active. Also true if that can't be read, because an active run must not be ended by mistake. */
export function hasActiveRun(api: Pick<AskedForWork, "listThreads">): Promise<boolean> {
	return api.listThreads({ archived: false }).then(
		(threads) => threads.some(({ lifecycleStatus }) => lifecycleStatus === "running"),
		() => true,
	);
}

async function hasPlanToCome(api: AskedForWork): Promise<boolean> {
	for await (const page of pagesOf((after) => api.listPlans({ limit: limits.listMax, ...after }))) {
		if (page.items.some(isToCome)) return true;
	}
	return false;
}

/** The next due time of a paused plan does not count, but an occurrence that began before the pause continues. */
function isToCome({ status, nextDueAt, occurrence }: PlanToCome): boolean {
	const isUnderWay = occurrence !== undefined && ["due", "running", "delivering"].includes(occurrence.status);
	return isUnderWay || (nextDueAt !== undefined && status !== "paused" && status !== "deleted");
}
