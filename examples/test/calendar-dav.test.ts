import { OutcomeUnknown, ToolFailed } from "@xworkmate/tool";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type FakeService, startFakeService } from "../../e2e/support/services/fake-service.ts";
import { createEvent, deleteEvent, listEvents, moveEvent } from "../tools/calendar/tools.ts";
import { type CallOptions, callTool } from "./support/call-tool.ts";
import { failureOf } from "./support/failure-of.ts";

// The user would write the account into this file.
vi.mock("../tools/calendar/account.ts", () => ({ account: { url: "https://dav.test/dav/calendars/ada/home", user: "ada" } }));

const PASSWORD = "ada's password";
const CALENDAR = "/dav/calendars/ada/home/";
const meeting = { title: "Review; the <second>, & last", start: "2026-05-04T10:00", end: "2026-05-04T10:30", timeZone: "Europe/Berlin" };
const week = { from: "2026-05-03", to: "2026-05-10" };

let server: FakeService;
let options: CallOptions;
beforeEach(async () => {
	server = await startFakeService("caldav");
	options = { services: { "https://dav.test": server.url }, secrets: { "calendar.password": PASSWORD } };
});
afterEach(() => server[Symbol.asyncDispose]());

const events = async () => (await callTool(listEvents, week, options)).events;
const authorization = `Basic ${Buffer.from(`ada:${PASSWORD}`).toString("base64")}`;
const onServer = (path: string, init: RequestInit) =>
	fetch(`${server.url}${CALENDAR}${path}`, { ...init, headers: { authorization, "content-type": "text/calendar", ...init.headers } });

function ics(...lines: readonly string[]): string {
	return ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//other//EN", "BEGIN:VEVENT", ...lines, "END:VEVENT", "END:VCALENDAR", ""].join(
		"\r\n",
	);
}

