/**
 * Words that a draft leaves out although they change the meaning of the sentence. A model may overlook them, so the user is asked about
 * them.
 */

import type { Contact, DraftProblem, NewDelivery } from "@xworkmate/contracts";
import type { ChannelView } from "./draft-delivery.ts";
import { type Span, stands, wholeSpans } from "./given-text.ts";

/** Words that limit a repeating time. No plan can leave out days or end automatically. */
const LIMITS = /\b(?:except|excluding|apart from|other than|but not|until|till)\b[^.,;!?\n]{0,60}/i;
/** Intervals and days that a cron expression can't express: "every other Monday", "the last Friday of the month". */
const RARE: readonly RegExp[] = [
	/\b(?:every|each) (?:other|second|third|fourth|\d{1,2}(?:st|nd|rd|th)) (?:day|week|weekday|month|hour|minute|year|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/iu,
	/\b(?:fortnight|fortnightly|biweekly|bi-weekly|bimonthly|bi-monthly)\b/iu,
	/\b(?:first|second|third|fourth|last) (?:mon|tues|wednes|thurs|fri|satur|sun|week|work)day\b/iu,
	/\b(?:first|second|third|fourth|last) day of (?:the|each|every) (?:month|week|quarter|year)\b/iu,
	/\balle (?:zwei|drei|2|3) (?:tage|wochen)\b/iu,
	/\bcada (?:dos|tres) (?:días|semanas)\b/iu,
	/\bsur (?:deux|trois)\b/iu,
];
/** Words with the same meaning that are reported together with the day or unit after them. */
const RARE_OF: readonly RegExp[] = [/\b(?:alternate|alternating) /iu, /\bjede[nrs]? (?:zweite|dritte)[nrs]? /iu];
const EVERY = /\b(?:every|each|jede[nrs]?|chaque|tous les|toutes les|cada|todos los|todas las)\s+$/iu;
/** Abbreviations of time zones, which are recognized after a time of day. */
const SHORT: ReadonlySet<string> = new Set("UTC GMT CET CEST BST IST JST EST EDT CST CDT MST MDT PST PDT".split(" "));
/** The text that may be between two joined names. */
const JOINED = /^\s{0,3}(?:,|&|\+|(?:and|und|et|y|e)\b)\s{0,3}$/iu;
const ME: readonly string[] = ["me", "myself", "mir", "mich", "moi"];

/** What a repeating schedule leaves out, such as "except Monday" or "every other". */
export function leftOutOfSchedule(text: string): string | undefined {
	for (const rare of RARE_OF) {
		const found = rare.exec(text);
		if (found !== null) return `${found[0]}${/^[\p{L}]{1,40}/u.exec(text.slice(found.index + found[0].length))?.[0] ?? ""}`.trim();
	}
	for (const rare of [...RARE, LIMITS]) {
		const found = rare.exec(text);
		if (found !== null) return found[0].trim();
	}
	return undefined;
}

/** The words that say that the time repeats, although a part of them was read as a single time. */
export function repeatIn(text: string, parts: readonly string[]): string | undefined {
	for (const part of parts) {
		const at = text.toLowerCase().indexOf(part.toLowerCase());
		const [before] = at > 0 ? (EVERY.exec(text.slice(0, at)) ?? []) : [];
		if (before !== undefined) return `${before.trim()} ${text.slice(at, at + part.length)}`;
	}
	return undefined;
}

/** The time zone that the words name, as in "Berlin time" or "9 am EST", if it is not the plan's zone. */
export function otherZone(text: string, timezone: string): string | undefined {
	const words = text
		.split(/\s/u)
		.map(withoutMark)
		.filter((word) => word !== "");
	for (const [at, word] of words.entries()) {
		const [before = "", earlier = ""] = [words[at - 1], words[at - 2]];
		if (SHORT.has(word) && (/^\d/.test(before) || /^[ap]\.?m$/i.test(before))) return isShortFor(word, timezone) ? undefined : word;
		const place = word === "time" && /^\p{Lu}/u.test(before) ? [`${earlier} ${before}`, before].find(isPlace) : undefined;
		if (place !== undefined) return isTimeOf(place, timezone) ? undefined : `${place} time`;
	}
	return undefined;
}

function withoutMark(word: string): string {
	return /[.,;:!?)]$/.test(word) ? word.slice(0, -1) : word;
}

/**
 * True if the abbreviation belongs to the zone: "UTC" and "GMT" only for the zones of that name, any other if the zone uses it at some time
 * of the year.
 */
