import {
	type ActivityItem,
	type Approval,
	askedName,
	examinedFiles,
	foundAgainst,
	isMoreSerious,
	judgedKind,
	type Preview,
	type Receipt,
	type ReceiptDraft,
	type Redaction,
	type ReportedToolId,
	type Risk,
	type RunId,
	type ToolKind,
	visibleWithin,
} from "@xworkmate/contracts";
import type { AskedWords, ProviderUpdate } from "../../ports/runs/run-event.ts";
import { type CallTrail, isDenied, isSaidDone } from "./call-trail.ts";

/** The agent that reports a call, which the bridge itself does not execute. */
export interface Reporter {
	readonly runId: RunId;
	readonly providerId: string;
	/** Hides the secrets that the bridge knows, and anything that looks like a secret. */
	readonly redaction: Redaction;
}

export type ToolCallUpdate = Extract<ProviderUpdate, { kind: "tool_call" }>;

/** The agent declares the kind itself unless a command shows another, so only kinds that merely inspect something count as reads. */
const risks: Readonly<Record<ToolKind, Risk>> = {
	read: "read",
	search: "read",
	think: "read",
	// A network request can have an effect elsewhere.
	fetch: "write",
	edit: "write",
	move: "write",
	switch_mode: "write",
	other: "write",
	delete: "destructive",
	execute: "destructive",
};

/** What an agent asks for, without secrets. The request may describe the call differently than the first report did. */
export function askedWords(redaction: Redaction, { title, input }: Pick<Approval, "title" | "input">): AskedWords {
	return {
		words: reportedWords(redaction, askedName(title, input, (text) => redaction.text(text)).name),
		...(input && { input: previewOf(redaction, input.text, input.truncated) }),
	};
}

const WORDS = 300;
const PREVIEW_BYTES = 2_048;
/** How many calls of an agent may be open at once. Before another one is added, the oldest is closed as not reported. */
const MOST_OPEN = 1_000;

/** The update as it is logged, with the tool that its receipts are about. `input`: the call's input, which the update may leave out. */
export function asReported(update: ToolCallUpdate, { providerId }: Reporter, input = update.input): ToolCallUpdate {
	return { ...update, ...calledBy({ ...update, ...(input && { input }) }, providerId) };
}

type CallFacts = Pick<ToolCallUpdate, "toolCallId" | "toolKind" | "input">;

function calledBy({ toolCallId, toolKind, input }: CallFacts, providerId: string) {
	const kind = judgedKind(toolKind, input);
	return { toolCallId, toolId: `${providerId}:${kind}` as ReportedToolId, risk: risks[kind], origin: "reported" as const };
}

/**
 * The receipts of what an agent reports about one of its calls. A report decides nothing: a call is recorded once as requested, once as
 * started and once as ended, whatever the agent repeats later. A report that contradicts an earlier one is recorded too. Pure.
 */
