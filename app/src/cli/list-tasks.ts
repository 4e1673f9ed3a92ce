import type { ThreadId } from "@xworkmate/contracts";
import type { StoredThread } from "../api/app-api.ts";
import { toFailure } from "../errors/failure.ts";
import { localTime } from "../text/local-time.ts";
import { oneLine } from "../text/printable.ts";
import { turnStateWords } from "../text/state-words.ts";
import { askedRuns, asOfWords, isUnderWay } from "./parts/asked-runs.ts";
import type { Output } from "./parts/output.ts";
import { print } from "./parts/print.ts";
import { originLines } from "./words/origin-lines.ts";

/** As many as the bridge lists at once. */
const LISTED = 50;

/** @throws what the app throws, after printing what it knows of the runs itself when the bridge does not answer */
export async function listTasks(output: Output, threadId: ThreadId | undefined): Promise<void> {
	const { items } = await output.api.tasks(threadId === undefined ? {} : { threadId }).catch(async (error: unknown) => {
		if (!output.json && isAway(error)) await printKnown(output, threadId);
		throw error;
	});
	const at = new Date().toISOString();
	// The bridge may know runs of threads that this app does not have, so "no runs yet" is not printed for an unknown thread.
	if (threadId !== undefined && items.length === 0) await output.api.showThread({ threadId });
	const asked = await askedRuns(
		output,
		items.some(({ status }) => isUnderWay(status)),
	);
	const lines = items.map((task) => {
		const since = asked === undefined && isUnderWay(task.status) ? asOfWords(at) : "";
		const origin = originLines(task.origin?.kind === "app" ? undefined : task.origin).join("");
		return `${task.runId}  ${localTime(task.createdAt, Date.now())}  ${turnStateWords(task.status, task.code, asked?.has(task.runId), task.lacking)}${since}  ${task.provider.providerId}${origin}`;
	});
	print(output, items, lines.length === 0 ? ["No runs yet."] : lines);
}

function isAway(error: unknown): boolean {
	const { code } = toFailure(error);
	return code.startsWith("ACP_HTTP_") || code === "BRIDGE_NOT_RUNNING";
}

/** The runs of the app's threads, newest first. An active one may have ended since its thread was last written. */
async function printKnown({ api, console }: Output, only: ThreadId | undefined): Promise<void> {
	const threads = [...(await api.listThreads({ archived: false })), ...(await api.listThreads({ archived: true }))];
	const runs = threads
		.filter(({ threadId }) => only === undefined || threadId === only)
		.flatMap(runsOf)
		.sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));
	for (const { line } of runs.slice(0, LISTED)) console.line(line);
	if (runs.length > 0) console.note("These are the runs that XWorkmate itself knows of, because the bridge doesn't answer.");
}

function runsOf({ turns, title, updatedAt, asOf = updatedAt }: StoredThread) {
	return turns.flatMap(({ runId, createdAt, status, resultDetail }) => {
		if (runId === undefined) return [];
		const state = `${turnStateWords(status, resultDetail?.code)}${isUnderWay(status) ? asOfWords(asOf) : ""}`;
		return [{ createdAt, line: `${runId}  ${localTime(createdAt, Date.now())}  ${state}  ${oneLine(title, 60)}` }];
	});
}
