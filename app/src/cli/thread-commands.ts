import { type ApprovalDecision, type ApprovalId, isTerminal, type ThreadId } from "@xworkmate/contracts";
import type { AppApi } from "../core/app-api.ts";
import type { Thread } from "../threads/thread.ts";
import type { Console } from "./console.ts";
import { byteSize } from "./duration.ts";
import { oneLine, printable } from "./printable.ts";

/** `--json` prints what the core gave, one document. */
export interface Output {
	readonly api: AppApi;
	readonly console: Console;
	readonly json: boolean;
}

function print({ console, json }: Output, value: unknown, lines: readonly string[]): void {
	if (json) console.line(JSON.stringify(value));
	else for (const line of lines) console.line(line);
}

export async function listThreads(output: Output, archived: boolean): Promise<void> {
	const threads = await output.api.listThreads({ archived });
	const lines = threads.map(
		(thread) => `${oneLine(thread.threadId, 60)}  ${thread.updatedAt}  ${threadState(thread)}  ${oneLine(thread.title, 60)}`,
	);
	print(output, threads, lines.length === 0 ? ['No threads yet. Begin one: xworkmate run "..."'] : lines);
}

export async function showThread(output: Output, threadId: ThreadId): Promise<void> {
	const shown = await output.api.showThread(threadId);
	const { thread, prompts, folder } = shown;
	const turns = thread.turns.flatMap((turn) => [
		"",
		`> ${printable(prompts[turn.turnId] ?? "")
			.trimEnd()
			.replaceAll("\n", "\n> ")}`,
		`  ${turn.createdAt}  ${turn.status}${turn.resultCode === undefined ? "" : `  ${turn.resultCode}`}${turn.runId === undefined ? "" : `  ${turn.runId}`}`,
		...(turn.resultDetail?.message === undefined ? [] : [`  ${printable(turn.resultDetail.message)}`]),
		...turn.syncedPaths.map((path) => `  ${oneLine(path, 300)}`),
	]);
	print(output, shown, [oneLine(thread.title), `${threadState(thread)}  ${oneLine(folder, 500)}`, ...turns]);
}

export async function archiveThread(output: Output, threadId: ThreadId): Promise<void> {
	const thread = await output.api.archiveThread(threadId);
	print(output, thread, [`Archived. Back again: xworkmate threads restore ${oneLine(threadId)}`]);
}

export async function restoreThread(output: Output, threadId: ThreadId): Promise<void> {
	print(output, await output.api.restoreThread(threadId), ["Restored."]);
}

export async function deleteThread(output: Output, threadId: ThreadId): Promise<void> {
	const deleted = await output.api.deleteThread(threadId);
	const folder = deleted.folder === undefined ? "" : ` and the folder ${oneLine(deleted.folder, 500)}`;
	print(output, deleted, [`Deleted ${deleted.deletedRuns} runs, ${byteSize(deleted.freedBytes)} of stored files${folder}.`]);
}

export async function listTasks(output: Output, threadId: ThreadId | undefined): Promise<void> {
	const { items } = await output.api.tasks(threadId === undefined ? {} : { threadId });
	const lines = items.map(
		(task) =>
			`${task.runId}  ${task.createdAt}  ${task.status}${task.code === undefined ? "" : `  ${task.code}`}  ${task.provider.providerId}`,
	);
	print(output, items, lines.length === 0 ? ["No tasks yet."] : lines);
}

export async function listApprovals(output: Output): Promise<void> {
	const approvals = await output.api.listApprovals({ state: "pending" });
	const lines = approvals.map(
		(approval) => `${approval.approvalId}  until ${approval.expiresAt}  ${approval.toolKind}  ${oneLine(approval.title)}`,
	);
	print(output, approvals, lines.length === 0 ? ["Nothing waits for you."] : lines);
}

export async function decideApproval(output: Output, approvalId: ApprovalId, decision: ApprovalDecision): Promise<void> {
	const { record, applied } = await output.api.decideApproval(approvalId, decision);
	const stands = record.decision ?? record.state;
	print(output, { record, applied }, [applied ? `Recorded: ${stands}.` : `It was over already; what stands: ${stands}.`]);
}

export async function syncThread(output: Output, threadId: ThreadId): Promise<void> {
	const thread = await output.api.sync(threadId);
	const files = thread.lastTaskArtifactRelativePaths;
	print(output, thread, [
		`${thread.lastArtifactSyncStatus ?? "nothing to sync"}: ${files.length} files`,
		...files.map((path) => `  ${oneLine(path, 300)}`),
	]);
}

function threadState(thread: Thread): string {
	if (thread.lifecycleStatus !== "ready") return thread.lifecycleStatus;
	const last = thread.turns.at(-1);
	if (last === undefined || last.status === "unresolved") return last?.status ?? "ready";
	return last.status !== "refused" && last.status !== "waiting" && last.status !== "sending" && isTerminal(last.status)
		? (thread.lastResultCode ?? "ready")
		: last.status;
}