export function reportedDrafts(trail: CallTrail | undefined, update: ToolCallUpdate, reporter: Reporter): readonly ReceiptDraft[] {
	const { providerId, redaction } = reporter;
	const { toolCallId, title, state, input, unpermitted } = update;
	const open = trail?.open.get(toolCallId);
	const isNew = open === undefined;
	const closed = isNew ? trail?.calls.get(toolCallId) : undefined;
	if (closed !== undefined) {
		const { item } = closed;
		if (update.state === "failed" && isSaidDone(item)) return [failedLater(item)];
		return [...againstDenial(item, update), ...unpermittedLater(item, update, redaction), ...seenAgain(item, update, redaction)];
	}
	if (open !== undefined && open.requested.origin !== "reported") return [];
	// The call keeps the name that it was first reported with, unless it turns out to be more serious.
	const call = reportedCall(open?.last, update, providerId);
	const named = namedIn(update, redaction);
	const drafts: ReceiptDraft[] = [];
	let known = open?.shown.input;
	// An agent may send the command only after it has announced the call, or may change it.
	const shown = () => {
		const now = input === undefined ? undefined : previewOf(redaction, input.text, input.truncated);
		if (now === undefined || now.text === known?.text) return {};
		known = now;
		return { input: now };
	};
	if (isNew) {
		const oldest = trail !== undefined && trail.open.size >= MOST_OPEN ? trail.open.values().find(isReported) : undefined;
		if (oldest !== undefined) drafts.push(notReported(oldest.last));
		drafts.push({
			type: "tool.call.requested",
			...call,
			words: reportedWords(redaction, title),
			...shown(),
			...(Object.keys(named).length > 0 && { detail: named }),
		});
	}
	const hasStarted = open?.hasStarted === true;
	if (!hasStarted && (state === "running" || state === "completed")) {
		drafts.push({ type: "tool.call.started", ...call, ...shown() });
	}
	const outcome = { attempt: 1, durationMs: 0 };
	const found = foundAgainst(update);
	const said = {
		...withoutPermission(update, redaction),
		...(found !== undefined && found !== "none" && { contradiction: found }),
		...examinedIn(update, redaction),
	};
	const detail = Object.keys(said).length === 0 ? {} : { detail: said };
	if (state === "completed") drafts.push({ type: "tool.call.succeeded", ...call, ...shown(), outcome, ...detail });
	if (state === "failed") {
		const another = { ...withoutPermission(update, redaction), ...named };
		const swap = Object.keys(another).length === 0 ? {} : { detail: another };
		drafts.push({ type: "tool.call.failed", ...call, ...shown(), outcome: { ...outcome, code: "TOOL_FAILED" }, ...swap });
	}
	// At the end of its turn, a call that the agent never ended, and last reported as something other than what was allowed.
	if (unpermitted === "another" && (state === "pending" || state === "running")) {
		drafts.push({ ...notReported(call), detail: withoutPermission(update, redaction) });
	}
	// If an agent asks only after it has begun the call, a denial stops the call halfway.
	if (state === "denied" && hasStarted) drafts.push({ type: "tool.call.failed", ...call, outcome: { ...outcome, code: "DENIED" } });
	else if (state === "denied")
		drafts.push({ type: "tool.call.denied", ...call, decision: { by: `agent:${providerId}`, decision: "deny" } });
	return drafts;
}

/**
 * Records that the agent reports a call as done although it was denied. Recorded only once, because the call's status is different
 * afterwards.
 */
function againstDenial(item: ActivityItem, { toolCallId, unpermitted, onlyChanged }: ToolCallUpdate): readonly ReceiptDraft[] {
	if (unpermitted === undefined || !isDenied(item)) return [];
	const { toolId, risk } = item;
	const outcome = { attempt: 1, durationMs: 0 };
	const detail = { unpermitted, ...(onlyChanged === true && { onlyChanged }) };
	return [{ type: "tool.call.succeeded", toolCallId, toolId, risk, origin: "reported", outcome, detail }];
}

/** The files that the bridge looked at. They are recorded because the agent's title may name others. */
function examinedIn(update: ToolCallUpdate, redaction: Redaction): NonNullable<ReceiptDraft["detail"]> {
	const files = examinedFiles(update);
	return files === undefined ? {} : { file: reportedWords(redaction, files) };
}

/** The files named by a call that, by its kind, changes files. The bridge hasn't looked at them, and the agent's title may name others. */
function namedIn({ toolKind, diff = [], locations = [] }: ToolCallUpdate, redaction: Redaction): NonNullable<ReceiptDraft["detail"]> {
	if (toolKind !== "edit" && toolKind !== "delete" && toolKind !== "move") return {};
	const files = examinedFiles({ examined: [...new Set([...diff, ...locations].map(({ path }) => path))] });
	return files === undefined ? {} : { named: reportedWords(redaction, files) };
}

/**
 * What a receipt adds about a call that was made without permission but was not itself denied. For example, its command may have been
 * denied in another call.
 */
function withoutPermission(
	{ unpermitted, swapped, deniedCommand }: ToolCallUpdate,
	redaction: Redaction,
): NonNullable<ReceiptDraft["detail"]> {
	if (unpermitted === undefined || unpermitted === "found") return {};
	const { allowed, reported } = swapped ?? {};
	return {
		unpermitted,
		...(allowed !== undefined && { allowed: reportedWords(redaction, allowed) }),
		...(reported !== undefined && { reported: reportedWords(redaction, reported) }),
		...(deniedCommand !== undefined && { deniedCommand: reportedWords(redaction, deniedCommand) }),
	};
}

