import { limits, omitUndefined, type RunId, type TaskSummary, type ThreadId } from "@xworkmate/contracts";
import { LISTED_RUNS, type StoredThread } from "../../api/app-api.ts";
import { toFailure } from "../../errors/failure.ts";
import { turnWords } from "../../strings/runs/turn-words.ts";
import { withUnpermitted } from "../../text/calls/unpermitted-words.ts";
import { commandLine } from "../../text/command-line.ts";
import { localTime } from "../../text/local-time.ts";
import { oneLine } from "../../text/printable.ts";
import { withFailedCommands } from "../../text/runs/failed-commands.ts";
import { turnStateWords } from "../../text/runs/state-words.ts";
import { stopAskedWords } from "../../text/runs/stop-asked-words.ts";
import type { KnownRun, KnownRuns } from "../../threads/domain/known-run.ts";
import type { Turn } from "../../threads/domain/thread.ts";
import { type AskedRuns, askedRuns, asOfWords, isUnderWay } from "../parts/asked-runs.ts";
import { orUnknown } from "../parts/or-unknown.ts";
import type { Output } from "../parts/output.ts";
import { print } from "../parts/print.ts";
import { originLines } from "../words/runs/origin-lines.ts";

export interface TaskFilter {
	readonly thread?: ThreadId;
	readonly limit?: number;
}

/** @throws what the app throws; if the bridge does not answer, the runs that the app knows about are printed first, except with `--json` */
export async function listTasks(output: Output, { thread: threadId, limit = limits.listDefault }: TaskFilter): Promise<void> {
	const { items, nextCursor } = await pagesOf(output.api, threadId, limit).catch(async (error: unknown) => {
		if (!output.json && isAway(error)) await printKnown(output, threadId, limit);
		throw error;
	});
	const at = new Date().toISOString();
	// Throws for a thread that the app does not know, instead of printing "No runs yet." This is checked only if there are no runs, because
	// the bridge may have runs of such a thread.
	if (threadId !== undefined && items.length === 0) await output.api.showThread({ threadId });
	const asked = await askedRuns(
		output,
		items.some(({ status }) => isUnderWay(status)),
	);
	const stops = await stopsOf(output, items);
	const known = output.json ? new Map<RunId, KnownRun>() : await knownOf(output, items, threadId);
	const lines = items.map((task) => {
		const since = asked === undefined && isUnderWay(task.status) ? asOfWords(at) : "";
		const origin = originLines(task.origin?.kind === "app" ? undefined : task.origin).join("");
		return `${task.runId}  ${localTime(task.createdAt, Date.now())}  ${stops.get(task.runId) ?? `${stateOfTask(task, known.get(task.runId), asked)}${since}`}  ${task.provider.providerId}${origin}`;
	});
	const more = nextCursor === undefined ? [] : [moreWords(limit, threadId)];
	print(output, items, lines.length === 0 ? ["No runs yet."] : [...lines, ...more]);
}

/** The words for the active runs that were asked to stop, according to the bridge's list or only to the app's record. */
async function stopsOf({ api }: Output, tasks: readonly TaskSummary[]): Promise<ReadonlyMap<RunId, string>> {
	const active = new Set(tasks.filter(({ status }) => isUnderWay(status)).map(({ runId }) => runId));
	if (active.size === 0) return new Map();
	const runs = (await api.listThreads({ archived: false })).flatMap(runsOf);
	const asked = [...runs.filter(({ runId }) => active.has(runId)).map(({ runId, turn }) => ({ ...turn, runId })), ...tasks];
	return new Map(
		asked.flatMap((run) => {
			const words = stopAskedWords(run, Date.now());
			return words === undefined ? [] : [[run.runId, words] as const];
		}),
	);
}

/** What the app knows of runs that have ended: whether all files were saved, and what a bridge of an earlier version did not tell. */
async function knownOf(
	output: Output,
	tasks: readonly TaskSummary[],
	threadId: ThreadId | undefined,
): Promise<ReadonlyMap<RunId, KnownRun>> {
	if (tasks.every(({ status }) => isUnderWay(status))) return new Map();
	const { runs } = await knownRuns(output, threadId, tasks.length);
	return new Map(runs.map((run) => [run.runId, run]));
}