describe("a calendar on a CalDAV server", () => {
	it("[T1-92] creates, lists, moves and deletes an event, each once", async () => {
		const { id, start } = await callTool(createEvent, { ...meeting, location: "Room 1" }, options);
		expect(start).toBe("2026-05-04T10:00:00+02:00");
		expect(await events()).toEqual([
			{ id, title: meeting.title, start: "2026-05-04T08:00:00Z", end: "2026-05-04T08:30:00Z", location: "Room 1", repeats: false },
		]);
		const moved = { id, title: meeting.title, start, newStart: "2026-05-05T09:00:00Z", newEnd: "2026-05-05T10:00:00Z" };
		await callTool(moveEvent, moved, options);
		expect(await events()).toMatchObject([{ id, start: "2026-05-05T09:00:00Z", end: "2026-05-05T10:00:00Z", location: "Room 1" }]);
		await callTool(deleteEvent, { id, title: meeting.title, start: "2026-05-05T09:00:00Z" }, options);
		expect(await events()).toEqual([]);
		expect(await server.effects()).toEqual([
			{ kind: "event.created", key: id, count: 1 },
			{ kind: "event.changed", key: id, count: 1 },
			{ kind: "event.deleted", key: id, count: 1 },
		]);
	});

	it("does nothing twice when a call is tried again after its answer was lost", async () => {
		const again = { ...options, idempotencyKey: "call of run", attempt: 2 };
		const once = { ...again, attempt: 1 };
		await server.fail({ kind: "reset_after", method: "PUT" });
		expect(await failureOf(callTool(createEvent, meeting, once))).toBeInstanceOf(OutcomeUnknown);
		const { id, start } = await callTool(createEvent, meeting, again);
		const move = { id, title: meeting.title, start, newStart: "2026-05-06T09:00:00Z", newEnd: "2026-05-06T10:00:00Z" };
		expect(await server.effects()).toEqual([{ kind: "event.created", key: id, count: 1 }]);
		await server.fail({ kind: "reset_after", method: "PUT" });
		expect(await failureOf(callTool(moveEvent, move, once))).toBeInstanceOf(OutcomeUnknown);
		await callTool(moveEvent, move, again);
		const gone = { id, title: meeting.title, start: move.newStart };
		await server.fail({ kind: "reset_after", method: "DELETE" });
		expect(await failureOf(callTool(deleteEvent, gone, once))).toBeInstanceOf(OutcomeUnknown);
		await callTool(deleteEvent, gone, again);
		expect((await server.effects()).map(({ count }) => count)).toEqual([1, 1, 1]);
	});

	it("does not overwrite or delete what someone else has changed", async () => {
		const { id, start } = await callTool(createEvent, meeting, options);
		const meant = { id, title: meeting.title, start };
		const path = `${encodeURIComponent(id)}.ics`;
		await onServer(path, { method: "PUT", body: ics(`UID:${id}`, "SUMMARY:Another title", "DTSTART:20260504T080000Z") });
		expect((await failureOf(callTool(deleteEvent, meant, options))).message).toContain("another title or start");
		const move = { ...meant, newStart: "2026-05-06T09:00:00Z", newEnd: "2026-05-06T10:00:00Z" };
		expect((await failureOf(callTool(moveEvent, move, options))).message).toContain("another title or start");
		const others = ics(`UID:${id}`, "SUMMARY:Another title", "DTSTART:20260504T080000Z", "DESCRIPTION:and notes");
		const change = () => onServer(path, { method: "PUT", body: others });
		const renamed = { ...meant, title: "Another title" };
		const atOnce = (method: string) => ({ ...options, before: { method, act: change } });
		expect((await failureOf(callTool(deleteEvent, renamed, atOnce("DELETE")))).message).toContain("changed by someone else at this moment");
		await onServer(path, { method: "PUT", body: others.replace("and notes", "") });
		const renamedMove = { ...move, title: "Another title" };
		expect((await failureOf(callTool(moveEvent, renamedMove, atOnce("PUT")))).message).toContain("changed by someone else at this moment");
		expect(await (await onServer(path, { method: "GET" })).text()).toBe(others);
		expect((await server.effects()).filter(({ kind }) => kind === "event.deleted")).toEqual([]);
	});

	it("keeps everything of an event that it does not know when it moves it", async () => {
		const lines = [
			"UID:kept",
			"SUMMARY:Kept",
			"DTSTART;TZID=Europe/Berlin:20260504T100000",
			"DURATION:PT1H",
			'X-OTHER;A="b:c":d\\,e',
			"ATTENDEE:mailto:ada@example.org",
		];
		await onServer("kept.ics", { method: "PUT", body: ics(...lines) });
		const [event] = await events();
		expect(event).toMatchObject({ start: "2026-05-04T10:00:00+02:00", end: "2026-05-04T11:00:00+02:00", timeZone: "Europe/Berlin" });
		const move = { id: "kept", title: "Kept", start: "2026-05-04T10:00:00+02:00", newStart: "2026-05-07", newEnd: "2026-05-08" };
		await callTool(moveEvent, move, options);
		const text = await (await onServer("kept.ics", { method: "GET" })).text();
		expect(text).toContain('\r\nX-OTHER;A="b:c":d\\,e\r\n');
		expect(text).toContain("\r\nATTENDEE:mailto:ada@example.org\r\n");
		expect(text).toContain("\r\nDTSTART;VALUE=DATE:20260507\r\n");
		expect(text).not.toContain("DURATION");
		expect(await events()).toMatchObject([{ start: "2026-05-07", end: "2026-05-08" }]);
	});

	it("says which events it cannot read, and lists the others", async () => {
		await callTool(createEvent, meeting, options);
		await onServer("odd.ics", {
			method: "PUT",
			body: ics("UID:odd", "SUMMARY:Odd", "DTSTART:20260504T080000Z", "RRULE:FREQ=MONTHLY;BYDAY=1MO"),
		});
		await onServer("outlook.ics", { method: "PUT", body: ics("UID:o", "SUMMARY:O", "DTSTART;TZID=Europe/Nowhere:20260504T080000") });
		const listed = await callTool(listEvents, week, options);
		expect(listed.events).toHaveLength(1);
		expect(listed.notShown.find(({ id }) => id === "odd")).toMatchObject({
			title: "Odd",
			reason: expect.stringContaining("not supported"),
		});
	});

	it("lists the others when the server has something that is no event", async () => {
		const { id } = await callTool(createEvent, meeting, options);
		const response = (name: string, data: string) =>
			`<response><href>${CALENDAR}${name}</href><propstat><prop><getetag>"1"</getetag><calendar-data>${data}</calendar-data></prop></propstat></response>`;
		const whole = ics(`UID:${id}`, "DTSTART:20260504T080000Z");
		const body = `<multistatus xmlns="DAV:">${response("a.ics", whole)}${response("b.ics", "BEGIN:VCALENDAR")}${response("c.ics", ics("DTSTART:20260504T080000Z"))}</multistatus>`;
		await server.fail({ kind: "answer", method: "REPORT", status: 207, body });
		const listed = await callTool(listEvents, week, options);
		expect(listed.events).toMatchObject([{ id }]);
		expect(listed.notShown.map((one) => one.id)).toEqual([`${CALENDAR}b.ics`, `${CALENDAR}c.ics`]);
	});

	it("deletes an event that has no title", async () => {
		await onServer("untitled.ics", { method: "PUT", body: ics("UID:untitled", "DTSTART:20260504T080000Z") });
		const [event] = await events();
		expect(event).toMatchObject({ id: "untitled", title: "" });
		await callTool(deleteEvent, { id: "untitled", title: "", start: event?.start ?? "" }, options);
		expect(await events()).toEqual([]);
	});

	it("says what to do when the server refuses, without the password", async () => {
		const wrong = await failureOf(callTool(listEvents, week, { ...options, secrets: { "calendar.password": "not the password" } }));
		expect(wrong).toBeInstanceOf(ToolFailed);
		expect(wrong.message).toContain("calendar.password");
		expect(wrong.message).not.toContain("not the password");
		await server.fail({ kind: "answer", status: 429 });
		expect((await failureOf(callTool(createEvent, meeting, options))).message).toBe(
			"The event was not created: the server asks for fewer requests. Try again later.",
		);
	});

	it.each([
		["answers 500 after it may have acted", { kind: "answer", status: 500 }, OutcomeUnknown],
		["resets before it has read", { kind: "reset_before" }, OutcomeUnknown],
		["answers with garbage", { kind: "garbage" }, OutcomeUnknown],
		["answers 503 to a read", { kind: "answer", status: 503, method: "REPORT" }, ToolFailed],
		["answers a read with 100 MB", { kind: "huge", method: "REPORT", acts: true }, ToolFailed],
		["answers a read with garbage", { kind: "garbage", method: "REPORT" }, ToolFailed],
		[
			"answers a read with another XML",
			{ kind: "answer", status: 207, method: "REPORT", body: "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>" },
			ToolFailed,
		],
	] as const)("a server that %s", async (_, fault, kind) => {
		await server.fail(fault);
		const isRead = "method" in fault;
		expect(await failureOf(isRead ? events() : callTool(createEvent, meeting, options))).toBeInstanceOf(kind);
	});
});
