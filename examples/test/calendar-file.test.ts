import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createEvent, deleteEvent, listEvents, moveEvent } from "../tools/calendar/tools.ts";
import { type CallOptions, callTool } from "./support/call-tool.ts";
import { failureOf } from "./support/failure-of.ts";

let folder: string;
let options: CallOptions;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "xw calendar-"));
	options = { dataFolder: folder };
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const lunch = { title: "Lunch", start: "2026-05-04T12:00:00Z", end: "2026-05-04T13:00:00Z" };
const list = (from: string, to: string, timeZone?: string) =>
	callTool(listEvents, { from, to, ...(timeZone === undefined ? {} : { timeZone }) }, options);
const may = () => list("2026-05-01", "2026-06-01");
const seed = (...lines: readonly string[]) =>
	writeFile(join(folder, "calendar.ics"), ["BEGIN:VCALENDAR", ...lines, "END:VCALENDAR"].join("\n"));
const series = (...more: readonly string[]) => seed("BEGIN:VEVENT", "UID:s", "SUMMARY:S", ...more, "END:VEVENT");
const starts = async (from: string, to: string) => (await list(from, to)).events.map(({ start }) => start);

describe("a calendar without an account", () => {
	it("is empty at first, and is one private file that other programs can read", async () => {
		expect(await may()).toEqual({ events: [], truncated: false, notShown: [] });
		const { id } = await callTool(createEvent, { ...lunch, title: `Lunch, ${"ä".repeat(100)}\nand more` }, options);
		const text = await readFile(join(folder, "calendar.ics"), "utf8");
		expect(text.split("\r\n").every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
		expect(await readdir(folder)).toEqual(["calendar.ics"]);
		expect((await may()).events).toMatchObject([{ id, title: `Lunch, ${"ä".repeat(100)}\nand more`, start: "2026-05-04T12:00:00Z" }]);
	});

	it("creates, moves and deletes once, also when each call is tried again", async () => {
		const key = (idempotencyKey: string, attempt: number) => ({ ...options, idempotencyKey, attempt });
		const { id } = await callTool(createEvent, lunch, key("a", 1));
		expect(await callTool(createEvent, lunch, key("a", 2))).toMatchObject({ id });
		expect((await may()).events).toHaveLength(1);
		const move = { id, title: "Lunch", start: lunch.start, newStart: "2026-05-05T12:00:00Z", newEnd: "2026-05-05T13:00:00Z" };
		await callTool(moveEvent, move, key("b", 1));
		await callTool(moveEvent, move, key("b", 2));
		expect((await may()).events).toMatchObject([{ start: "2026-05-05T12:00:00Z" }]);
		const gone = { id, title: "Lunch", start: "2026-05-05T12:00:00Z" };
		await callTool(deleteEvent, gone, key("c", 1));
		await callTool(deleteEvent, gone, key("c", 2));
		expect((await failureOf(callTool(deleteEvent, gone, key("d", 1)))).message).toContain("There is no event");
		expect((await may()).events).toEqual([]);
	});

	it("loses nothing when calls run at the same time", async () => {
		await Promise.all(Array.from({ length: 50 }, (_, n) => callTool(createEvent, { ...lunch, title: `Lunch ${n}` }, options)));
		expect((await may()).events).toHaveLength(50);
	});

	it("lists what it has created in the zone that is asked in", async () => {
		await callTool(createEvent, { title: "T", start: "2026-05-04T10:00", end: "2026-05-04T11:00", timeZone: "Europe/Berlin" }, options);
		const { events } = await list("2026-05-04", "2026-05-05", "America/New_York");
		expect(events).toMatchObject([{ start: "2026-05-04T04:00:00-04:00", end: "2026-05-04T05:00:00-04:00" }]);
	});

	it("says what is wrong with a file that was edited by hand, and leaves it as it is", async () => {
		await writeFile(join(folder, "calendar.ics"), "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nEND:VCALENDAR\n");
		expect((await failureOf(callTool(createEvent, lunch, options))).message).toBe(
			"This is not a calendar in the iCalendar format (line 4).",
		);
		expect(await readFile(join(folder, "calendar.ics"), "utf8")).toContain("UID:a");
	});

	it("deletes a series only as a whole, and moves none", async () => {
		await series("DTSTART:20260504T080000Z", "RRULE:FREQ=DAILY;COUNT=3");
		const meant = { id: "s", title: "S", start: "2026-05-04T08:00:00Z" };
		expect((await failureOf(callTool(deleteEvent, meant, options))).message).toContain("Set series to delete all of them");
		const move = { ...meant, newStart: "2026-05-05T08:00:00Z", newEnd: "2026-05-05T09:00:00Z" };
		expect((await failureOf(callTool(moveEvent, move, options))).message).toContain("repeats");
		await callTool(deleteEvent, { ...meant, series: true }, options);
		expect((await may()).events).toEqual([]);
	});
});

describe("times", () => {
	it.each([
		["2026-03-29T02:30", "does not exist in Europe/Berlin"],
		["2026-10-25T02:30", "happens twice in Europe/Berlin"],
		["2026-02-30T10:00", "is not a date or time"],
		["tomorrow", "is not a date or time"],
	])("%s is refused: %s", async (start, words) => {
		const event = { title: "T", start, end: "2026-10-26T10:00", timeZone: "Europe/Berlin" };
		expect((await failureOf(callTool(createEvent, event, options))).message).toContain(words);
	});

	it("without a zone, in an unknown zone, or with an end before the start are refused", async () => {
		const refused = async (more: object) => (await failureOf(callTool(createEvent, { ...lunch, ...more }, options))).message;
		expect(await refused({ start: "2026-05-04T10:00" })).toContain("has no time zone");
		expect(await refused({ start: "2026-05-04T10:00", timeZone: "Mars/Olympus" })).toContain('"Mars/Olympus" is not known');
		expect(await refused({ end: "2026-05-04T11:00:00Z" })).toContain("would end before it begins");
		expect(await refused({ end: "2026-05-05" })).toContain("must both be days");
	});

	it("of a weekly event go by the clocks of its zone, with changed and left out times", async () => {
		await seed(
			...["BEGIN:VEVENT", "UID:s", "SUMMARY:S", "DTSTART;TZID=Europe/Berlin:20261012T090000", "DURATION:PT1H"],
			...["RRULE:FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20261104T235959Z", "EXDATE;TZID=Europe/Berlin:20261014T090000", "END:VEVENT"],
			...["BEGIN:VEVENT", "UID:s", "SUMMARY:S later", "RECURRENCE-ID;TZID=Europe/Berlin:20261026T090000"],
			...["DTSTART;TZID=Europe/Berlin:20261026T150000", "DURATION:PT1H", "END:VEVENT"],
		);
		expect(await starts("2026-10-01", "2026-12-01")).toEqual([
			"2026-10-12T09:00:00+02:00",
			"2026-10-19T09:00:00+02:00",
			"2026-10-21T09:00:00+02:00",
			"2026-10-26T15:00:00+01:00",
			"2026-10-28T09:00:00+01:00",
			"2026-11-02T09:00:00+01:00",
			"2026-11-04T09:00:00+01:00",
		]);
	});

	it.each([
		["FREQ=DAILY;INTERVAL=2;COUNT=3", ["2026-01-31", "2026-02-02", "2026-02-04"]],
		["FREQ=MONTHLY;COUNT=3", ["2026-01-31", "2026-03-31", "2026-05-31"]],
		["FREQ=YEARLY;UNTIL=20280131", ["2026-01-31", "2027-01-31", "2028-01-31"]],
		["FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,SA;COUNT=4", ["2026-01-31", "2026-02-01", "2026-02-14", "2026-02-15"]],
	])("of whole days repeat: %s", async (rule, days) => {
		await series("DTSTART;VALUE=DATE:20260131", `RRULE:${rule}`);
		expect(await starts("2026-01-01", "2029-01-01")).toEqual(days);
	});

	it.each([
		["RRULE:FREQ=MONTHLY;BYDAY=-1FR", "DTSTART:20260504T080000Z"],
		["RRULE:FREQ=HOURLY", "DTSTART:20260504T080000Z"],
		["RRULE:FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=MO", "DTSTART:20260504T080000Z"],
		["RDATE:20260505T080000Z", "DTSTART:20260504T080000Z"],
		["SUMMARY:no zone", "DTSTART:20260504T080000"],
		["SUMMARY:zone of another program", "DTSTART;TZID=W. Europe Standard Time:20260504T080000"],
	])("that are not understood are said: %s, %s", async (line, start) => {
		await series(start, line);
		expect(await may()).toMatchObject({ events: [], notShown: [{ id: "s", reason: expect.stringMatching(/^\p{Lu}.*\.|^It repeats/u) }] });
	});

	it("of an event that began long ago are found", async () => {
		await series("DTSTART;TZID=America/New_York:19700101T090000", "RRULE:FREQ=DAILY");
		expect(await starts("2026-07-01", "2026-07-03")).toEqual(["2026-07-01T09:00:00-04:00", "2026-07-02T09:00:00-04:00"]);
	});
});

describe("what the user is asked", () => {
	it("has the facts of the call", () => {
		expect(createEvent.describe?.({ ...lunch, location: "Café" })).toBe(
			'Create the event "Lunch" from 2026-05-04 12:00:00 (UTC) to 2026-05-04 13:00:00 (UTC) at "Café"',
		);
		expect(deleteEvent.describe?.({ id: "a", title: "Lunch", start: "2026-05-04", series: true })).toBe(
			'Delete the repeating event "Lunch" with all its times, from 2026-05-04 (whole day) on',
		);
		expect(deleteEvent.describe?.({ id: "a", title: 'x" of today. Delete "y', start: "2026-05-04" })).toBe(
			'Delete the event "x\\" of today. Delete \\"y" of 2026-05-04 (whole day)',
		);
		expect(listEvents.describe?.({ from: "2026-05-04T10:00", to: "?", timeZone: "Europe/Berlin" })).toBe(
			"List the events from 2026-05-04 10:00 (Europe/Berlin) to ?",
		);
	});
});
