import { z } from "zod";
import type { Activity } from "../activity/activity.ts";
import { isUntrue } from "../activity/unpermitted.ts";
import type { Grounding } from "./answer.ts";

/**
 * Why a run that succeeded is not simply called a success. `undone`: something that the run should have done through tools was not done.
 * `unknown`: it is not known whether something was done. `unverified`: neither applies, but the answer claims something that no receipt
 * backs, the bridge replaced the answer, or the agent reports doing something that it was not allowed to do, or that did not happen as it
 * reports it. `rejected`: none of these applies, but not all files were accepted as the run's.
 */
export const Lacking = z.enum(["undone", "unknown", "unverified", "rejected"]);
export type Lacking = z.infer<typeof Lacking>;

/** What a run lacks, whether or not it succeeded. Pure. */
export function lackingIn({
	activity,
	grounding,
	rejectedArtifacts = [],
	rejectedCount = rejectedArtifacts.length,
}: {
	readonly activity?: Pick<Activity, "items"> | undefined;
	readonly grounding?: Pick<Grounding, "state"> | undefined;
	readonly rejectedArtifacts?: readonly unknown[] | undefined;
	/** It may be more than are listed. Absent in a snapshot of an earlier version. */
	readonly rejectedCount?: number | undefined;
}): Lacking | undefined {
	const items = activity?.items ?? [];
	const open = items.filter(({ origin, status }) => origin === "executed" && status !== "succeeded");
	if (open.some(({ status }) => status === "unknown")) return "unknown";
	if (open.length > 0) return "undone";
	const isUnverified = grounding?.state === "unverified" || grounding?.state === "replaced";
	const isAgainst = items.some((item) => item.unpermitted !== undefined || isUntrue(item));
	if (isUnverified || isAgainst) return "unverified";
	return rejectedCount > 0 ? "rejected" : undefined;
}
