import type { Receipt } from "../receipts/receipt.ts";
import type { Contradiction, Unpermitted } from "../tools/tool-call.ts";
import type { Activity, ActivityItem } from "./activity.ts";

/** Whether a receipt reports a call that was made without permission, and which kind. Depends on types only, so the page can load it. */
export function unpermittedBy({ origin, type, detail }: Pick<Receipt, "origin" | "type" | "detail">): Unpermitted | undefined {
	if (origin !== "reported" || type !== "tool.call.succeeded") return undefined;
	const said = detail?.unpermitted;
	return said === "denied" || said === "unanswered" ? said : undefined;
}

const contradictions: readonly Contradiction[] = ["not_found", "untouched", "not_held", "still_there"];

/** What contradicts an agent's report that a call is done, according to the call's receipt. */
export function contradictionBy({ origin, type, detail }: Pick<Receipt, "origin" | "type" | "detail">): Contradiction | undefined {
	if (origin !== "reported" || type !== "tool.call.succeeded") return undefined;
	return contradictions.find((one) => one === detail?.contradiction);
}

/** True for an edit or a deletion that an agent reports, and that is known not to have happened. One that only differs did happen. */
export function isUndone({ contradiction }: Pick<ActivityItem, "contradiction">): boolean {
	return contradiction !== undefined && contradiction !== "not_held";
}

/** The most serious unpermitted call that a run's agent reported: `denied` outranks `unanswered`. */
export function unpermittedIn({ items }: Pick<Activity, "items">): Unpermitted | undefined {
	if (items.some(({ unpermitted }) => unpermitted === "denied")) return "denied";
	return items.find(({ unpermitted }) => unpermitted !== undefined)?.unpermitted;
}
