import { existsSync } from "node:fs";
import { type ApprovalDecision, type ApprovalId, ContractError, type ThreadId } from "@xworkmate/contracts";
import { LISTED_THREADS } from "../../api/app-api.ts";
import type { RunFiles } from "../../api/ui-api.ts";
import { activityWords } from "../../strings/calls/call-words.ts";
import { fileWords } from "../../strings/runs/states.ts";
import { commandLine } from "../../text/command-line.ts";
import { syncLine } from "../../text/files/sync-line.ts";
import { formatBytes } from "../../text/format-measure.ts";
import { localTime } from "../../text/local-time.ts";
import { oneLine, pathLine, printable } from "../../text/printable.ts";
import { failedCommandLines } from "../../text/runs/failed-commands.ts";
import { threadStateWords, turnStateWords } from "../../text/runs/state-words.ts";
import { stopAskedWords } from "../../text/runs/stop-asked-words.ts";
import { stoppedTitle } from "../../text/runs/stopped-title.ts";
import { isSettled, type Thread, type Turn } from "../../threads/domain/thread.ts";
import { askedRuns, asOf, asOfWords, isUnderWay } from "../parts/asked-runs.ts";
import { orUnknown } from "../parts/or-unknown.ts";
import type { Output } from "../parts/output.ts";
import { print } from "../parts/print.ts";
import { type ExitCode, exitCode } from "../words/exit-code.ts";
import { wholeRequestLines } from "../words/requests/call-lines.ts";
import { decisionWords, unappliedWords } from "../words/requests/decision-words.ts";
import { grantLines } from "../words/requests/grant-words.ts";
import { requestLines } from "../words/requests/request-lines.ts";
import { answerLines, soFarLines } from "../words/runs/answer-lines.ts";
import { lateStopLine } from "../words/runs/describe-end.ts";
import { describeQueue } from "../words/runs/describe-queue.ts";
import { editsLines } from "../words/runs/edits-lines.ts";
import { groundingLines } from "../words/runs/grounding-lines.ts";
import { originLines } from "../words/runs/origin-lines.ts";
import { queueLines, queueMark } from "../words/runs/queue-lines.ts";
import { rejectedLines } from "../words/runs/rejected-lines.ts";
import { undeliveredLines } from "../words/runs/undelivered-lines.ts";
import { unpermittedLines } from "../words/runs/unpermitted-lines.ts";

export async function listThreads(output: Output, archived: boolean): Promise<void> {
	const threads = await output.api.listThreads({ archived });
	const { waiting } = await output.api.gatewayQueue();
	const asked = await askedRuns(
		output,
		threads.some(({ turns }) => isUnderWay(turns.at(-1)?.status)),
	);
	const positions = new Map(waiting.map(({ threadId }, index) => [threadId, ` ${index + 1} of ${waiting.length}`]));
	const lines = threads.map((thread) => {
		const state = `${threadStateWords(thread, asked?.has(thread.turns.at(-1)?.runId))}${positions.get(thread.threadId) ?? ""}${asOfWords(asOf(thread, thread.asOf, asked))}`;
		const marks = [...(thread.pinnedAt === undefined ? [] : ["pinned"]), ...(thread.tags ?? []).map((tag) => `#${oneLine(tag, 40)}`)];
		const cells = [oneLine(thread.threadId, 60), localTime(thread.updatedAt, Date.now()), state, oneLine(thread.title, 60)];
		return [...cells, ...queueMark(thread), ...marks].join("  ");
	});
	const others = threads.length < LISTED_THREADS ? [] : [`A list contains at most ${LISTED_THREADS} threads, so there may be older ones.`];
	print(output, threads, lines.length === 0 ? [archived ? "No archived threads." : await noneWords(output)] : [...lines, ...others]);
}

