import type { ProgressStage, RunStatus, SessionUpdate, Update } from "@xworkmate/contracts";
import { oneLine, printable } from "../cli/printable.ts";
import type { Hop, RunLogEntry } from "../core/ui-api.ts";
import type { TurnRecord } from "../threads/index.ts";

const TEXT_LENGTH = 300;
/** A long run has thousands of lines. */
const WHOLE_LENGTH = 2_000;
const PROBLEM_LENGTH = 16_000;

/** The lines of a run's log, in the order in which they happened: what the app did, and every update of the bridge. */
export function runLogEntries(
	record: TurnRecord,
	updates: readonly SessionUpdate[],
	hide: (text: string) => string,
): readonly RunLogEntry[] {
	const runtime: Hop = record.request.routing.executionTarget === "gateway" ? "openclaw" : "agent";
	const happened = withCancel(
		record,
		updates.map((update) => updateEntry(update, runtime)),
	);
	const entries = [...beforeRun(record, updates[0]), ...happened, ...afterRun(record)];
	// Hidden before the line is cut, or the first half of a secret would stay; and after what cannot be seen is gone from between its letters.
	return entries.map((entry) => ({ ...entry, ...textsOf(hide(printable(entry.text)), entry.problem === true) }));
}

/** The line, and the whole where more is to be read: why a run failed is often in its last lines. */
function textsOf(said: string, isProblem: boolean): Pick<RunLogEntry, "text" | "whole"> {
	const text = oneLine(said, TEXT_LENGTH);
	const isCut = text !== oneLine(said, Number.POSITIVE_INFINITY);
	if (!isCut && !(isProblem && said.trim().includes("\n"))) return { text };
	return {
		text,
		whole: printable(said)
			.trim()
			.slice(0, isProblem ? PROBLEM_LENGTH : WHOLE_LENGTH),
	};
}

/** What the app wrote, and that the bridge took it, which its first update shows. */
function beforeRun({ turn, request }: TurnRecord, first: SessionUpdate | undefined): readonly RunLogEntry[] {
	const { executionTarget, providerId } = request.routing;
	const to = `${executionTarget}${providerId === undefined ? "" : ` ${providerId}`}`;
	const written = {
		at: turn.createdAt,
		from: "app",
		to: "app",
		what: "written",
		text: `message written on this machine, for ${to}`,
	} as const;
	if (first === undefined || turn.runId === undefined) return [written];
	return [written, { at: first.at, from: "app", to: "bridge", what: "accepted", text: `taken as ${turn.runId}` }];
}

/** The cancel stands where it was asked for, by the clock of this machine. */
function withCancel({ turn }: TurnRecord, entries: readonly RunLogEntry[]): readonly RunLogEntry[] {
	const at = turn.cancelRequestedAt;
	if (at === undefined) return entries;
	const asked: RunLogEntry = { at, from: "app", to: "bridge", what: "cancel_requested", text: "asked to stop" };
	const next = entries.findIndex((entry) => entry.at > at);
	return next < 0 ? [...entries, asked] : entries.toSpliced(next, 0, asked);
}

function afterRun({ turn, snapshot }: TurnRecord): readonly RunLogEntry[] {
	const entries: RunLogEntry[] = [];
	const detail = turn.resultDetail?.message === undefined ? "" : `: ${turn.resultDetail.message}`;
	if (turn.unresolvedSince !== undefined) {
		const text = `no answer${detail}`;
		entries.push({ at: turn.unresolvedSince, from: "bridge", to: "app", what: "unresolved", text, dropped: true, problem: true });
	}
	if (turn.endedAt === undefined) return entries;
	const ended = { at: turn.endedAt, from: "bridge", to: "app", what: "ended", text: `${turn.resultCode ?? turn.status}${detail}` } as const;
	entries.push({ ...ended, ...problem(turn.status !== "completed" && turn.status !== "cancelled") });
	const of = snapshot?.artifacts.count ?? turn.syncedPaths.length;
	if (turn.syncStatus === undefined || of === 0) return entries;
	const text = `${turn.syncStatus}: ${turn.syncedPaths.length} of ${files(of)}`;
	const isShort = turn.status === "completed" && turn.syncStatus !== "synced";
	return [...entries, { at: turn.endedAt, from: "sync", to: "app", what: "synced", text, ...problem(isShort) }];
}

function updateEntry({ at, seq, status, update }: SessionUpdate, runtime: Hop): RunLogEntry {
	const [from, to] = hopsOf(update, runtime);
	return { at, seq, from, to, what: update.kind, text: textOf(update, status), ...problem(isProblem(update, status)) };
}

function problem(is: boolean): { readonly problem?: true } {
	return is ? { problem: true } : {};
}

/** By what is recorded; an agent's own words make no problem. */
function isProblem(update: Update, status: RunStatus): boolean {
	switch (update.kind) {
		case "status":
			return status === "failed" || status === "artifact_missing" || status === "interrupted";
		case "tool_call":
			return update.state === "failed" || update.state === "denied";
		case "approval":
			return update.state === "expired";
		case "artifacts":
			return update.rejected > 0;
		case "notice":
			return update.level !== "info";
		default:
			return false;
	}
}

function hopsOf(update: Update, runtime: Hop): readonly [Hop, Hop] {
	switch (update.kind) {
		case "message_delta":
		case "thought_delta":
		case "tool_call":
		case "plan":
		case "usage":
			return [runtime, "bridge"];
		case "approval":
			return update.state === "pending" ? ["bridge", "app"] : ["app", "bridge"];
		case "artifacts":
			return [runtime === "openclaw" ? "plugin" : "bridge", "app"];
		case "status":
			return hopsOfStage(update.progress?.stage, runtime);
		case "notice":
			return ["bridge", "app"];
	}
}

function hopsOfStage(stage: ProgressStage | undefined, runtime: Hop): readonly [Hop, Hop] {
	if (stage === "starting" || stage === "stopping") return ["bridge", runtime];
	return stage === "exporting" && runtime === "openclaw" ? ["plugin", "bridge"] : ["bridge", "app"];
}

function textOf(update: Update, status: string): string {
	switch (update.kind) {
		case "status":
			return [...new Set([status, update.progress?.stage, update.progress?.message])].filter(Boolean).join(" · ");
		case "message_delta":
		case "thought_delta":
			return update.text;
		case "tool_call":
			return `${update.title} · ${update.state}`;
		case "plan":
			return update.entries.map((entry) => `${entry.content} (${entry.state})`).join("; ");
		case "approval":
			return `${update.title} · ${update.decision ?? update.state}`;
		case "artifacts":
			return `${files(update.count)}, ${update.totalBytes} bytes, ${update.rejected} rejected`;
		case "usage":
			return Object.entries(update)
				.flatMap(([name, value]) => (name === "kind" ? [] : [`${name} ${value}`]))
				.join(", ");
		case "notice":
			return `${update.code}: ${update.message}`;
	}
}

function files(count: number): string {
	return count === 1 ? "1 file" : `${count} files`;
}
