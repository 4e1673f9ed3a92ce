import type { ProgressStage, Snapshot } from "@xworkmate/contracts";
import type { TurnDetail } from "../../core/ui-api.ts";
import { type ActionId, type OutcomeTone, wordsOf } from "../words/codes.ts";
import { count, fill, words } from "../words/interface.ts";
import { stageWords } from "../words/states.ts";
import { commandOf, readFix } from "./fix-line.ts";
import { formatCount, formatSpan, formatTime } from "./format.ts";
import { matchRequired, type RequiredState } from "./required-files.ts";
import { isSettledStatus } from "./settled.ts";
import type { TurnView } from "./turn-view.ts";
import { costOf } from "./usage.ts";
import { visibleName } from "./visible-text.ts";

/** How a turn ended, ready to be shown. */
export interface Outcome {
	readonly tone: OutcomeTone;
	readonly title: string;
	readonly say?: string;
	/** The rest of what the bridge or the agent said of it: several lines, for those who look closer. */
	readonly cause?: string;
	/** A line for a terminal that helps. */
	readonly command?: string;
	/** An answer alone, the usual end of a talk: a quiet line instead of a card. */
	readonly quiet?: true;
	readonly facts: readonly string[];
	readonly code?: string;
	readonly fix?: string;
	readonly required?: readonly RequiredState[];
	readonly extra?: readonly string[];
	readonly known?: { readonly known: readonly string[]; readonly unknown: readonly string[] };
	readonly rejected: Snapshot["rejectedArtifacts"];
	/** More than are listed, when there were too many to list. */
	readonly rejectedCount: number;
	readonly actions: readonly ActionId[];
}

export interface OutcomeParts {
	readonly detail: TurnDetail;
	readonly view: TurnView;
	readonly provider: string;
	readonly address?: string;
	/** Milliseconds a run may take. */
	readonly budgetMs?: number;
	readonly waiting: number;
}

/** The one card of an end, or nothing while the turn is under way. */
export function deriveOutcome(parts: OutcomeParts): Outcome | undefined {
	const { turn, snapshot } = parts.detail;
	if (!isSettledStatus(turn.status) || (turn.status === "completed" && turn.syncStatus === "syncing")) return undefined;
	const refused = snapshot?.rejectedArtifacts ?? [];
	const rejected = { rejected: refused, rejectedCount: snapshot?.rejectedCount ?? refused.length };
	if (turn.status === "completed") return { ...succeeded(parts), ...rejected };
	if (turn.status === "cancelled" && turn.resultDetail?.code === undefined) return { ...cancelled(parts), ...rejected };
	return { ...endedBadly(parts), ...rejected };
}

function succeeded(parts: OutcomeParts): Omit<Outcome, "rejected" | "rejectedCount"> {
	const { detail } = parts;
	const { turn } = detail;
	const facts = factsOf(parts);
	if (turn.syncStatus === "partial") {
		const code = turn.resultDetail?.code;
		return {
			tone: "miss",
			title: words.outcome.filesPartial,
			say: words.outcome.filesPartialSay,
			facts,
			...(code !== undefined && { code }),
			actions: ["fetch_again", "run_log"],
		};
	}
	const files = detail.snapshot?.artifacts.count ?? turn.syncedPaths.length;
	if (files === 0) return answered(parts);
	const { required } = requiredOf(parts);
	const there = required.filter(isThere).length;
	const fact = required.length === 0 ? [] : [fill(words.outcome.requiredThere, { there, all: required.length })];
	return { tone: "ok", title: fill(words.outcome.filesSaved, { files: count(files, "file") }), facts: [...fact, ...facts], actions: [] };
}

function answered({ detail: { snapshot }, view: { usage } }: OutcomeParts): Omit<Outcome, "rejected" | "rejectedCount"> {
	const took = spanOf(snapshot);
	const title = took === undefined ? words.outcome.done : fill(words.outcome.doneIn, { time: took });
	return { tone: "ok", title, facts: usage === undefined ? [] : costOf(usage), quiet: true, actions: ["retry", "run_log"] };
}

function cancelled(parts: OutcomeParts): Omit<Outcome, "rejected" | "rejectedCount"> {
	const say = parts.detail.turn.runId === undefined ? words.outcome.cancelledQueued : words.outcome.cancelledSay;
	return { tone: "off", title: words.outcome.cancelled, say, facts: factsOf(parts), actions: ["ask_again", "run_log"] };
}

