import {
	errorCatalogue,
	type Grounding,
	type Preview,
	type ProgressStage,
	type RunStatus,
	type SessionUpdate,
	type Update,
} from "@xworkmate/contracts";
import { contradictionOf } from "@xworkmate/contracts/contradiction";
import type { Participant, RunLogEntry } from "../api/ui-api.ts";
import { contradictedWords } from "../strings/runs/states.ts";
import { approvalOutcome } from "../text/calls/approval-outcome.ts";
import { namedCall } from "../text/calls/asked-view.ts";
import { runReceiptLine } from "../text/calls/decision-line.ts";
import { formatBytes } from "../text/format-measure.ts";
import { oneLine, printable } from "../text/printable.ts";
import { sayClaims } from "../text/runs/actions-title.ts";
import { isUnanswered } from "../text/runs/is-unanswered.ts";
import type { Turn, TurnRecord, TurnStatus } from "../threads/index.ts";
import { joinPieces } from "./join-pieces.ts";

const TEXT_LENGTH = 300;

/** An entry whose secrets have not been redacted and whose text has not been shortened. */
export interface RawEntry extends RunLogEntry {
	/** This id is the same for all pieces of one message. */
	readonly messageId?: string;
}

/** The lines of a run's log in chronological order: what the app did, and every update from the bridge. */
export function runLogEntries(
	record: TurnRecord,
	updates: readonly SessionUpdate[],
	hide: (text: string) => string,
): readonly RunLogEntry[] {
	const runtime: Participant = record.request.routing.executionTarget === "gateway" ? "openclaw" : "agent";
	const happened = withCancel(
		record,
		updates.map((update) => updateEntry(update, runtime)),
	);
	const entries = [...beforeRun(record, updates[0]), ...joinPieces(happened), ...afterRun(record)];
	return entries.map((entry) => shownEntry(entry, hide));
}

/**
 * Prepares an entry to be shown. The order matters: control characters are removed first, because they could split a secret; then secrets
 * are redacted; then the line is shortened, because part of a secret that was cut would remain visible.
 */
function shownEntry({ messageId: _, text: line, whole: given, ...entry }: RawEntry, hide: (text: string) => string): RunLogEntry {
	const whole = hide(printable(given ?? line));
	const text = oneLine(given === undefined ? whole : hide(printable(line)), TEXT_LENGTH);
	return { ...entry, text, ...(whole !== text && { whole }) };
}

/** Entries for the app's record of the turn, and for its acceptance by the bridge, which the first update proves. */
function beforeRun({ turn }: TurnRecord, first: SessionUpdate | undefined): readonly RawEntry[] {
	const written = { at: turn.createdAt, from: "app", to: "app", what: "written", text: "" } as const;
	if (first === undefined || turn.runId === undefined) return [written];
	return [written, { at: first.at, from: "app", to: "bridge", what: "accepted", text: turn.runId }];
}

/**
 * Inserts the cancellation at the time it was requested, by this machine's clock. The entry says only what the app did: the bridge may have
 * been unreachable, and its updates say when the run is stopping.
 */
function withCancel({ turn }: TurnRecord, entries: readonly RawEntry[]): readonly RawEntry[] {
	const at = turn.cancelRequestedAt;
	if (at === undefined) return entries;
	const asked: RawEntry = { at, from: "app", to: "app", what: "cancel_requested", text: "" };
	const next = entries.findIndex((entry) => entry.at > at);
	return next < 0 ? [...entries, asked] : entries.toSpliced(next, 0, asked);
}

function afterRun({ turn, snapshot }: TurnRecord): readonly RawEntry[] {
	const entries: RawEntry[] = [];
	const detail = turn.resultDetail?.message === undefined ? "" : `: ${turn.resultDetail.message}`;
	if (turn.unresolvedSince !== undefined) entries.push({ at: turn.unresolvedSince, ...unresolvedEntry(turn), problem: true });
	if (turn.endedAt === undefined) return entries;
	const how = `${turn.resultCode ?? turn.status}${detail}`;
	const withoutRun = { from: "app", to: "app", what: endsWithoutRun[turn.status] ?? "unsent" } as const;
	const ended = turn.runId === undefined ? withoutRun : ({ from: "bridge", to: "app", what: "ended" } as const);
	entries.push({ at: turn.endedAt, ...ended, text: how, ...problem(turn.status !== "completed" && turn.status !== "cancelled") });
	const of = snapshot?.artifacts.count ?? turn.syncedPaths.length;
	if (turn.syncStatus === undefined || of === 0) return entries;
	const saved = turn.syncedPaths.length;
	// All files had been saved, but some were missing later and were not fetched again; how many is not recorded.
	const areGone = saved === of && turn.syncStatus === "partial";
	const what = saved === 0 ? "unsynced" : saved < of || areGone ? "partly_synced" : "synced";
	const text = areGone ? "" : `${saved} of ${files(of)}`;
	const isShort = turn.status === "completed" && turn.syncStatus !== "synced";
	return [...entries, { at: turn.syncedAt ?? turn.endedAt, from: "sync", to: "app", what, text, ...problem(isShort) }];
}

/** How a turn without a known run ended. A turn that is `interrupted` may have been sent. */
const endsWithoutRun: Readonly<Partial<Record<TurnStatus, string>>> = { cancelled: "cancelled", interrupted: "interrupted" };

/**
 * What is known about when a turn became unresolved. Only the latest reason is stored, without its time, and that reason may be much later:
 * a response from the bridge, such as that it does not have the run, or the turn's end.
 */
