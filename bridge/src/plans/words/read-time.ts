import { ContractError, type DraftChoice, type DraftProblem, type PlanDraft } from "@xworkmate/contracts";
import { timestamp } from "../../ports/clock.ts";
import { checkSchedule } from "../schedule/schedule.ts";
import { scheduleWords } from "../schedule/schedule-words.ts";
import { wallTime } from "../schedule/zone.ts";
import { againTime } from "./again-time.ts";
import { clockMeanings } from "./clock-meanings.ts";
import { dayMeanings } from "./day-meanings.ts";
import { stands } from "./given-text.ts";
import { leftOutOfSchedule, otherZone, repeatIn } from "./overlooked.ts";
import type { When } from "./plan-form.ts";
import { namesHalf, namesNumber, namesUnit, plainTimeIn, readTimeWords } from "./time-words.ts";
import { afterGap, type ClockTime, dayAfter, instantsOf } from "./wall-instants.ts";

/** When a draft is due, and the problems that are left. */
export interface TimeDraft {
	readonly terms: Pick<PlanDraft, "type" | "scheduledFor" | "cron" | "timezone" | "scheduleWords">;
	readonly said?: string;
	readonly problems: readonly DraftProblem[];
}

export interface TimeScene {
	/** The text without the messages that it quotes. */
	readonly text: string;
	/** The user's newest message, in which no time may be overlooked. */
	readonly newest: string;
	readonly timezone: string;
	/** Milliseconds since the epoch. */
	readonly now: number;
}

/** What the words mean, or a text that says why they can't be read. */
type Meaning = { readonly at: readonly number[]; readonly isSkipped?: boolean } | { readonly cron: string } | string;

const UNDECIDED = "not decided yet";
/** The last words of every problem that only another time solves, because problems are shown as questions. */
const WHEN_DUE = "When is the plan due?";

/** Reads from the words when a plan is due, using the bridge's own clock. Uses only times that the words themselves name. */
export function readTime(when: When, scene: TimeScene): TimeDraft {
	if (when.kind === "now") return immediate(scene);
	const said = quotedFrom(scene.text, when.words);
	const meaning = when.words.every((part) => stands(scene.text, part))
		? meaningOf(when, when.words.join(" "), scene)
		: "The time can't be found in your sentence";
	if (typeof meaning === "string") return { ...open(scene, [unclear(`${meaning}. ${WHEN_DUE}`)]), said };
	const draft = "cron" in meaning ? recurring(meaning.cron, scene) : scheduled(meaning.at, meaning.isSkipped === true, scene);
	return { ...draft, said, problems: [...draft.problems, ...overlookedIn(when, scene)] };
}

function immediate(scene: TimeScene): TimeDraft {
	const { timezone } = scene;
	const terms = { type: "immediate", timezone, scheduleWords: scheduleWords({ type: "immediate", timezone }) } as const;
	const overlooked = plainTimeIn(scene.newest);
	if (overlooked === undefined) return { terms, problems: [] };
	const question = `“${overlooked.slice(0, 100)}” looks like a time. Should the plan begin right away?`;
	return { terms, problems: [{ ...unclear(question), choices: [{ label: "Right away" }] }] };
}

function scheduled(at: readonly number[], isSkipped: boolean, scene: TimeScene): TimeDraft {
	const { now, timezone } = scene;
	const [first] = at;
	if (first === undefined) return open(scene, [unclear(`There is no such day. ${WHEN_DUE}`)]);
	const choices = at.filter((each) => each > now).map((each) => choice(each, timezone));
	if (at.length > 1 && choices.length > 0) {
		return open(scene, [
			{ code: "TIME_AMBIGUOUS", blocks: true, question: "The words can mean more than one time. Which one do you mean?", choices },
		]);
	}
	if (first <= now) return open(scene, [past(first, scene)]);
	const scheduledFor = timestamp(first);
	const terms = { type: "scheduled", scheduledFor, timezone } as const;
	const refused = refusal(() => checkSchedule(terms, now));
	if (refused !== undefined) return open(scene, [unclear(`${refused} ${WHEN_DUE}`)]);
	const words = scheduleWords(terms);
	const note = { ...unclear(`The clocks skip this time that day, so the plan is due on ${wordsOf(first, timezone)}.`), blocks: false };
	return { terms: { ...terms, scheduleWords: words }, problems: isSkipped ? [note] : [] };
}

