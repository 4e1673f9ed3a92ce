import { defineTool } from "@xworkmate/tool";
import { z } from "zod";
import { account } from "./account.ts";
import { CalendarClient } from "./client.ts";
import { momentOf } from "./repeat.ts";
import { formatTime, parseTime, spokenTime, type Time } from "./time.ts";

const MAX_EVENTS = 500;
const TIME = "A day like 2026-05-04, a time with offset like 2026-05-04T10:00:00+02:00, or one without if timeZone is given";

const time = z.string().max(40).describe(TIME);
const timeZone = z.string().max(64).optional().describe("Of times without an offset, like Europe/Berlin");
const title = z.string().min(1).max(500);
/** Of an event that exists, which may have none. */
const listedTitle = z.string().max(5_000);
const id = z.string().min(1).max(500);

/** A quotation mark inside is escaped, so that a title cannot pass for the rest of the sentence. */
const quoted = (text: string) => JSON.stringify(text);

/** Only an account has a password. */
const secrets = account === undefined ? [] : ["calendar.password"];

const Listed = z.strictObject({
	id: z.string(),
	title: z.string(),
	start: z.string(),
	/** The first moment after it; for whole days the day after the last. */
	end: z.string(),
	timeZone: z.string().optional(),
	location: z.string().optional(),
	/** It repeats: this is one of its times, and `seriesStart` is its first. */
	repeats: z.boolean(),
	seriesStart: z.string().optional(),
});

export const listEvents = defineTool({
	id: "calendar.events.list",
	risk: "read",
	keyRead: true,
	secrets,
	input: z.strictObject({ from: time, to: time, timeZone }),
	output: z.strictObject({
		events: z.array(Listed),
		/** There are more than 500. */
		truncated: z.boolean(),
		/** Events that may be within the range and could not be read, with the reason. */
		notShown: z.array(z.strictObject({ id: z.string(), title: z.string(), reason: z.string() })),
	}),
	policy: { default: "allow" },
	describe: (input) => `List the events from ${spokenTime(input.from, input.timeZone)} to ${spokenTime(input.to, input.timeZone)}`,
	handler: async (input, ctx) => {
		const range = { from: momentOf(parseTime(input.from, input.timeZone)), to: momentOf(parseTime(input.to, input.timeZone)) };
		const { found, notShown } = await new CalendarClient(ctx).list(range);
		// Events that are saved in UTC are shown in the zone that was asked in.
		const shown = (given: Time) => formatTime(given.kind === "instant" ? { zone: input.timeZone, ...given } : given);
		const events = found.slice(0, MAX_EVENTS).map(({ event, start, end }) => ({
			id: event.id,
			title: event.title,
			start: shown(start),
			end: shown(end),
			...(start.kind === "instant" && start.zone !== undefined ? { timeZone: start.zone } : {}),
			...(event.location === "" ? {} : { location: event.location }),
			repeats: event.repeats !== undefined || event.replaces !== undefined,
			...(event.repeats === undefined ? {} : { seriesStart: shown(event.start) }),
		}));
		return { events, truncated: Math.max(found.length, notShown.length) > MAX_EVENTS, notShown: notShown.slice(0, MAX_EVENTS) };
	},
});

export const createEvent = defineTool({
	id: "calendar.events.create",
	risk: "write",
	// The event's id comes from the idempotency key, and a server creates an id once (If-None-Match).
	idempotent: true,
	secrets,
	input: z.strictObject({
		title,
		start: time,
		end: time.describe("The first moment after it. For whole days: the day after the last"),
		timeZone,
		location: z.string().max(500).optional(),
		notes: z.string().max(5_000).optional(),
	}),
	output: z.strictObject({ id: z.string(), start: z.string(), end: z.string() }),
	policy: { default: "ask" },
	describe: ({ title, start, end, timeZone, location }) =>
		`Create the event ${quoted(title)} from ${spokenTime(start, timeZone)} to ${spokenTime(end, timeZone)}${location === undefined ? "" : ` at ${quoted(location)}`}`,
	handler: async ({ title, location, notes, timeZone, ...input }, ctx) => {
		const [start, end] = [parseTime(input.start, timeZone), parseTime(input.end, timeZone)];
		const id = await new CalendarClient(ctx).create({ title, start, end, location, notes });
		return { id, start: formatTime(start), end: formatTime(end) };
	},
});

export const moveEvent = defineTool({
	id: "calendar.events.move",
	risk: "write",
	// The moved event carries the call's key, and only the version that was read is replaced (If-Match).
	idempotent: true,
	secrets,
	input: z.strictObject({
		id,
		title: listedTitle.describe("As it is listed; nothing is moved if the event has another title"),
		start: time.describe("As it is listed; nothing is moved if the event has another start"),
		newStart: time,
		newEnd: time,
		timeZone,
	}),
	output: z.strictObject({ id: z.string(), start: z.string(), end: z.string() }),
	policy: { default: "ask" },
	describe: ({ title, start, newStart, newEnd, timeZone }) =>
		`Move the event ${quoted(title)} of ${spokenTime(start, timeZone)} to ${spokenTime(newStart, timeZone)} until ${spokenTime(newEnd, timeZone)}`,
	handler: async ({ id, title, start, newStart, newEnd, timeZone }, ctx) => {
		const [from, to] = [parseTime(newStart, timeZone), parseTime(newEnd, timeZone)];
		await new CalendarClient(ctx).move({ id, title, start: parseTime(start, timeZone) }, from, to);
		return { id, start: formatTime(from), end: formatTime(to) };
	},
});

export const deleteEvent = defineTool({
	id: "calendar.events.delete",
	risk: "destructive",
	// A second attempt that finds no event has nothing to do.
	idempotent: true,
	secrets,
	input: z.strictObject({
		id,
		title: listedTitle.describe("As it is listed; nothing is deleted if the event has another title"),
		start: time.describe("As it is listed, of a repeating event its seriesStart; nothing is deleted if the event has another start"),
		timeZone,
		series: z.boolean().optional().describe("Must be true for a repeating event: all of its times are deleted"),
	}),
	output: z.strictObject({ id: z.string(), deleted: z.literal(true) }),
	policy: { default: "ask" },
	describe: ({ title, start, timeZone, series }) =>
		series === true
			? `Delete the repeating event ${quoted(title)} with all its times, from ${spokenTime(start, timeZone)} on`
			: `Delete the event ${quoted(title)} of ${spokenTime(start, timeZone)}`,
	handler: async ({ id, title, start, timeZone, series = false }, ctx) => {
		await new CalendarClient(ctx).delete({ id, title, start: parseTime(start, timeZone) }, series);
		return { id, deleted: true as const };
	},
});
