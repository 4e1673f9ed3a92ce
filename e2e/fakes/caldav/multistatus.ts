import type { Reply } from "../service/serve.ts";

interface DavResponse {
	readonly href: string;
	/** The inner XML of each property that there is. */
	readonly properties: Readonly<Record<string, string>>;
	/** Those that were asked for. */
	readonly names: readonly string[];
}

const CALDAV = new Set(["calendar-data", "calendar-home-set", "supported-calendar-component-set"]);

/** 207, with the properties that are missing under a status of their own. */
export function multistatus(responses: readonly DavResponse[]): Reply {
	const body = responses.map(({ href, properties, names }) => {
		const there = names.filter((name) => name in properties);
		const missing = names.filter((name) => !(name in properties));
		return `<D:response><D:href>${xmlText(href)}</D:href>${propstat(there, properties, "200 OK")}${propstat(missing, {}, "404 Not Found")}</D:response>`;
	});
	return {
		status: 207,
		headers: { "content-type": "application/xml; charset=utf-8" },
		body: `<?xml version="1.0" encoding="utf-8"?>\n<D:multistatus xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">${body.join("")}</D:multistatus>`,
	};
}

/** The names within `prop`, without prefixes. */
export function propertyNames(body: string): string[] {
	const inner = /<(?:\w+:)?prop>([\s\S]*?)<\/(?:\w+:)?prop>/.exec(body)?.[1] ?? "";
	return [...inner.matchAll(/<(?:\w+:)?([\w-]+)[^>]*\/>/g)].map(([, name = ""]) => name);
}

export function xmlText(text: string): string {
	return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;").replaceAll("\r", "&#13;");
}

function propstat(names: readonly string[], properties: Readonly<Record<string, string>>, status: string): string {
	if (names.length === 0) return "";
	const elements = names.map((name) => {
		const element = `${CALDAV.has(name) ? "C" : "D"}:${name}`;
		const inner = properties[name] ?? "";
		return inner === "" ? `<${element}/>` : `<${element}>${inner}</${element}>`;
	});
	return `<D:propstat><D:prop>${elements.join("")}</D:prop><D:status>HTTP/1.1 ${status}</D:status></D:propstat>`;
}