function recurring(cron: string, scene: TimeScene): TimeDraft {
	const { now, timezone } = scene;
	const terms = { type: "recurring", cron, timezone } as const;
	const refused = refusal(() => checkSchedule(terms, now));
	return refused === undefined
		? { terms: { ...terms, scheduleWords: scheduleWords(terms) }, problems: [] }
		: open(scene, [unclear(`${refused} ${WHEN_DUE}`)]);
}

/** Asks about words that the time leaves out. The answer to each question is to accept the time as shown. */
function overlookedIn(when: Exclude<When, { kind: "now" }>, { newest, timezone }: TimeScene): readonly DraftProblem[] {
	const isRepeating = when.kind === "every" || when.kind === "pace";
	const left = isRepeating ? leftOutOfSchedule(newest) : undefined;
	const repeat = isRepeating ? undefined : repeatIn(newest, when.words);
	const zone = otherZone(newest, timezone);
	return [
		...(left === undefined ? [] : [`The schedule leaves out “${left}”. Should the plan be due as shown?`]),
		...(repeat === undefined ? [] : [`“${repeat}” looks like a repeating time. Should the plan be due only once, as shown?`]),
		...(zone === undefined
			? []
			: [`Your sentence says “${zone}”, but the plan's times are in ${timezone}. Should the plan be due as shown?`]),
	].map((question) => ({ ...unclear(question), choices: [{ label: "As shown" }] }));
}

/** Words of the sentence, with an ellipsis wherever the sentence has other words between them. At most 300 characters. */
function quotedFrom(text: string, words: readonly string[]): string {
	const isTogether = stands(text.replace(/\s+/g, " "), words.join(" "));
	return words.join(isTogether ? " " : " … ").slice(0, 300);
}

/** A draft without a time, from which no plan can be made. */
function open({ timezone }: TimeScene, problems: readonly DraftProblem[]): TimeDraft {
	return { terms: { type: "scheduled", timezone, scheduleWords: UNDECIDED }, problems };
}

function past(at: number, { now, timezone }: TimeScene): DraftProblem {
	const wall = wallTime(timezone, at);
	const today = wallTime(timezone, now);
	const next = [0, 1]
		.flatMap((days) => instantsOf(timezone, { ...wall, ...dayAfter(today, days) }).slice(0, 1))
		.filter((each) => each > now)
		.slice(0, 1);
	const question = `This time has passed: ${wordsOf(at, timezone)}. When is the plan due instead?`;
	return { code: "TIME_PAST", blocks: true, question, choices: next.map((each) => choice(each, timezone)) };
}

function meaningOf(when: Exclude<When, { kind: "now" }>, words: string, scene: TimeScene): Meaning {
	const { isAgain } = readTimeWords(words);
	if (when.kind === "every" || when.kind === "pace")
		return isAgain ? againTime(when, words) : "Your sentence doesn't say when the plan recurs";
	if (isAgain || when.kind === "other") return `“${words.slice(0, 200)}” can't be read as a time`;
	return when.kind === "in" ? spanMeaning(when, words, scene) : clockMeaning(when, words, scene);
}