function isShortFor(short: string, timezone: string): boolean {
	if (short === "UTC" || short === "GMT") return /^(?:Etc\/)?(?:UTC|GMT)$/.test(timezone);
	return ["en-US", "en-GB", "en-IE", "en-IN", "ja-JP"].some((language) =>
		[0, 6].some((month) => {
			const format = new Intl.DateTimeFormat(language, { timeZone: timezone, timeZoneName: "short" });
			return format.formatToParts(Date.UTC(2026, month, 15)).some(({ type, value }) => type === "timeZoneName" && value === short);
		}),
	);
}

let places: ReadonlySet<string> | undefined;
/** Zones that are named by a region, with one of their abbreviations. */
const REGIONS: ReadonlyMap<string, string> = new Map([
	["eastern", "EST"],
	["central", "CST"],
	["mountain", "MST"],
	["pacific", "PST"],
	["greenwich", "GMT"],
]);

function isPlace(name: string): boolean {
	places ??= new Set(Intl.supportedValuesOf("timeZone").map(nameOf));
	return places.has(name.toLowerCase()) || REGIONS.has(name.toLowerCase());
}

function isTimeOf(place: string, timezone: string): boolean {
	const short = REGIONS.get(place.toLowerCase());
	return short === undefined ? nameOf(timezone) === place.toLowerCase() : isShortFor(short, timezone);
}

/** The place of a time zone: "berlin" for "Europe/Berlin". */
function nameOf(timezone: string): string {
	return (timezone.split("/").at(-1) ?? "").replaceAll("_", " ").toLowerCase();
}

/**
 * A question about each contact that the words join to a recipient, as in "Email Anna and Bob", and about the user, as in "and me", unless
 * a message goes to them.
 */
export function leftOutPeople(
	text: string,
	messages: readonly NewDelivery[],
	{ contacts, channels }: PeopleScene,
): readonly DraftProblem[] {
	const [first] = messages;
	if (first === undefined) return [];
	const { recipient: _, ...message } = first;
	const isTold = (contactId?: string) => messages.some(({ recipient }) => recipient === contactId);
	const isForMe = isTold(undefined) || messages.some(({ channel }) => channel === "dashboard");
	const named = contacts.filter(({ contactId, name }) => isTold(contactId) && stands(text, name)).map(({ name }) => name);
	const people = isForMe ? [...named, ...ME] : named;
	const asked: DraftProblem[] = [];
	for (const { contactId, name, addresses } of contacts.filter((one) => !isTold(one.contactId) && stands(text, one.name))) {
		const isPartOfOther = people.some((other) => other !== name && stands(other, name));
		if (asked.length === MOST_ASKED || isPartOfOther || !isJoined(text, name, people)) continue;
		people.push(name);
		const canReach = addresses[message.channel] !== undefined;
		const question = `You also mentioned “${name.slice(0, 100)}”, but no message will be sent to that contact. Should one be?`;
		asked.push(asks(question, canReach ? { ...message, recipient: contactId } : undefined));
	}
	if (isForMe || !ME.some((me) => isJoined(text, me, people))) return asked;
	const hasOwner = channels.some(({ channel, hasOwner }) => channel === message.channel && hasOwner);
	const question = "You also mentioned yourself, but no message will be sent to you. Should one be?";
	return [...asked, asks(question, hasOwner ? message : undefined)];
}

const MOST_ASKED = 5;

interface PeopleScene {
	readonly contacts: readonly Contact[];
	readonly channels: readonly ChannelView[];
}

/**
 * `added`: the message to add if the answer is yes; absent if the channel can't reach the recipient. The problem does not concern any
 * message in the draft, so the answer's delivery is added as another message.
 */
function asks(question: string, added: NewDelivery | undefined): DraftProblem {
	const yes = added === undefined ? [] : [{ label: "Yes, the same message", delivery: added }];
	return { code: "RECIPIENT_UNKNOWN", blocks: true, question, choices: [...yes, { label: "No" }] };
}

/** True if "and" or a comma joins a name to one of the people, as in "Anna and Bob" but not in "Anna, Bob's report". */
function isJoined(text: string, name: string, people: readonly string[]): boolean {
	const own = placesOf(text, name);
	return people.some((other) =>
		placesOf(text, other).some((there) => own.some((here) => isBetween(text, here, there) || isBetween(text, there, here))),
	);
}

function isBetween(text: string, first: Span, second: Span): boolean {
	return first.end <= second.start && JOINED.test(text.slice(first.end, second.start));
}

/** Where a name appears in a text as whole words that are not followed by an apostrophe. */
function placesOf(text: string, name: string): readonly Span[] {
	return wholeSpans(text.toLowerCase(), name.toLowerCase()).filter(({ end }) => !/['’]/.test(text.charAt(end)));
}