/** The message to print if every thread is archived, or there are no threads. */
async function noneWords({ api }: Output): Promise<string> {
	const { length } = await api.listThreads({ archived: true });
	if (length === 0) return `No threads yet. Start one: ${commandLine('run "..."')}`;
	const list = commandLine("threads list --archived");
	if (length === 1) return `1 thread is archived. List it: ${list}`;
	return `${length}${length < LISTED_THREADS ? "" : " or more"} threads are archived. List them: ${list}`;
}

export async function pinThread(output: Output, threadId: ThreadId, pinned: boolean): Promise<void> {
	const marks = await output.api.markThread({ threadId, pinned });
	print(output, marks, [pinned ? "Pinned." : "Unpinned."]);
}

export async function tagThread(output: Output, threadId: ThreadId, tags: readonly string[]): Promise<void> {
	const marks = await output.api.markThread({ threadId, tags: [...tags] });
	print(output, marks, [
		marks.tags === undefined ? "The thread has no tags." : `Tags: ${marks.tags.map((tag) => oneLine(tag)).join(", ")}`,
	]);
}

export async function showThread(output: Output, threadId: ThreadId): Promise<void> {
	const shown = await output.api.showThread({ threadId });
	const {
		thread,
		prompts,
		answers,
		collected,
		groundings = {},
		lacking = {},
		failedCommands = {},
		unpermitted = {},
		origins = {},
		folder,
		gatewayQueue,
	} = shown;
	const last = thread.turns.at(-1)?.turnId;
	const asked = await askedRuns(output, isUnderWay(thread.turns.at(-1)?.status));
	const since = asOfWords(asOf(thread, shown.asOf, asked));
	const { runs } = await output.api.listFiles({ threadId });
	const stateOf = (turn: Turn) =>
		turn.status === "cancelled" && turn.stoppedAfterMs !== undefined
			? stoppedTitle(turn)
			: (stopAskedWords(turn, Date.now()) ??
				turnStateWords(turn.status, turn.resultDetail?.code, asked?.has(turn.runId), lacking[turn.turnId], unpermitted[turn.turnId]));
	const runOf = ({ turnId }: Turn) => runs.find((run) => run.turnId === turnId);
	const turns = thread.turns.flatMap((turn) => [
		"",
		...originLines(origins[turn.turnId]),
		`> ${printable(prompts[turn.turnId] ?? "")
			.trimEnd()
			.replaceAll("\n", "\n> ")}`,
		`  ${localTime(turn.createdAt, Date.now())}  ${stateOf(turn)}${turn.turnId === thread.pendingTurnId ? since : ""}${turn.runId === undefined ? "" : `  ${turn.runId}`}`,
		...(turn.resultDetail?.message === undefined ? [] : [`  ${printable(turn.resultDetail.message).replaceAll("\n", "\n  ")}`]),
		...answerLines(answers[turn.turnId], threadId, origins[turn.turnId]?.kind === "plan"),
		...soFarLines(shown.soFar?.[turn.turnId], threadId),
		...failedCommandLines(failedCommands[turn.turnId] ?? []).map((line) => `  ${printable(line)}`),
		...unpermittedLines(turn.status, unpermitted[turn.turnId], shown.swapped?.[turn.turnId]),
		...leftOpenOf(turn, shown.leftOpen?.[turn.turnId]),
		...groundingLines(groundings[turn.turnId], answers[turn.turnId], false).map((line) => `  ${line}`),
		...(shown.contradicted?.[turn.turnId] === true && turn.status === "completed" ? [`  ${activityWords.untrue}`] : []),
		...(shown.contradictedCalls?.[turn.turnId] ?? []).map((line) => `  ${printable(line)}`),
		...editsLines(shown.edits?.[turn.turnId]),
		...(turn.syncedPaths.length > 0 && turn.syncStatus === "partial" ? ["  Saved:"] : []),
		...savedLines(turn.syncedPaths, runOf(turn)),
		...(collected && isSettled(turn.status) && turn.syncStatus !== "syncing" && turn.syncedPaths.length === 0
			? undeliveredLines(turn.status, collected[turn.turnId] ?? 0, runOf(turn)?.rejectedCount ?? 0)
			: []),
		...lateStopLine(turn),
		...rejectedOf(runOf(turn)),
	]);
	const queue = queueLines(shown);
	const newest =
		last === undefined ? {} : { lacking: lacking[last], failedCommands: failedCommands[last]?.length, unpermitted: unpermitted[last] };
	const place = gatewayQueue === undefined ? [] : [describeQueue(gatewayQueue)];
	print(output, { ...shown, files: runs }, [
		oneLine(thread.title),
		`${threadStateWords({ ...thread, ...newest }, asked?.has(thread.turns.at(-1)?.runId))}${since}  ${oneLine(folder, 500)}`,
		...place,
		...turns,
		...(queue.length === 0 ? [] : ["", ...queue]),
	]);
}

