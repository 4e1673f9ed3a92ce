import {
	type DeliveryAction,
	isSameZone,
	type LintFinding,
	type Occurrence,
	type PayloadPart,
	type Plan,
	zoneWords,
} from "@xworkmate/contracts";
import { fill } from "../../strings/interface.ts";
import { lintWords, planCodeWords } from "../../strings/plans/plan-code-words.ts";
import {
	begunAgainWords,
	channelWords,
	countOfMissed,
	type DeliveryState,
	deliveryState,
	hasBegunAgain,
	missedBefore,
	occurrenceStatusOf,
	occurrenceStatusWords,
	passedWhilePaused,
	passedWords,
	sentAtWords,
	settledNotSent,
	shownCodeOf,
	stateBeforeDue,
} from "../../strings/plans/plan-words.ts";
import { plansPageWords } from "../../strings/plans/plans-page-words.ts";
import { restoredWords } from "../../strings/plans/restored-words.ts";
import { notBegunWords, statusBeforeDue, workStateOf, workStateWords } from "../../strings/plans/work-words.ts";
import { commandLine } from "../../text/command-line.ts";
import { formatBytes } from "../../text/format-measure.ts";
import { messageInLocalTime } from "../../text/local-time.ts";
import { afterAllWords } from "../../text/plans/after-all.ts";
import { codeTitle, occurrenceMeaning, occurrenceTitle } from "../../text/plans/code-title.ts";
import { alsoHeldReasons } from "../../text/plans/held-reasons.ts";
import { mayHaveBeenSentLines, shortReason } from "../../text/plans/may-have-been-sent.ts";
import { messagesForUser, type OpenMessage } from "../../text/plans/open-messages.ts";
import { noRuns, type RunState, type RunsNow, runStateOf } from "../../text/plans/plan-runs.ts";
import { timedState } from "../../text/plans/timed-state.ts";
import { oneLine, printable } from "../../text/printable.ts";
import { dueWords, localZone, timeWords } from "../../text/zoned-time.ts";
import { terminalFix } from "../words/terminal-fix.ts";
import { nextCommands } from "./next-commands.ts";
import { runWord, stateCell, stateWords } from "./plan-state.ts";
import { addressedWords } from "./recipient-words.ts";
import { askingLine, stillRunningLine } from "./still-running.ts";

/** How many digits of a hash are shown: enough to compare by eye. */
export const SHOWN_DIGITS = 12;

/** The time and the time zone that the lines are written for, and what has been looked up for them. */
export interface Reading {
	readonly now: number;
	readonly zone: string;
	/**
	 * What is known about runs beyond the plans' own records. Absent if the runs have not been looked up, in which case no line mentions
	 * them.
	 */
	readonly runs?: RunsNow;
	/** The later messages that repeat those of the occurrence. Absent if they have not been looked up. */
	readonly resent?: readonly DeliveryAction[];
	/** A line for each message to which files are attached. Absent if the files have not been looked up. */
	readonly files?: ReadonlyMap<DeliveryAction["actionId"], string>;
}

export const readNow = (): Reading => ({ now: Date.now(), zone: localZone() });

/** A plan on one line: id, state, next time, title. */
export function planLine(plan: Plan, reading: Reading): string {
	const passed = passedWhilePaused(plan, reading.now);
	const next = plan.nextDueAt === undefined || plan.status === "paused" ? [] : [`next ${dueAt(plan.nextDueAt, reading)}`];
	const due = passed === undefined ? next : [`passed while paused: ${at(passed, reading)}`];
	return [plan.planId, stateCell(plan, reading), ...due, oneLine(plan.title, 80)].join("  ");
}

/**
 * A plan with its work, its messages and its newest occurrence. `open`: its other occurrences that have not ended or whose work is still
 * running, as far as they are known. They are listed, with their messages that need the user.
 */