/**
 * Records that the agent reports something other than what was allowed, or asks for permission, after it reported the call as done.
 * Recorded only once.
 */
function unpermittedLater(item: ActivityItem, update: ToolCallUpdate, redaction: Redaction): readonly ReceiptDraft[] {
	const isLater = update.unpermitted === "another" || update.unpermitted === "unanswered";
	if (!isLater || !isSaidDone(item) || item.unpermitted !== undefined) return [];
	const { toolCallId, toolId, risk, contradiction } = item;
	const detail = { ...withoutPermission(update, redaction), ...(contradiction && { contradiction }) };
	return [{ type: "tool.call.succeeded", toolCallId, toolId, risk, origin: "reported", outcome: { attempt: 1, durationMs: 0 }, detail }];
}

/**
 * Records that the agent reports as failed a call that it had reported as done. Recorded only once, because the call's status is different
 * afterwards.
 */
function failedLater({ toolCallId, toolId, risk, unpermitted, swapped, deniedCommand }: ActivityItem): ReceiptDraft {
	const outcome = { code: "TOOL_FAILED" as const, attempt: 1, durationMs: 0 };
	const detail = unpermitted === undefined ? {} : { detail: { unpermitted, ...swapped, ...(deniedCommand && { deniedCommand }) } };
	return { type: "tool.call.failed", toolCallId, toolId, risk, origin: "reported", outcome, ...detail };
}

/** How receipts name a reported call after another report or request about it: by the most serious kind so far. */
export function reportedCall(before: Pick<Receipt, "toolId" | "risk"> | undefined, now: CallFacts, providerId: string) {
	const called = calledBy(now, providerId);
	const { toolId, risk } = before === undefined || (before.toolId && isMoreSerious(called.toolId, before.toolId)) ? called : before;
	return { toolCallId: now.toolCallId, ...(toolId && { toolId }), ...(risk && { risk }), origin: "reported" as const };
}

/**
 * Records that the files of a call that was reported as done now show something else: they no longer contradict the report, now contradict
 * it, or contradict it in another way.
 */
function seenAgain(item: ActivityItem, update: ToolCallUpdate, redaction: Redaction): readonly ReceiptDraft[] {
	const { toolCallId } = update;
	const found = foundAgainst(update);
	if (found === undefined || !isSaidDone(item) || found === (item.contradiction ?? "none")) return [];
	const { toolId, risk, unpermitted, swapped, deniedCommand } = item;
	const despite = { ...(unpermitted && { unpermitted }), ...swapped, ...(deniedCommand && { deniedCommand }) };
	const detail = { contradiction: found, ...despite, ...examinedIn(update, redaction) };
	return [{ type: "tool.call.succeeded", toolCallId, toolId, risk, origin: "reported", outcome: { attempt: 1, durationMs: 0 }, detail }];
}

function isReported({ requested }: { readonly requested: { readonly origin: string } }): boolean {
	return requested.origin === "reported";
}

function notReported({ toolCallId, toolId, risk, origin }: Omit<ReceiptDraft, "type">): ReceiptDraft {
	const call = { ...(toolCallId && { toolCallId }), ...(toolId && { toolId }), ...(risk && { risk }), origin };
	return { type: "tool.call.unknown", ...call, outcome: { code: "NOT_REPORTED", attempt: 0, durationMs: 0 } };
}

function reportedWords(redaction: Redaction, title: string): string {
	return visibleWithin(redaction.text(title.slice(0, 2 * WORDS)), WORDS);
}

/** At most 2 KiB, without anything that looks like a secret. A secret that would be cut in two at the end is removed whole. */
function previewOf(redaction: Redaction, text: string, wasTruncated: boolean): Preview {
	const shown = redaction.text(text.slice(0, 2 * PREVIEW_BYTES)).toWellFormed();
	const bytes = new TextEncoder().encode(shown);
	if (bytes.length <= PREVIEW_BYTES) return { text: shown, truncated: wasTruncated || text.length > 2 * PREVIEW_BYTES };
	// In streaming mode, the decoder leaves out a character that is cut in two.
	const cut = new TextDecoder().decode(bytes.subarray(0, PREVIEW_BYTES), { stream: true });
	return { text: cut, truncated: true };
}
