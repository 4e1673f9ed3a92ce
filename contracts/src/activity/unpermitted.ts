import type { Receipt } from "../receipts/receipt.ts";
import type { Unpermitted } from "../tools/tool-call.ts";
import type { Activity } from "./activity.ts";

/** What a receipt says about a report that a call was made without permission. Needs nothing but types, so the page can load it. */
export function unpermittedBy({ origin, type, detail }: Pick<Receipt, "origin" | "type" | "detail">): Unpermitted | undefined {
	if (origin !== "reported" || type !== "tool.call.succeeded") return undefined;
	const said = detail?.unpermitted;
	return said === "denied" || said === "unanswered" ? said : undefined;
}

/** How far a run went without permission, according to its agent: what was denied says more. */
export function unpermittedIn({ items }: Pick<Activity, "items">): Unpermitted | undefined {
	if (items.some(({ unpermitted }) => unpermitted === "denied")) return "denied";
	return items.find(({ unpermitted }) => unpermitted !== undefined)?.unpermitted;
}