function stateOfTask(task: TaskSummary, known: KnownRun | undefined, asked: AskedRuns): string {
	const unpermitted = task.unpermitted ?? known?.unpermitted;
	return stateOf({ ...task, unpermitted }, known !== undefined && isUnsaved(known), asked?.has(task.runId));
}

function isUnsaved({ status, syncStatus }: KnownRun): boolean {
	return status === "completed" && syncStatus === "partial";
}

/** What the words for a run's state depend on. */
type JudgedRun = Pick<TaskSummary, "lacking" | "failedCommands" | "unpermitted"> & {
	readonly status: Turn["status"];
	readonly code?: string | undefined;
};

/** The state of a run, in the words that the list of threads uses. `unsaved`: true if not all of its files were saved. */
function stateOf({ status, code, lacking, failedCommands, unpermitted }: JudgedRun, unsaved: boolean, isAsked = false): string {
	const told = turnStateWords(status, code, isAsked, lacking, unpermitted);
	const ended = status === "completed" ? withFailedCommands(told, failedCommands) : told;
	return withUnpermitted(unsaved ? turnWords.not_saved : ended, unpermitted);
}

/** The newest runs, read page by page in the bridge's order. */
async function pagesOf(api: Output["api"], threadId: ThreadId | undefined, limit: number): ReturnType<Output["api"]["tasks"]> {
	const items: Awaited<ReturnType<Output["api"]["tasks"]>>["items"] = [];
	let cursor: string | undefined;
	do {
		const page = await api.tasks({ ...omitUndefined({ threadId, cursor }), limit: Math.min(limits.listMax, limit - items.length) });
		items.push(...page.items);
		cursor = page.nextCursor;
	} while (cursor !== undefined && items.length < limit);
	return { items, ...omitUndefined({ nextCursor: cursor }) };
}

function runsOf({ turns }: StoredThread): readonly { readonly runId: RunId; readonly turn: Turn }[] {
	return turns.flatMap((turn) => (turn.runId === undefined ? [] : [{ runId: turn.runId, turn }]));
}

/** A hint on how to list the runs that were left out. */
function moreWords(listed: number, threadId: ThreadId | undefined): string {
	const of = threadId === undefined ? "" : ` --thread ${oneLine(threadId, 200)}`;
	const next = Math.min(LISTED_RUNS, Math.max(limits.listDefault, listed * 4));
	if (listed < LISTED_RUNS) return `There are more: ${commandLine(`tasks${of} --limit ${next}`)}`;
	if (threadId !== undefined) return `The thread has older runs too, but a list contains at most ${LISTED_RUNS.toLocaleString("en")}.`;
	return `There are more. List those of one thread: ${commandLine("tasks --thread THREAD")}`;
}

function isAway(error: unknown): boolean {
	const { code } = toFailure(error);
	return code.startsWith("ACP_HTTP_") || code === "BRIDGE_NOT_RUNNING";
}

/** Prints the runs of the app's threads, newest first. A run that is shown as active may have ended since its thread was last written. */
async function printKnown(output: Output, threadId: ThreadId | undefined, limit: number): Promise<void> {
	const { console } = output;
	const { runs, more } = await knownRuns(output, threadId, limit);
	for (const run of runs) console.line(knownLine(run));
	if (more) console.line(moreWords(limit, threadId));
	if (runs.length > 0) console.note("The bridge's list of runs can't be read, so these are only the runs that the app knows of.");
}

async function knownRuns({ api }: Output, threadId: ThreadId | undefined, limit: number): Promise<KnownRuns> {
	// An app that was started by an earlier version does not list its runs.
	const none = { runs: [], more: false };
	return await orUnknown(api.knownRuns({ ...omitUndefined({ threadId }), limit }), "NOT_FOUND", () => none);
}

function knownLine(run: KnownRun): string {
	const { runId, title, asOf, createdAt, status, resultDetail } = run;
	const state = stateOf({ ...run, code: resultDetail?.code }, isUnsaved(run));
	const since = isUnderWay(status) ? asOfWords(asOf) : "";
	return `${runId}  ${localTime(createdAt, Date.now())}  ${stopAskedWords(run, Date.now()) ?? `${state}${since}`}  ${oneLine(title, 60)}`;
}