/** The allowed calls without a result. The steps of a stopped run say that it was stopped. */
function leftOpenOf({ status }: Turn, lines: readonly string[] = []): readonly string[] {
	return isSettled(status) && status !== "cancelled" ? lines.map((line) => `  ${printable(line)}`) : [];
}

/** A run's saved files. A file that is not in the folder as it was delivered is followed by the page's word for its state. */
function savedLines(paths: readonly string[], run: RunFiles | undefined): readonly string[] {
	const states = new Map(run?.files.map(({ relativePath, state }) => [relativePath, state]));
	return paths.map((path) => {
		const state = states.get(path);
		return `  ${pathLine(path)}${state === undefined || state === "checked" ? "" : ` (${fileWords[state].word})`}`;
	});
}

function rejectedOf(run: RunFiles | undefined): readonly string[] {
	return run === undefined ? [] : rejectedLines(run.rejected, run.rejectedCount);
}

/**
 * Opens the thread's folder and prints its path, because the user may not see a file browser that was started. Without `open`, only prints
 * the path. A machine without a file browser is not an error, because the printed path can be used. A folder to be opened that doesn't
 * exist is one.
 */
export async function openFolder({ api, console }: Output, threadId: ThreadId, open?: (path: string) => Promise<void>): Promise<ExitCode> {
	const { folder, thread } = await api.showThread({ threadId });
	console.line(folder);
	if (!existsSync(folder)) {
		console.note(noFolderWords(thread));
		return open === undefined ? exitCode.success : exitCode.beforeRun;
	}
	await open?.(folder).catch(() => console.note("Couldn't open the folder here. Open it yourself."));
	return exitCode.success;
}

function noFolderWords(thread: Thread): string {
	if (thread.turns.every(({ syncedPaths }) => syncedPaths.length === 0)) {
		return "The folder does not exist yet. It is created when a run saves files in it.";
	}
	return `The folder was deleted or moved. Download the files that the bridge still has: ${syncLine(thread)}`;
}

export async function archiveThread(output: Output, threadId: ThreadId): Promise<void> {
	const was = await isArchived(output, threadId);
	const thread = await output.api.archiveThread({ threadId });
	const done = was ? "The thread was already archived." : "Archived.";
	print(output, thread, [`${done} Restore it: ${commandLine(`threads restore ${oneLine(threadId)}`)}`]);
}

export async function restoreThread(output: Output, threadId: ThreadId): Promise<void> {
	const was = await isArchived(output, threadId);
	print(output, await output.api.restoreThread({ threadId }), [was ? "Restored." : "The thread was not archived."]);
}

async function isArchived({ api }: Output, threadId: ThreadId): Promise<boolean> {
	return (await api.showThread({ threadId })).thread.lifecycleStatus === "archived";
}