export function planLines(plan: Plan, reading: Reading, open: readonly Occurrence[] = []): readonly string[] {
	const { occurrence, planId } = plan;
	const agent = plan.routing?.providerId;
	const passed = passedWhilePaused(plan, reading.now);
	const before = stateBeforeDue(plan);
	const others = open.filter(({ occurrenceId }) => occurrenceId !== occurrence?.occurrenceId);
	return [
		`${oneLine(plan.title, 200)}  ${stateWords(plan, reading)}`,
		`  plan ${planId}, thread ${oneLine(plan.threadId, 200)}${agent === undefined ? "" : `, agent ${agent}`}`,
		`  ${printable(plan.scheduleWords)}${nextWords(plan, reading)}`,
		...(plan.status === "paused" && plan.pausedFor !== undefined ? [`  ${restoredWords.paused}.`] : []),
		...(passed === undefined ? [] : [`  ${fill(passedWords, { time: at(passed, reading) })}`]),
		...(occurrence === undefined
			? [...workLines(plan.work, statusBeforeDue(plan)), ...plan.delivery.map((action) => `  ${actionLine(action, reading, before)}`)]
			: occurrenceLines(occurrence, reading).map((line) => `  ${line}`)),
		...[...inProgressLines(others, reading), ...othersWaitingLines(others, reading)].map((line) => `  ${line}`),
	];
}

/**
 * When the plan is due next. The words of the schedule name the plan's time zone, so the reader's time zone is also named if it differs.
 */
function nextWords({ nextDueAt, timezone }: Plan, reading: Reading): string {
	if (nextDueAt === undefined) return "";
	const zone = isSameZone(timezone, reading.zone) ? "" : ` (${zoneWords(reading.zone)})`;
	return `: next ${dueAt(nextDueAt, reading)}${zone}`;
}

/** The other occurrences that are in progress, or whose work is still running although it was cancelled. */
function inProgressLines(others: readonly Occurrence[], reading: Reading): readonly string[] {
	const { runs = noRuns } = reading;
	const shown = others.flatMap((one) => {
		const run = runStateOf(one, runs);
		const isInProgress = one.status === "due" || one.status === "running" || one.status === "delivering";
		return isInProgress || run !== undefined ? [{ one, run }] : [];
	});
	return shown.length === 0
		? []
		: [
				plansPageWords.othersOpen,
				...shown.flatMap(({ one, run }) => [
					`  ${one.occurrenceId}  due ${at(one.dueAt, reading)}  ${runWord(run) ?? occurrenceStatusWords[occurrenceStatusOf(one)]}`,
					...runStateLines(one, run, reading).map((line) => `    ${line}`),
				]),
			];
}

/** Why the work has no run yet; undefined if it has one, or if the bridge was not refused one. */
export function notBegunWhy({ runs }: Pick<Occurrence, "runs">, run: RunState | undefined, reading: Reading): string | undefined {
	const waits = run === "waiting" ? runs.at(-1)?.waits : undefined;
	return waits && fill(notBegunWords, { since: at(waits.since, reading), why: oneLine(waits.message, 500) });
}

/** The lines about the active run of an occurrence. */
function runStateLines(occurrence: Occurrence, run: RunState | undefined, reading: Reading): readonly string[] {
	if (run === "asks") return [askingLine()];
	const waits = notBegunWhy(occurrence, run, reading);
	if (waits !== undefined) return [waits];
	return run === "stopping" ? [stillRunningLine(occurrence)] : [];
}

/** What a plan's other occurrences are waiting for: messages that need the user, and occurrences without a message that need a review. */
export function othersWaitingLines(open: readonly Occurrence[], reading: Reading): readonly string[] {
	const messages = messagesForUser(open);
	const alone = open.filter(({ status, delivery }) => status === "needs_review" && delivery.length === 0);
	if (messages.length + alone.length === 0) return [];
	return [
		"Still waiting for you from other due times:",
		...messageLines(messages, reading).map((line) => `  ${line}`),
		...alone.slice(0, LISTED_MESSAGES).map(({ occurrenceId, dueAt: due }) => `  ${occurrenceId}  due ${at(due, reading)}`),
		...(alone.length > LISTED_MESSAGES ? [`  and ${alone.length - LISTED_MESSAGES} more`] : []),
		...(alone.length > 0 || messages.some(({ action }) => action.status === "needs_review")
			? [`Review one: ${commandLine("plans review ID")}`]
			: []),
		...(messages.some(({ action }) => action.status === "unknown")
			? [`Record whether a message arrived: ${commandLine("plans settle ID --sent")} (or --not-sent instead of --sent)`]
			: []),
	];
}

