import { expect, it } from "vitest";
import { startFakeService } from "../support/services/fake-service.ts";

// The judges are judged first: a service that answers as no real one does, or counts what it did not do, would prove nothing.

const authorization = `Basic ${Buffer.from("ada:ada's password").toString("base64")}`;
const CALENDAR = "/dav/calendars/ada/home/";
const ics = (uid: string, ...lines: readonly string[]) =>
	["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT", `UID:${uid}`, ...lines, "END:VEVENT", "END:VCALENDAR", ""].join("\r\n");

it("the CalDAV server finds calendars and events, and changes only the version that is named", async () => {
	await using server = await startFakeService("caldav");
	const ask = (method: string, path: string, headers: Record<string, string> = {}, body?: string) =>
		fetch(`${server.url}${path}`, {
			method,
			headers: { authorization, ...headers },
			redirect: "manual",
			...(body === undefined ? {} : { body }),
		});
	const put = (name: string, body: string, headers: Record<string, string> = {}) =>
		ask("PUT", `${CALENDAR}${name}`, { "content-type": "text/calendar", ...headers }, body);

	const stranger = await fetch(`${server.url}${CALENDAR}`, { method: "PROPFIND" });
	expect([stranger.status, stranger.headers.get("www-authenticate")]).toEqual([401, 'Basic realm="calendar", charset="UTF-8"']);
	expect((await ask("GET", "/.well-known/caldav")).headers.get("location")).toBe("/dav/");
	expect((await ask("OPTIONS", CALENDAR)).headers.get("dav")).toContain("calendar-access");
	const prop = '<D:propfind xmlns:D="DAV:"><D:prop><D:current-user-principal/><D:resourcetype/><D:getetag/></D:prop></D:propfind>';
	const root = await ask("PROPFIND", "/dav/", { depth: "0" }, prop);
	expect(root.status).toBe(207);
	expect(await root.text()).toContain("<D:current-user-principal><D:href>/dav/principals/ada/</D:href>");

	const body = ics("a", "DTSTART:20260504T080000Z", "DTEND:20260504T090000Z");
	const created = await put("a.ics", body, { "if-none-match": "*" });
	const etag = created.headers.get("etag") ?? "";
	expect([created.status, etag]).toEqual([201, expect.stringMatching(/^"[0-9a-f]+"$/)]);
	expect((await put("a.ics", body, { "if-none-match": "*" })).status).toBe(412);
	expect((await put("b.ics", body)).status).toBe(403);
	expect((await put("c.ics", "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n")).status).toBe(403);
	const changed = await put("a.ics", body.replace("0900", "0930"), { "if-match": etag });
	expect(changed.status).toBe(204);
	expect((await put("a.ics", body, { "if-match": etag })).status).toBe(412);
	expect(await (await ask("PROPFIND", CALENDAR, { depth: "1" }, prop)).text()).toContain(`<D:href>${CALENDAR}a.ics</D:href>`);

	const report = async (filter: string) => {
		const inner = `<C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">${filter}</C:comp-filter></C:comp-filter>`;
		const query = `<C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop><D:getetag/><C:calendar-data/></D:prop><C:filter>${inner}</C:filter></C:calendar-query>`;
		const text = await (await ask("REPORT", CALENDAR, { depth: "1" }, query)).text();
		return [...text.matchAll(/UID:(\w+)/g)].map(([, uid]) => uid);
	};
	await put("weekly.ics", ics("weekly", "DTSTART;TZID=Europe/Berlin:20260101T100000", "RRULE:FREQ=WEEKLY"));
	await put("day.ics", ics("day", "DTSTART;VALUE=DATE:20260505"));
	expect(await report('<C:time-range start="20260504T083000Z" end="20260504T100000Z"/>')).toEqual(["a", "weekly"]);
	expect(await report('<C:time-range start="20260505T120000Z" end="20260506T000000Z"/>')).toEqual(["weekly", "day"]);
	expect(await report('<C:prop-filter name="UID"><C:text-match>da</C:text-match></C:prop-filter>')).toEqual(["day"]);

	expect((await ask("DELETE", `${CALENDAR}a.ics`, { "if-match": etag })).status).toBe(412);
	expect((await ask("DELETE", `${CALENDAR}a.ics`, { "if-match": changed.headers.get("etag") ?? "" })).status).toBe(204);
	expect((await ask("DELETE", `${CALENDAR}a.ics`)).status).toBe(404);
	expect((await server.effects()).filter(({ key }) => key === "a")).toEqual([
		{ kind: "event.created", key: "a", count: 1 },
		{ kind: "event.changed", key: "a", count: 1 },
		{ kind: "event.deleted", key: "a", count: 1 },
	]);
});

