import type { ThreadId, TurnId } from "@xworkmate/contracts";
import { Store } from "../client/store.ts";

/** Where the person is. It stands behind the # of the address, so that nothing of it reaches a server. */
export type Route =
	| { readonly page: "now" }
	| { readonly page: "new" }
	| { readonly page: "thread"; readonly threadId: ThreadId }
	| { readonly page: "log"; readonly threadId: ThreadId; readonly turnId: TurnId }
	| { readonly page: "settings"; readonly part: string }
	| { readonly page: "parts" };

export const route = new Store<Route>(parseRoute(location.hash));
addEventListener("hashchange", () => route.set(parseRoute(location.hash)));

export function parseRoute(hash: string): Route {
	const [page, first, second] = hash.replace(/^#\/?/, "").split("/").map(decode);
	if (page === "new" || page === "parts") return { page };
	if (page === "settings") return { page, part: first ?? "doctor" };
	if (page === "t" && first && second) return { page: "log", threadId: first as ThreadId, turnId: second as TurnId };
	if (page === "t" && first) return { page: "thread", threadId: first as ThreadId };
	return { page: "now" };
}

export function hrefOf(to: Route): string {
	switch (to.page) {
		case "now":
			return "#/";
		case "new":
		case "parts":
			return `#/${to.page}`;
		case "settings":
			return `#/settings/${to.part}`;
		case "thread":
			return `#/t/${encodeURIComponent(to.threadId)}`;
		case "log":
			return `#/t/${encodeURIComponent(to.threadId)}/${encodeURIComponent(to.turnId)}`;
	}
}

export function go(to: Route): void {
	location.hash = hrefOf(to);
}

function decode(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return "";
	}
}
