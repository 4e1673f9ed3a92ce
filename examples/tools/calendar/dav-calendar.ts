import { type Http, type HttpAnswer, type HttpRequest, OutcomeUnknown, ToolFailed } from "@xworkmate/tool";
import type { Account } from "./account.ts";
import { type CalendarStore, emptyCalendar, eventsIn, type StoredEvent, type Unreadable } from "./calendar-store.ts";
import { uidOf } from "./event.ts";
import { parseCalendar, writeCalendar } from "./ics.ts";
import { childrenAt, escapeXml, parseXml } from "./xml.ts";

const CALENDAR_TYPE = "text/calendar; charset=utf-8";

/** A calendar on a CalDAV server (RFC 4791). Every change names the version it is about, so nothing newer is overwritten. */
export function davCalendar(http: Http, { url, user }: Account): CalendarStore {
	const server = http.at(url.endsWith("/") ? url : `${url}/`, { authorization: { secret: "calendar.password", user } });

	async function query(filter: string): Promise<{ events: StoredEvent[]; unreadable: Unreadable[] }> {
		const answer = await server.request({
			url: "",
			method: "REPORT",
			headers: { depth: "1", "content-type": "application/xml; charset=utf-8" },
			body: `<?xml version="1.0" encoding="utf-8"?>
<C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">
<D:prop><D:getetag/><C:calendar-data/></D:prop>
<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">${filter}</C:comp-filter></C:comp-filter></C:filter>
</C:calendar-query>`,
		});
		if (answer.status !== 207) throw refusal(answer, "The calendar could not be read", false);
		const events: StoredEvent[] = [];
		const unreadable: Unreadable[] = [];
		for (const response of childrenAt(parseXml(answer.text), "response")) {
			const properties = childrenAt(response, "propstat", "prop");
			const [path] = childrenAt(response, "href");
			const [etag] = properties.flatMap((one) => childrenAt(one, "getetag"));
			const [data] = properties.flatMap((one) => childrenAt(one, "calendar-data"));
			if (path === undefined || etag === undefined || data === undefined || data.text.trim() === "") continue;
			const [place, version] = [path.text.trim(), etag.text.trim()];
			try {
				const calendar = parseCalendar(data.text);
				const [event] = eventsIn(calendar);
				if (event !== undefined) events.push({ id: uidOf(event), calendar, place, version });
			} catch (error) {
				if (!(error instanceof ToolFailed)) throw error;
				unreadable.push({ id: place, title: "", reason: error.message });
			}
		}
		return { events, unreadable };
	}

	async function find(id: string): Promise<StoredEvent | undefined> {
		const match = `<C:prop-filter name="UID"><C:text-match collation="i;octet">${escapeXml(id)}</C:text-match></C:prop-filter>`;
		// A server may find every id that contains this one.
		return (await query(match)).events.find((event) => event.id === id);
	}

	/** False for 412: it is not, or no longer, as the condition says. */
	async function change(request: HttpRequest, what: string): Promise<boolean> {
		const answer = await server.request(request);
		if (answer.status === 412) return false;
		if (answer.status < 200 || answer.status >= 300) throw refusal(answer, what, true);
		return true;
	}

	return {
		within: ({ from, to }) => query(`<C:time-range start="${utc(from)}" end="${utc(to)}"/>`),
		find,
		add: (id, event) =>
			change(
				{
					url: `${encodeURIComponent(id)}.ics`,
					method: "PUT",
					headers: { "content-type": CALENDAR_TYPE, "if-none-match": "*" },
					body: writeCalendar(emptyCalendar([event])),
				},
				"The event was not created",
			),
		replace: ({ place, version }, calendar) => {
			const headers = { "content-type": CALENDAR_TYPE, "if-match": version };
			return change({ url: place, method: "PUT", headers, body: writeCalendar(calendar) }, "The event was not changed");
		},
		remove: ({ place, version }) => change({ url: place, method: "DELETE", headers: { "if-match": version } }, "The event was not deleted"),
	};
}

function refusal({ status }: HttpAnswer, what: string, acts: boolean): Error {
	// After an error of its own the server may have acted all the same.
	if (status >= 500 && acts)
		return new OutcomeUnknown(`The calendar server answered ${status}, so it is not known whether the change was made.`);
	const reasons: Readonly<Record<number, string>> = {
		401: "the server does not accept the user or the password. Check the user in account.ts and the secret calendar.password",
		403: "the server does not allow it",
		404: "there is no calendar at this address, or the event is no longer there. Check the url in account.ts",
		405: "there is no CalDAV calendar at this address. Check the url in account.ts",
		429: "the server asks for fewer requests. Try again later",
		507: "the server has no space left",
	};
	return new ToolFailed(`${what}: ${reasons[status] ?? `the server answered ${status}`}.`);
}

/** `20260504T080000Z` */
function utc(ms: number): string {
	return `${new Date(ms).toISOString().slice(0, 19).replace(/[-:]/g, "")}Z`;
}
