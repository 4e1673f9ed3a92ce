import { limits, type Occurrence, type OccurrenceId, type Plan } from "@xworkmate/contracts";
import type { AppApi } from "../../api/app-api.ts";
import { plansPageWords } from "../../strings/plans/plans-page-words.ts";
import { commandLine } from "../../text/command-line.ts";
import { isCutShort } from "../../text/plans/is-cut-short.ts";
import { type ActiveRun, type RunsNow, runStateOf } from "../../text/plans/plan-runs.ts";
import { oneLine } from "../../text/printable.ts";
import { askedRuns, isUnderWay } from "../parts/asked-runs.ts";
import type { Output } from "../parts/output.ts";

/** What is known about the runs of these plans and occurrences beyond what their own records contain. */
export async function runsNow(output: Output, plans: readonly Plan[], occurrences: readonly Occurrence[] = []): Promise<RunsNow> {
	const asked = await askedRuns(
		output,
		plans.some(({ status }) => status === "running" || status === "paused"),
	);
	const ofPlans = plans.filter(({ occurrence }) => occurrence !== undefined && mayBeAtWork(occurrence)).map(({ threadId }) => threadId);
	const active = await activeRuns(output.api, [...ofPlans, ...occurrences.filter(mayBeAtWork).flatMap(threadOf)]);
	return { active, asked: asked ?? new Set() };
}

/**
 * The occurrences whose work was cancelled, but whose last run has not ended yet. None if the bridge does not answer, because the state of
 * the runs is unknown in that case.
 */
export async function stillRunning(api: Pick<AppApi, "tasks">, occurrences: readonly Occurrence[]): Promise<ReadonlySet<OccurrenceId>> {
	const cut = occurrences.filter(isCutShort);
	const now = { active: await activeRuns(api, cut.flatMap(threadOf)), asked: new Set<undefined>() };
	return new Set(cut.filter((one) => runStateOf(one, now) === "stopping").map(({ occurrenceId }) => occurrenceId));
}

/** The line to print about an occurrence whose cancelled work is still running. */
export function stillRunningLine({ runs }: Pick<Occurrence, "runs">): string {
	const threadId = runs.at(-1)?.threadId ?? "";
	return `${plansPageWords.stillRunning} See whether it has stopped: ${commandLine(`tasks --thread ${oneLine(threadId, 200)}`)}`;
}

/** The line to print about an occurrence whose run is waiting for an answer from the user. */
export function askingLine(): string {
	return `${plansPageWords.agentAsks}. See the request: ${commandLine("approvals list")}`;
}

/**
 * False if an occurrence shows that neither its own run nor an earlier one of its plan is active: the runs of a plan's thread follow one
 * another, so if the occurrence's run has ended, all earlier runs have too.
 */
function mayBeAtWork({ status, kind, runs }: Occurrence): boolean {
	const run = runs.at(-1);
	if (kind === "resend") return true;
	return run === undefined ? status !== "completed" && status !== "delivering" : run.status === undefined;
}

/** The active runs in these threads; none if the bridge does not answer. */
async function activeRuns(api: Pick<AppApi, "tasks">, threads: readonly Plan["threadId"][]): Promise<readonly ActiveRun[]> {
	const [threadId, ...others] = new Set(threads);
	if (threadId === undefined) return [];
	try {
		const { items } = await api.tasks({ ...(others.length === 0 && { threadId }), limit: limits.listMax });
		return items
			.filter(({ status }) => isUnderWay(status))
			.map((run) => ({
				...{ threadId: run.threadId, turnId: run.turnId, runId: run.runId },
				isAskedToStop: run.cancelRequestedAt !== undefined,
				isQueued: run.status === "queued",
			}));
	} catch {
		return [];
	}
}

function threadOf({ runs }: Occurrence): readonly Plan["threadId"][] {
	return runs.slice(-1).map(({ threadId }) => threadId);
}
