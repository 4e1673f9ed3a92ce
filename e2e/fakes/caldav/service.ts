import { createHash } from "node:crypto";
import type { Asked, Reply, Service } from "../service/serve.ts";
import { mayOverlap, uidOf } from "./events.ts";
import { multistatus, propertyNames, xmlText } from "./multistatus.ts";

const PASSWORD = "ada's password";

const CREDENTIALS = `Basic ${Buffer.from(`ada:${PASSWORD}`).toString("base64")}`;
const PRINCIPAL = "/dav/principals/ada/";
const HOME = "/dav/calendars/ada/";
const CALENDAR = "/dav/calendars/ada/home/";
const TYPE = "text/calendar; charset=utf-8; component=vevent";
const ALLOW = "OPTIONS, GET, HEAD, PUT, DELETE, PROPFIND, REPORT";

interface Stored {
	readonly uid: string;
	readonly text: string;
	readonly etag: string;
}

export function calDavService(): Service {
	const events = new Map<string, Stored>();

	return (asked, did) => {
		const { method, path, headers, body } = asked;
		if (path === "/.well-known/caldav") return { status: 301, headers: { location: "/dav/" } };
		if (headers.authorization !== CREDENTIALS) {
			return { status: 401, headers: { "www-authenticate": 'Basic realm="calendar", charset="UTF-8"' }, body: "Unauthorized" };
		}
		switch (method) {
			case "OPTIONS":
				return { status: 200, headers: { dav: "1, 3, calendar-access", allow: ALLOW } };
			case "PROPFIND":
				return propfind(asked);
			case "REPORT":
				return path === CALENDAR ? report(body) : { status: 403, body: davError("D:supported-report") };
			case "GET":
			case "HEAD": {
				const stored = events.get(path);
				if (stored === undefined) return { status: 404 };
				return { status: 200, headers: { "content-type": TYPE, etag: stored.etag }, ...(method === "GET" ? { body: stored.text } : {}) };
			}
			case "PUT": {
				const reply = put(asked);
				if (reply.status === 201) did("event.created", events.get(path)?.uid ?? "");
				if (reply.status === 204) did("event.changed", events.get(path)?.uid ?? "");
				return reply;
			}
			case "DELETE": {
				const stored = events.get(path);
				if (stored === undefined) return { status: 404 };
				if (!meets(asked, stored)) return { status: 412, body: davError("") };
				events.delete(path);
				did("event.deleted", stored.uid);
				return { status: 204 };
			}
			default:
				return { status: 405, headers: { allow: ALLOW } };
		}
	};

	function put(asked: Asked): Reply {
		const { path, headers, body } = asked;
		if (!path.startsWith(CALENDAR) || path === CALENDAR || path.slice(CALENDAR.length).includes("/")) return { status: 409 };
		if (!meets(asked, events.get(path))) return { status: 412, body: davError("") };
		if (!(headers["content-type"] ?? "").startsWith("text/calendar")) return { status: 403, body: davError("C:supported-calendar-data") };
		const uid = uidOf(body);
		if (uid === undefined) return { status: 403, body: davError("C:valid-calendar-data") };
		const other = [...events].find(([place, stored]) => stored.uid === uid && place !== path);
		if (other !== undefined)
			return { status: 403, body: davError(`C:no-uid-conflict><D:href>${xmlText(other[0])}</D:href></C:no-uid-conflict`) };
		const isNew = !events.has(path);
		const etag = `"${createHash("sha256").update(body).digest("hex").slice(0, 16)}"`;
		events.set(path, { uid, text: body, etag });
		return { status: isNew ? 201 : 204, headers: { etag } };
	}

	function propfind({ path, headers, body }: Asked): Reply {
		const names = propertyNames(body);
		const collections: Readonly<Record<string, Readonly<Record<string, string>>>> = {
			"/dav/": { resourcetype: "<D:collection/>" },
			[PRINCIPAL]: { resourcetype: "<D:principal/>", "calendar-home-set": `<D:href>${HOME}</D:href>` },
			[HOME]: { resourcetype: "<D:collection/>" },
			[CALENDAR]: {
				resourcetype: "<D:collection/><C:calendar/>",
				displayname: "Home",
				"supported-calendar-component-set": '<C:comp name="VEVENT"/>',
			},
		};
		const found = Object.entries(collections).filter(
			([place]) =>
				place === path ||
				(headers.depth === "1" && place.startsWith(path) && place !== path && !place.slice(path.length, -1).includes("/")),
		);
		const items = [...events].filter(([place]) => place === path || (headers.depth === "1" && path === CALENDAR && place.startsWith(path)));
		if (found.length === 0 && items.length === 0) return { status: 404 };
		const user = { "current-user-principal": `<D:href>${PRINCIPAL}</D:href>` };
		return multistatus([
			...found.map(([href, properties]) => ({ href, properties: { ...properties, ...user }, names })),
			...items.map(([href, { etag }]) => ({
				href,
				properties: { resourcetype: "", getetag: xmlText(etag), getcontenttype: TYPE, ...user },
				names,
			})),
		]);
	}

	/** calendar-query with a time range or a UID, and calendar-multiget. */
	function report(body: string): Reply {
		const names = propertyNames(body);
		const [, from = "", to = ""] = /time-range\s+start="(\w+)"\s+end="(\w+)"/.exec(body) ?? [];
		const wanted = /prop-filter\s+name="UID">\s*<[\w:]*text-match[^>]*>([^<]*)</.exec(body)?.[1];
		const hrefs = [...body.matchAll(/<(?:\w+:)?href>([^<]*)</g)].map(([, href = ""]) => decodeURIComponent(href));
		const isMultiget = body.includes("calendar-multiget");
		if (!isMultiget && !body.includes("calendar-query")) return { status: 403, body: davError("D:supported-report") };
		const found = [...events].filter(([path, { uid, text }]) => {
			if (isMultiget) return hrefs.includes(path);
			// text-match finds substrings (RFC 4791, section 9.7.5).
			if (wanted !== undefined) return xmlText(uid).includes(wanted);
			return from === "" || mayOverlap(text, from, to);
		});
		return multistatus(
			found.map(([path, { etag, text }]) => ({
				href: path.split("/").map(encodeURIComponent).join("/"),
				properties: { getetag: xmlText(etag), "calendar-data": xmlText(text) },
				names,
			})),
		);
	}
}

/** If-Match and If-None-Match (RFC 9110, section 13). */
function meets({ headers }: Asked, stored: Stored | undefined): boolean {
	const match = headers["if-match"];
	const none = headers["if-none-match"];
	if (match !== undefined && (stored === undefined || (match !== "*" && match !== stored.etag))) return false;
	return none === undefined || stored === undefined || (none !== "*" && none !== stored.etag);
}

function davError(condition: string): string {
	const inner = condition === "" ? "" : condition.includes(">") ? `<${condition}>` : `<${condition}/>`;
	return `<?xml version="1.0" encoding="utf-8"?><D:error xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">${inner}</D:error>`;
}
