import { isAutomatic } from "../approvals/is-automatic.ts";
import { isPermission } from "../approvals/is-permission.ts";
import type { Receipt } from "../receipts/receipt.ts";
import type { Contradiction, SwappedCommand, Unpermitted } from "../tools/tool-call.ts";
import type { Activity, ActivityItem } from "./activity.ts";

/** The ways in which a call can be made without permission, the most serious first. */
const permissions: readonly Unpermitted[] = ["denied", "found", "another", "unanswered"];

/** Receipts that end a call which was made, or of which it isn't known. */
const ends: ReadonlySet<Receipt["type"]> = new Set(["tool.call.succeeded", "tool.call.failed", "tool.call.unknown"]);

/**
 * The way in which a receipt's call was made without permission; undefined if it wasn't. Depends on types only, so the page can load it.
 */
export function unpermittedBy({ origin, type, detail }: Pick<Receipt, "origin" | "type" | "detail">): Unpermitted | undefined {
	if (origin !== "reported" || !ends.has(type)) return undefined;
	return permissions.find((one) => one === detail?.unpermitted);
}

/** What was allowed and what was reported instead, such as a command, if a receipt names both. */
export function swappedBy(receipt: Pick<Receipt, "origin" | "type" | "detail">): SwappedCommand | undefined {
	const { allowed, reported } = receipt.detail ?? {};
	if (unpermittedBy(receipt) !== "another" || typeof allowed !== "string" || typeof reported !== "string") return undefined;
	return { allowed, reported };
}

/** The denied command that a receipt's call contains in other words, if another call was denied. */
export function deniedCommandBy(receipt: Pick<Receipt, "origin" | "type" | "detail">): string | undefined {
	const command = receipt.detail?.deniedCommand;
	return unpermittedBy(receipt) === "denied" && typeof command === "string" ? command : undefined;
}

const contradictions: readonly Contradiction[] = ["not_found", "untouched", "not_held", "still_there"];

/** What contradicts an agent's report that a call is done, according to the call's receipt. */
export function contradictionBy({ origin, type, detail }: Pick<Receipt, "origin" | "type" | "detail">): Contradiction | undefined {
	if (origin !== "reported" || type !== "tool.call.succeeded") return undefined;
	return contradictions.find((one) => one === detail?.contradiction);
}

/**
 * True for a reported edit, move or deletion that is known not to have happened. `not_held`: an edit was made, but not the reported one.
 */
export function isUndone({ contradiction }: Pick<ActivityItem, "contradiction">): boolean {
	return contradiction !== undefined && contradiction !== "not_held";
}

/**
 * True for a reported edit, move or deletion that did not happen as it was reported. An edit whose file did not contain the reported text
 * counts only if the user was asked about the call and allowed it: for any other, a formatter that changed the file is reason enough.
 */
export function isUntrue({ contradiction, approval }: Pick<ActivityItem, "contradiction" | "approval">): boolean {
	return contradiction === "not_held" ? isAllowedByUser({ approval }) : contradiction !== undefined;
}

/** True if the user was asked about the call and allowed it. */
export function isAllowedByUser({ approval }: Pick<ActivityItem, "approval">): boolean {
	const { decision, by } = approval ?? {};
	return isPermission(decision) && by !== undefined && !isAutomatic(by);
}

/**
 * True for a denied call that its agent reports as done, also if it did so before the call was denied. A request that expired or was
 * withdrawn only afterwards was not denied by anyone.
 */
export function isDoneThoughDenied({ unpermitted, approval }: Pick<ActivityItem, "unpermitted" | "approval">): boolean {
	return unpermitted === "denied" || (unpermitted === "unanswered" && approval?.decision === "deny" && approval.by !== "bridge");
}

/** The most serious way in which one of these calls was made without permission; undefined if none was. */
export function unpermittedIn({ items }: Pick<Activity, "items">): Unpermitted | undefined {
	return permissions.find((one) => items.some(({ unpermitted }) => unpermitted === one));
}