it("GitHub answers with its own words, headers and pages", async () => {
	await using server = await startFakeService("github");
	const ask = async (path: string, init: RequestInit = {}, token = "ghp_ada") => {
		const answer = await fetch(`${server.url}${path}`, { ...init, headers: { authorization: `Bearer ${token}` } });
		return {
			status: answer.status,
			link: answer.headers.get("link"),
			limit: answer.headers.get("x-ratelimit-limit"),
			body: await answer.json(),
		};
	};
	const issues = "/repos/ada/engine/issues";
	const post = (body: object, token?: string) => ask(issues, { method: "POST", body: JSON.stringify(body) }, token);
	expect(await ask(issues, {}, "ghp_other")).toMatchObject({ status: 401, body: { message: "Bad credentials", status: "401" } });
	expect(await post({ title: "T" }, "ghp_reader")).toMatchObject({
		status: 403,
		body: { message: expect.stringContaining("not accessible") },
	});
	expect(await ask("/repos/ada/other/issues")).toMatchObject({ status: 404, body: { message: "Not Found" } });
	expect(await post({})).toMatchObject({
		status: 422,
		body: { message: "Validation Failed", errors: [{ resource: "Issue", field: "title", code: "missing_field" }] },
	});
	for (const title of ["A", "B", "C"])
		expect(await post({ title })).toMatchObject({ status: 201, limit: "5000", body: { title, state: "open" } });
	const first = await ask(`${issues}?per_page=2`);
	expect(first.link).toContain(`<${server.url}/repositories/1815/issues?per_page=2&page=2>; rel="next"`);
	expect(await ask("/repositories/1815/issues?per_page=2&page=2")).toMatchObject({ body: [{ number: 1, title: "A" }] });
	await post({ title: "A" });
	expect((await server.effects()).find(({ key }) => key === "A")).toEqual({ kind: "issue.created", key: "A", count: 2 });
});

it("PostHog refuses what it would refuse, and counts only what it is asked for", async () => {
	await using server = await startFakeService("posthog");
	const ask = async (method: string, path: string, body?: object, key = "phx_ada") => {
		const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
		const answer = await fetch(`${server.url}${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
		return { status: answer.status, body: answer.status === 204 ? undefined : await answer.json() };
	};
	expect(await ask("GET", "/api/users/@me/", undefined, "no")).toMatchObject({ status: 401, body: { code: "authentication_failed" } });
	expect(await ask("GET", "/api/projects/2/alerts/")).toMatchObject({ status: 404, body: { code: "not_found" } });
	const insights = "/api/projects/1815/insights/";
	expect(await ask("POST", insights, { query: {} }, "phx_reader")).toMatchObject({ status: 403, body: { code: "permission_denied" } });
	const insight = await ask("POST", insights, { name: "I", query: { kind: "InsightVizNode" } });
	expect(insight).toMatchObject({ status: 201, body: { id: 901, name: "I" } });
	expect(await ask("DELETE", `${insights}901/`)).toMatchObject({ status: 405 });
	expect(await ask("POST", "/api/projects/1815/alerts/", { insight: 901 })).toMatchObject({
		status: 400,
		body: { type: "validation_error", code: "required", attr: "subscribed_users" },
	});
	const query = { kind: "HogQLQuery", query: "SELECT 1" };
	expect(await ask("POST", "/api/projects/1815/query/", { query })).toMatchObject({ status: 400, body: { attr: "query" } });
});

it("goes wrong exactly as told, and says what it did all the same", async () => {
	await using server = await startFakeService("github");
	const create = async (title: string) => {
		const init = { method: "POST", headers: { authorization: "Bearer ghp_ada" }, body: JSON.stringify({ title }) };
		return fetch(`${server.url}/repos/ada/engine/issues`, init).then(
			async (answer) => [answer.status, (await answer.text().catch(() => "cut")).length > 90_000_000 ? "huge" : ""],
			() => "no answer",
		);
	};
	const tell = async (fault: Parameters<typeof server.fail>[0], title: string) => {
		await server.fail(fault);
		return create(title);
	};
	expect(await tell({ kind: "reset_before" }, "1")).toBe("no answer");
	expect(await tell({ kind: "reset_after" }, "2")).toBe("no answer");
	expect(await tell({ kind: "answer", status: 503 }, "3")).toEqual([503, ""]);
	expect(await tell({ kind: "answer", status: 503, acts: true }, "4")).toEqual([503, ""]);
	expect(await tell({ kind: "garbage", acts: true }, "5")).toBe("no answer");
	expect(await tell({ kind: "huge", acts: true }, "6")).toEqual([201, "huge"]);
	expect(await tell({ kind: "delay", ms: 20 }, "7")).toEqual([201, ""]);
	expect(await tell({ kind: "answer", method: "GET" }, "8")).toEqual([201, ""]);
	expect((await server.effects()).map(({ key, count }) => `${key}: ${count}`)).toEqual(["2: 1", "4: 1", "5: 1", "6: 1", "7: 1", "8: 1"]);
	expect(await server.requests()).toHaveLength(8);
});
