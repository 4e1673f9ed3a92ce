import type { Receipt } from "../receipts/receipt.ts";
import type { Unpermitted } from "../tools/tool-call.ts";
import type { Activity } from "./activity.ts";

/** Whether a receipt reports a call that was made without permission, and which kind. Depends on types only, so the page can load it. */
export function unpermittedBy({ origin, type, detail }: Pick<Receipt, "origin" | "type" | "detail">): Unpermitted | undefined {
	if (origin !== "reported" || type !== "tool.call.succeeded") return undefined;
	const said = detail?.unpermitted;
	return said === "denied" || said === "unanswered" ? said : undefined;
}

/** The most serious unpermitted call that a run's agent reported: `denied` outranks `unanswered`. */
export function unpermittedIn({ items }: Pick<Activity, "items">): Unpermitted | undefined {
	if (items.some(({ unpermitted }) => unpermitted === "denied")) return "denied";
	return items.find(({ unpermitted }) => unpermitted !== undefined)?.unpermitted;
}