/** The maximum number of messages, or of occurrences without one, that are listed. */
const LISTED_MESSAGES = 12;

/**
 * Messages of several due times, one per line, each with its id. If there are too many to list, the last line says how many were left out.
 */
export function messageLines(messages: readonly OpenMessage[], reading: Reading): readonly string[] {
	const more = messages.length - LISTED_MESSAGES;
	return [
		...messages.slice(0, LISTED_MESSAGES).map(({ occurrence, action }) => {
			const title = shortReason(action);
			const why = title === undefined ? "" : `  ${title}`;
			return `${action.actionId}  due ${at(occurrence.dueAt, reading)}  ${actionLine(action, reading)}${why}`;
		}),
		...(more > 0 ? [`and ${more} more`] : []),
	];
}

/** An occurrence: its state, its work, each message and what can be done about it. */
export function occurrenceLines(occurrence: Occurrence, reading: Reading): readonly string[] {
	const { dueAt: due, missed, occurrenceId, kind } = occurrence;
	const code = shownCodeOf(occurrence);
	const run = runStateOf(occurrence, reading.runs ?? noRuns);
	const title = code === undefined ? occurrenceStatusWords[occurrenceStatusOf(occurrence)] : occurrenceTitle(code, occurrence);
	const state = runWord(run) ?? title;
	const how = kind === "scheduled" ? "" : kind === "manual" ? ", run by hand" : ", resend";
	const values =
		missed === undefined ? {} : { count: countOfMissed(missed), first: at(missed.first, reading), last: at(missed.last, reading) };
	return [
		`${state}  due ${at(due, reading)}${how}  ${occurrenceId}`,
		...(code === undefined ? [] : meaningOf(occurrenceMeaning(code, occurrence), values).map((line) => `  ${line}`)),
		...runStateLines(occurrence, run, reading).map((line) => `  ${line}`),
		...earlierMissed(occurrence, reading),
		...workLines(occurrence.work, occurrence.status, run),
		...runLines(occurrence),
		...occurrence.delivery.flatMap((action) => actionLines(action, reading)),
		...nextCommands(occurrence, reading.resent),
	];
}

/** The earlier due times that were missed. Empty for MISSED and STORE_RESTORED, because their reasons already list these times. */
function earlierMissed({ missed, code }: Occurrence, reading: Reading): readonly string[] {
	const words = code === "MISSED" || code === "STORE_RESTORED" ? undefined : missedBefore(missed, (time) => at(time, reading));
	return words === undefined ? [] : [`  ${words}`];
}

function workLines(work: Plan["work"], status: Occurrence["status"] | undefined, run?: RunState): readonly string[] {
	return work.map((item) => `  ${workStateWords[workStateOf(item, status, run)]}: ${oneLine(item.description, 200)}`);
}

/** Notes about the runs: that the work was restarted, and why the last run did not succeed or its success is in doubt. */
function runLines(occurrence: Occurrence): readonly string[] {
	const { code, message } = occurrence.runs.at(-1) ?? {};
	return [
		...(hasBegunAgain(occurrence) ? [`  ${begunAgainWords}`] : []),
		// What the record of a run contains that casts doubt on its success.
		...(code === undefined && message !== undefined ? [`  ${oneLine(message, 500)}`] : []),
		...(code === undefined ? [] : [`  The run: ${code}${message === undefined ? "" : `. ${oneLine(message, 500)}`}`]),
	];
}