export async function deleteThread(output: Output, threadId: ThreadId): Promise<void> {
	const deleted = await output.api.deleteThread({ threadId });
	const runs = `${deleted.deletedRuns} ${deleted.deletedRuns === 1 ? "run" : "runs"}`;
	const folder = deleted.folder === undefined ? "" : ` and the folder ${oneLine(deleted.folder, 500)}`;
	const { keptBranch } = deleted;
	print(output, deleted, [
		`Deleted ${runs}${folder === "" ? " and" : ","} ${formatBytes(deleted.freedBytes)} of stored files${folder}.`,
		...(keptBranch === undefined ? [] : [`Its changes are on the branch ${oneLine(keptBranch, 500)}, which is kept.`]),
	]);
}

export async function listApprovals(output: Output): Promise<void> {
	const approvals = await output.api.listApprovals({ state: "pending" });
	const lines = approvals.flatMap(requestLines);
	const answers = [...(approvals.some(({ options }) => options.includes("allow_once")) ? ["allow"] : []), "deny"];
	const answer = [
		"",
		`Read one in full: ${commandLine("approvals show <id>")}`,
		...answers.map((one, index) => `${index === 0 ? "Answer one" : "        or"}: ${commandLine(`approvals ${one} <id>`)}`),
	];
	print(output, approvals, lines.length === 0 ? ["No requests are waiting for you."] : [...lines, ...answer]);
}

/** Prints a request with its whole input, to be read before it is answered. */
export async function showApproval(output: Output, approvalId: ApprovalId): Promise<void> {
	const { record, input } = await orUnknown(output.api.approvalInput({ approvalId }), "NOT_FOUND", () => {
		throw noRequest(approvalId);
	});
	print(output, { record, ...(input !== undefined && { input }) }, wholeRequestLines(record, input));
}

function noRequest(approvalId: ApprovalId): ContractError {
	const fix = `List the requests that are waiting: ${commandLine("approvals list")}`;
	return new ContractError("NOT_FOUND", { detail: `There is no request ${oneLine(approvalId, 200)}.`, fix });
}

export async function listGrants(output: Output): Promise<void> {
	const grants = await output.api.listGrants();
	print(output, grants, grants.length === 0 ? ["No permissions are active."] : grants.flatMap(grantLines));
}

export async function revokeGrant(output: Output, approvalId: ApprovalId): Promise<ExitCode> {
	const fix = `List the permissions: ${commandLine("grants list")}`;
	const revoked = orUnknown(output.api.revokeGrant({ approvalId }), "NOT_FOUND", () => {
		throw new ContractError("NOT_FOUND", { detail: `There is no permission ${oneLine(approvalId, 200)}.`, fix });
	});
	// If an id does not belong to a permission, the bridge's refusal does not say what it belongs to, so the record is read.
	const { record, applied } = await orUnknown(revoked, "INVALID_PARAMS", async () => ({
		record: (await output.api.approvalInput({ approvalId })).record,
		applied: false,
	}));
	const isOff = applied || record.revokedAt !== undefined;
	const none =
		record.state === "pending"
			? `This request is still waiting for your answer. Deny it: ${commandLine(`approvals deny ${oneLine(approvalId, 200)}`)}`
			: `This request did not create a permission. ${fix}`;
	const words = applied ? "Permission revoked." : isOff ? "The permission had already been revoked." : none;
	print(output, { record, applied }, [words]);
	return isOff ? exitCode.success : exitCode.beforeRun;
}

export async function decideApproval(output: Output, approvalId: ApprovalId, decision: ApprovalDecision): Promise<ExitCode> {
	const { record, applied } = await orUnknown(output.api.decideApproval({ approvalId, decision }), "NOT_FOUND", () => {
		throw noRequest(approvalId);
	});
	print(output, { record, applied }, [applied ? `Answered: ${decisionWords(record)}.` : unappliedWords(record)]);
	// An expired request is denied.
	const outcome = record.state === "expired" ? "deny" : record.decision;
	return outcome === decision ? exitCode.success : exitCode.beforeRun;
}