function spanMeaning({ amount, unit }: Extract<When, { kind: "in" }>, words: string, { now, timezone }: TimeScene): Meaning {
	const { digits, days } = readTimeWords(words);
	const isNamed =
		namesNumber(words, amount) &&
		namesUnit(words, unit) &&
		digits.every((digit) => digit === amount) &&
		days.length === 0 &&
		!namesHalf(words);
	if (!isNamed) return `“${words.slice(0, 200)}” can't be read as a length of time`;
	if (unit === "minutes" || unit === "hours") return { at: [now + amount * (unit === "minutes" ? 60_000 : 3_600_000)] };
	// Adding days keeps the time of day, even if a clock change makes a day longer or shorter.
	const wall = wallTime(timezone, now);
	return placed([{ ...wall, ...dayAfter(wall, amount * (unit === "days" ? 1 : 7)) }], timezone);
}

function clockMeaning({ day, clock }: Extract<When, { kind: "at" }>, words: string, { now, timezone }: TimeScene): Meaning {
	const today = wallTime(timezone, now);
	const days = dayMeanings(day, words, today);
	if (typeof days === "string") return days;
	if (clock === undefined) return `“${words.slice(0, 200)}” doesn't name a time of day`;
	const clocks = clockMeanings(clock, words, typeof day === "object" ? day : undefined);
	if (typeof clocks === "string") return clocks;
	const times = days.flatMap((each) => clocks.map((time) => ({ ...each, ...time })));
	const isNear = day === undefined || day === "today";
	return isNear
		? nearest(times, { now, timezone }, day === undefined)
		: placed(times.slice(0, hasChoice(clocks, times) ? undefined : 1), timezone);
}

/**
 * True if several readings are offered as a choice: if the words may mean either of two days, or give a bare hour below 7, which may
 * be a.m. or p.m. Otherwise, the first reading is used.
 */
function hasChoice(clocks: readonly { readonly hour: number }[], times: readonly ClockTime[]): boolean {
	const [first] = clocks;
	return clocks.length < 2 ? times.length > 1 : first !== undefined && (first.hour < 7 || times.length > clocks.length);
}

/**
 * Chooses among the readings of a time today: the first if it is the only one or still to come; otherwise those still to come today or, if
 * no day is named, the next two. If none of today's is still to come, the first.
 */
function nearest(times: readonly ClockTime[], { now, timezone }: Pick<TimeScene, "now" | "timezone">, isAnyDay: boolean): Meaning {
	const [first] = times;
	if (first === undefined) return { at: [] };
	const begin = placed([first], timezone);
	if ((begin.at[0] ?? 0) > now || times.length === 1) return begin;
	const later = placed(times.slice(1), timezone).at.filter((at) => at > now);
	if (!isAnyDay) return later.length === 0 ? begin : { at: later };
	const tomorrow = placed([{ ...first, ...dayAfter(first, 1) }], timezone).at;
	// The user may mean a later time today or a time tomorrow, so the next two are returned.
	const both = [
		...later,
		...tomorrow,
		...placed(
			times.slice(1).map((time) => ({ ...time, ...dayAfter(time, 1) })),
			timezone,
		).at,
	];
	return { at: both.slice(0, 2) };
}

function placed(times: readonly ClockTime[], timezone: string): { readonly at: readonly number[]; readonly isSkipped: boolean } {
	const found = times.map((time) => {
		const at = instantsOf(timezone, time);
		return at.length === 0 ? { at: [afterGap(timezone, time)], isSkipped: true } : { at, isSkipped: false };
	});
	return { at: found.flatMap(({ at }) => at), isSkipped: found.some(({ isSkipped }) => isSkipped) };
}

function choice(at: number, timezone: string): DraftChoice {
	return { label: wordsOf(at, timezone), scheduledFor: timestamp(at) };
}

function wordsOf(at: number, timezone: string): string {
	return scheduleWords({ type: "scheduled", scheduledFor: timestamp(at), timezone }).replace(/^once, on /, "");
}

function unclear(question: string): DraftProblem {
	return { code: "TIME_UNCLEAR", blocks: true, question: question.slice(0, 500), choices: [] };
}

function refusal(check: () => void): string | undefined {
	try {
		check();
		return undefined;
	} catch (error) {
		if (!(error instanceof ContractError)) throw error;
		return error.message;
	}
}