function unresolvedEntry({ status, resultDetail }: Turn): Pick<RawEntry, "from" | "to" | "what" | "text" | "dropped"> {
	const { code, message = "" } = resultDetail ?? {};
	const hasAnswered = code !== undefined && Object.hasOwn(errorCatalogue, code);
	// After a restore, the bridge may not have been asked yet.
	if (hasAnswered || code === "STORE_RESTORED" || status !== "unresolved") return { from: "app", to: "app", what: "unknown", text: "" };
	return { from: "bridge", to: "app", what: "unresolved", text: message, dropped: true };
}

function updateEntry({ at, seq, status, update }: SessionUpdate, runtime: Participant): RawEntry {
	const [from, to] = participantsOf(update, runtime);
	const entry = { at, seq, from, to, what: update.kind, ...textOf(update), ...problem(isProblem(update, status)) };
	if ("messageId" in update) return { ...entry, messageId: update.messageId };
	if (update.kind !== "status") return entry;
	return { ...entry, status, ...(update.progress && { stage: update.progress.stage }) };
}

function problem(is: boolean): { readonly problem?: true } {
	return is ? { problem: true } : {};
}

/** True if an update is recorded as a failure. An agent's text alone is never marked as a problem. */
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
		case "receipt":
			return update.type === "tool.call.failed" || update.type === "tool.call.unknown" || update.type === "tool.call.denied";
		case "answer":
			return update.grounding.state === "unverified" || update.grounding.state === "replaced";
		default:
			return false;
	}
}

function participantsOf(update: Update, runtime: Participant): readonly [Participant, Participant] {
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
			return participantsOfStage(update.progress?.stage, runtime);
		case "notice":
		case "receipt":
		case "answer":
			return ["bridge", "app"];
	}
}

function participantsOfStage(stage: ProgressStage | undefined, runtime: Participant): readonly [Participant, Participant] {
	if (stage === "starting" || stage === "stopping") return ["bridge", runtime];
	return stage === "exporting" && runtime === "openclaw" ? ["plugin", "bridge"] : ["bridge", "app"];
}

/** The text of a line, and the complete text if it is longer. */
function textOf(update: Update): Pick<RawEntry, "text" | "whole"> {
	switch (update.kind) {
		case "status":
			return { text: update.progress?.message ?? "" };
		case "message_delta":
		case "thought_delta":
			return { text: update.text };
		case "tool_call": {
			const text = `${namedBy(update)} · ${stateIn(update)}${foundWords(update)}`;
			return { text, ...wholeOf(text, update.input, update.says, update.output) };
		}
		case "plan": {
			const steps = update.entries.map(({ content, state }) => `${content} (${state})`);
			return { text: steps.join(", "), whole: steps.join("\n") };
		}
		case "approval": {
			const outcome = update.toolId === undefined ? undefined : approvalOutcome(update);
			const text = `${namedBy(update)} · ${outcome ?? update.decision ?? update.state}`;
			return { text, ...wholeOf(text, update.input, update.says) };
		}
		case "artifacts":
			return { text: `${files(update.count)}, ${formatBytes(update.totalBytes)}, ${update.rejected} rejected` };
		case "usage":
			return {
				text: Object.entries(update)
					.flatMap(([name, value]) => (name === "kind" ? [] : [`${name} ${value}`]))
					.join(", "),
			};
		case "notice":
			return { text: `${update.code}: ${update.message}` };
		case "answer":
			return { text: checkedWords(update.grounding) };
		case "receipt":
			return { text: runReceiptLine(update), ...wholeOf(runReceiptLine(update), update.input, update.outcome?.preview) };
	}
}

/** A call is named by its command or its files, as on the page, followed by what its agent calls it. */
function namedBy(call: Extract<Update, { kind: "tool_call" | "approval" }>): string {
	const { title } = call;
	const { name } = namedCall(call);
	return name === title ? name : `${name} · “${title}”`;
}

/** The state that this update reported, which may not have changed how the call ended. */
function stateIn({ state, reportedState }: Extract<Update, { kind: "tool_call" }>): string {
	return reportedState === undefined ? state : `${reportedState}, still counted as ${state}`;
}

/** Includes the codes, because users read the log when the page's words are not enough. */
function checkedWords(grounding: Grounding): string {
	const { state, problems } = grounding;
	const codes = [...new Set(problems.map(({ code }) => code))].join(", ");
	const because = codes === "" ? "" : ` (${codes})`;
	switch (state) {
		case "grounded":
			return "The answer was checked: receipts back it";
		case "no_action":
			return "The answer was checked: 0 actions completed";
		case "unverified":
			return `Couldn't verify ${sayClaims(problems, { one: "1 sentence", many: "{count} sentences" })} of the answer${because}`;
		case "replaced":
			return isUnanswered(grounding)
				? "XWorkmate wrote this answer: the assistant didn't write one (NO_ANSWER)"
				: `XWorkmate wrote this answer: what the assistant wrote couldn't be verified against its receipts${because}`;
	}
}

/** What the bridge observed, if it contradicts what the call claims to have done. */
function foundWords(call: Extract<Update, { kind: "tool_call" }>): string {
	const against = contradictionOf(call);
	return against === undefined ? "" : `, ${contradictedWords[against]}`;
}

function wholeOf(line: string, ...previews: readonly (Preview | undefined)[]): { readonly whole?: string } {
	const texts = previews.flatMap((preview) => (preview === undefined || preview.text === "" ? [] : [preview.text]));
	return texts.length === 0 ? {} : { whole: [line, ...texts].join("\n\n") };
}

function files(count: number): string {
	return count === 1 ? "1 file" : `${count} files`;
}
