import type { Activity, ActivityItem } from "@xworkmate/contracts";
import { isPermission } from "@xworkmate/contracts/is-permission";
import { fill, words } from "../../strings/interface.ts";

/** How many calls are named. */
const NAMED = 5;

/**
 * The calls of an agent that the user allowed and whose end it never reported. At most five are named; a last line counts the others. A
 * call that the agent reports as something else is left out, because what was allowed and what was reported are said of it. The lines may
 * contain text from outside.
 */
export function leftOpenLines(activity: Pick<Activity, "items"> | undefined): readonly string[] {
	const open = activity?.items.filter(isLeftOpen) ?? [];
	const more = open.length > NAMED ? [fill(words.outcome.more, { count: open.length - NAMED })] : [];
	return [...open.slice(0, NAMED).map(({ words: what }) => fill(words.outcome.allowedOpen, { what })), ...more];
}

function isLeftOpen({ origin, code, approval, unpermitted }: ActivityItem): boolean {
	return origin === "reported" && code === "NOT_REPORTED" && isPermission(approval?.decision) && unpermitted === undefined;
}