/** A message on one line: its channel, its recipient and its state. */
export function actionLine(action: DeliveryAction, { now, zone }: Reading, before?: DeliveryState): string {
	const state = deliveryState(action, before);
	const said = timedState(state, action, now, (time) => timeWords(Date.parse(time), now, zone));
	const done = action.completedAt === undefined ? "" : `, ${sentAtWords(action, timeWords(Date.parse(action.completedAt), now, zone))}`;
	const isTimed = state !== "not_sent" && state !== "perhaps_sent";
	return `${channelWords[action.channel]}${addressedWords(action)}: ${said}${isTimed ? done : ""}`;
}

function actionLines(action: DeliveryAction, reading: Reading): readonly string[] {
	const files = reading.files?.get(action.actionId);
	return [`  ${actionLine(action, reading)}`, ...reasonLines(action).map((line) => `    ${line}`), ...(files ? [`    ${files}`] : [])];
}

/** Why a message is waiting, was not sent, or may have been sent, and what to do about it. */
export function reasonLines(action: DeliveryAction): readonly string[] {
	const afterAll = afterAllWords(action, Date.now());
	if (afterAll !== undefined) return afterAll.map(printable);
	const { status, code, message, fix, lint = [], channel, settledBy, later = [] } = action;
	const known = code === undefined ? undefined : planCodeWords[code];
	const values = { channel: channelWords[channel] };
	// The gate's messages are not printed, because they are written for logs and for the agent.
	const given = code?.startsWith("GATE_") === true ? undefined : messageInLocalTime(code, message, Date.now());
	const said = given === undefined ? (known === undefined ? [] : meaningOf(known.meaning, values)) : [printable(given)];
	return [
		...(known === undefined ? [] : [`${codeTitle(action)} (${code})`]),
		...said,
		...(status === "failed" && settledBy !== undefined ? [settledNotSent] : []),
		...(fix === undefined ? [] : [printable(terminalFix(code, fix))]),
		...alsoHeldReasons(action).map(printable),
		...mayHaveBeenSentLines(action),
		...lint.map((finding) => lintLine(finding)),
		...later.map((news) => `Later: ${printable(news.message)}`),
	];
}

/** The sentence that explains a code, if it has one, unless the sentence needs a value that is unknown here. */
function meaningOf(meaning = "", values: Readonly<Record<string, string | number>>): readonly string[] {
	const filled = fill(meaning, { agent: "The agent", ...values });
	return filled === "" || /\{\w+\}/.test(filled) ? [] : [filled];
}

function lintLine({ rule, excerpt }: LintFinding): string {
	return `${fill(lintWords[rule], { channel: "the channel" })}${excerpt === undefined ? "" : `: ${oneLine(excerpt, 200)}`}`;
}

/** What would be sent: each part with the size and hash of its bytes, and its text exactly as it is sent. HTML only if `withHtml`. */
export function previewLines(parts: readonly PayloadPart[], lint: readonly LintFinding[], withHtml: boolean): readonly string[] {
	return [
		...parts.flatMap(({ kind, mediaType, name, text, bytes, sha256 }) => {
			const title = `--- ${name === undefined ? kind : oneLine(name, 200)} (${mediaType}, ${formatBytes(bytes)}, ${sha256.slice(0, SHOWN_DIGITS)})`;
			return text === undefined || (kind === "html" && !withHtml) ? [title] : [title, printable(text)];
		}),
		"---",
		...lint.map((finding) => `Check: ${lintLine(finding)}`),
	];
}

export function dueAt(time: string, { now, zone }: Reading): string {
	return dueWords(Date.parse(time), now, zone);
}

export function at(time: string, { now, zone }: Reading): string {
	return timeWords(Date.parse(time), now, zone);
}

/** The command to type if there is no plan yet. */
export function firstPlan(): string {
	return `Create one: ${commandLine('plans create --in 1m --dashboard --content "Drink some water"')}`;
}
