import type { SessionUpdate, Update } from "@xworkmate/contracts";
import { oneLine, printable } from "../cli/printable.ts";
import type { Hop, RunLogEntry } from "../core/ui-api.ts";
import type { TurnRecord } from "../threads/index.ts";

const TEXT_LENGTH = 300;

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
	const entries = [...beforeRun(record), ...happened, ...afterRun(record)];
	// Hidden before the line is cut, or the first half of a secret would stay; and after what cannot be seen is gone from between its letters.
	return entries.map((entry) => ({ ...entry, text: oneLine(hide(printable(entry.text)), TEXT_LENGTH) }));
}

function beforeRun({ turn, request }: TurnRecord): readonly RunLogEntry[] {
	const { executionTarget, providerId } = request.routing;
	const to = `${executionTarget}${providerId === undefined ? "" : ` ${providerId}`}`;
	return [{ at: turn.createdAt, from: "app", to: "app", what: "written", text: `message written on this machine, for ${to}` }];
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
		entries.push({ at: turn.unresolvedSince, from: "bridge", to: "app", what: "unresolved", text: `no answer${detail}`, dropped: true });
	}
	if (turn.endedAt === undefined) return entries;
	entries.push({ at: turn.endedAt, from: "bridge", to: "app", what: "ended", text: `${turn.resultCode ?? turn.status}${detail}` });
	const of = snapshot?.artifacts.count ?? turn.syncedPaths.length;
	if (turn.syncStatus === undefined || of === 0) return entries;
	const text = `${turn.syncStatus}: ${turn.syncedPaths.length} of ${of} files`;
	return [...entries, { at: turn.endedAt, from: "sync", to: "app", what: "synced", text }];
}

function updateEntry({ at, seq, status, update }: SessionUpdate, runtime: Hop): RunLogEntry {
	const [from, to] = hopsOf(update, runtime);
	return { at, seq, from, to, what: update.kind, text: textOf(update, status) };
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
			return runtime === "openclaw" && update.progress?.stage === "exporting" ? ["plugin", "bridge"] : ["bridge", "app"];
		case "notice":
			return ["bridge", "app"];
	}
}

function textOf(update: Update, status: string): string {
	switch (update.kind) {
		case "status":
			return [status, update.progress?.stage, update.progress?.message].filter(Boolean).join(" · ");
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
			return `${update.count} files, ${update.totalBytes} bytes, ${update.rejected} rejected`;
		case "usage":
			return Object.entries(update)
				.flatMap(([name, value]) => (name === "kind" ? [] : [`${name} ${value}`]))
				.join(", ");
		case "notice":
			return `${update.code}: ${update.message}`;
	}
}