function endedBadly(parts: OutcomeParts): Omit<Outcome, "rejected" | "rejectedCount"> {
	const { turn, snapshot } = parts.detail;
	const code = turn.resultDetail?.code ?? snapshot?.code ?? turn.resultCode ?? "INTERNAL";
	const { tone, title, meaning, actions } = wordsOf(code);
	const { required, extra } = requiredOf(parts);
	const { sentence, cause } = splitCause(turn.resultDetail?.message ?? snapshot?.message ?? "");
	const values = placeholders(parts, required, sentence);
	const fix = turn.resultDetail?.fix;
	const say = fill(meaning, values);
	// An agent writes errors as it likes: only the line that the bridge itself gives is offered to be copied.
	const command = code === "PROVIDER_AUTH_REQUIRED" && say.includes("`") ? commandOf(readFix(say)) : undefined;
	return {
		tone,
		title: fill(title, values),
		say,
		...(cause !== "" && { cause }),
		...(command !== undefined && { command }),
		facts: factsOf(parts),
		code,
		...(fix !== undefined && tone === "bad" && { fix: visibleName(fix) }),
		...(tone === "miss" && required.length > 0 && { required, extra }),
		...(tone === "unk" && { known: whatIsKnown(parts, required) }),
		actions: openable(actions, snapshot),
	};
}

/** Where a run delivered nothing there are no files to open; its log says what it did. */
function openable(actions: readonly ActionId[], snapshot: Snapshot | undefined): readonly ActionId[] {
	if ((snapshot?.artifacts.count ?? 0) > 0) return actions;
	return [...new Set(actions.map((action) => (action === "open_files" ? "run_log" : action)))];
}

/** The first line of a message is a sentence; what follows are the raw words behind it. */
export function splitCause(message: string): { readonly sentence: string; readonly cause: string } {
	const [sentence = "", ...rest] = message.trim().split("\n");
	return { sentence: sentence.trimEnd(), cause: rest.join("\n").trim() };
}

function placeholders(parts: OutcomeParts, required: readonly RequiredState[], message: string): Readonly<Record<string, string | number>> {
	const missing = required.filter((state) => !isThere(state)).map(lackOf);
	return {
		provider: parts.provider,
		message: visibleName(message) || "no reason given",
		missing: missing.join(", ") || "a required file",
		budget: parts.budgetMs === undefined ? "its time limit" : formatSpan(parts.budgetMs),
		address: parts.address ?? "the bridge's address",
		count: parts.waiting,
	};
}

/** "photos/*.jpg", "4 files of photos/*.jpg", "2 more of photos/*.jpg". */
function lackOf({ glob, minCount, matched }: RequiredState): string {
	const name = visibleName(glob);
	if (matched.length > 0) return fill(words.outcome.lackMore, { count: minCount - matched.length, glob: name });
	return minCount === 1 ? name : fill(words.outcome.lackSome, { count: minCount, glob: name });
}

function requiredOf({ detail: { request, snapshot } }: OutcomeParts): { required: readonly RequiredState[]; extra: readonly string[] } {
	const paths = snapshot?.artifacts.items.map(({ relativePath }) => relativePath) ?? [];
	const { states, extra } = matchRequired(request.contract.required, paths);
	return { required: states, extra };
}

function isThere({ minCount, matched }: RequiredState): boolean {
	return matched.length >= minCount;
}

function factsOf({ detail: { turn, snapshot }, view }: OutcomeParts): readonly string[] {
	const span = spanOf(snapshot);
	const took = span === undefined ? [] : [span];
	const tokens = (view.usage?.inputTokens ?? 0) + (view.usage?.outputTokens ?? 0);
	const used = tokens > 0 ? [fill(words.outcome.tokens, { count: formatCount(tokens) })] : [];
	const at = turn.endedAt ?? turn.unresolvedSince;
	return [...took, ...used, ...(at === undefined ? [] : [formatTime(at)])];
}

/** From the begin of its work to its end. */
function spanOf(snapshot: Snapshot | undefined): string | undefined {
	const begin = snapshot?.startedAt ?? snapshot?.createdAt;
	return begin === undefined || snapshot?.endedAt === undefined ? undefined : formatSpan(Date.parse(snapshot.endedAt) - Date.parse(begin));
}

function lastSeen(time: string, stage: ProgressStage | undefined): string {
	return stage === undefined
		? fill(words.outcome.lastHeard, { time })
		: fill(words.outcome.lastSeen, { time, what: stageWords[stage].toLowerCase() });
}

function whatIsKnown({ detail: { turn }, view }: OutcomeParts, required: readonly RequiredState[]): NonNullable<Outcome["known"]> {
	const first = view.stages[0];
	const tools = view.items.filter((item) => item.kind === "tool");
	const last = tools.at(-1);
	const running = last !== undefined && (last.call.state === "running" || last.call.state === "pending") ? last.call.title : undefined;
	const globs = required.map(({ glob }) => glob).join(", ");
	const accepted =
		first === undefined
			? fill(words.outcome.neverAccepted, { time: formatTime(turn.createdAt) })
			: fill(words.outcome.acceptedAt, { time: formatTime(first.at) });
	return {
		known: [
			accepted,
			...(tools.length > 0 ? [fill(words.outcome.steps, { steps: count(tools.length, "step") })] : []),
			...(view.lastAt === undefined ? [] : [lastSeen(formatTime(view.lastAt), view.progress?.stage)]),
		],
		unknown: [
			...(running === undefined ? [words.outcome.whetherDone] : [fill(words.outcome.whetherStep, { step: visibleName(running) })]),
			...(globs === "" ? [] : [fill(words.outcome.whetherFiles, { files: globs })]),
		],
	};
}
