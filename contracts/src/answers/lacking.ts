import { z } from "zod";
import type { Activity } from "../activity/activity.ts";
import type { Grounding } from "./answer.ts";

/**
 * Why a run that succeeded is not called a success without more: of what it was to do through tools, something was not done, or nobody
 * knows whether it was. `unverified`: it was, but its answer claims what no receipt backs, the bridge wrote the answer instead, or the
 * agent reports that it did what it was not allowed to.
 */
export const Lacking = z.enum(["undone", "unknown", "unverified"]);
export type Lacking = z.infer<typeof Lacking>;

/** Pure; of any run, also of one that did not succeed. */
export function lackingIn({
	activity,
	grounding,
}: {
	readonly activity?: Pick<Activity, "items"> | undefined;
	readonly grounding?: Pick<Grounding, "state"> | undefined;
}): Lacking | undefined {
	const items = activity?.items ?? [];
	const open = items.filter(({ origin, status }) => origin === "executed" && status !== "succeeded");
	if (open.some(({ status }) => status === "unknown")) return "unknown";
	if (open.length > 0) return "undone";
	const isUnverified = grounding?.state === "unverified" || grounding?.state === "replaced";
	return isUnverified || items.some(({ unpermitted }) => unpermitted !== undefined) ? "unverified" : undefined;
}
