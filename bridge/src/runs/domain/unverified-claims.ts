import { checkAgentClaims, namedFiles, type OwnProvider, omitUndefined } from "@xworkmate/contracts";
import type { RunEvent } from "../../ports/run-event.ts";
import type { RunProvider } from "../../ports/run-record.ts";
import { activityOfTrail } from "./call-trail.ts";
import type { Conclusion } from "./conclude.ts";
import type { RunState } from "./run-state.ts";

/**
 * The grounding of an agent's answer, if the answer claims something that nothing in its run backs. The text stays as it is, and an answer
 * without such a claim gets no event (docs/protocol.md#updates). `own`: the bridge's own agent checks its answer before it is shown, and a
 * program's words are its author's. Pure.
 */
export function unverifiedClaims(
	{ answer, checked, trail, artifacts }: RunState,
	{ own, lacking }: Pick<Conclusion, "own" | "lacking"> = {},
): readonly RunEvent[] {
	if (answer === undefined || checked !== undefined || own !== undefined) return [];
	const activity = trail === undefined ? undefined : activityOfTrail(trail);
	const problems = checkAgentClaims(answer.text, activity, artifacts.count, omitUndefined({ lacking }));
	return problems.length === 0 ? [] : [{ type: "answered", grounding: { state: "unverified", problems: [...problems] } }];
}

/** Reported calls that leave files only where they say so. A command may have written anywhere. */
const PLACED: ReadonlySet<string> = new Set(["edit", "delete", "move", "switch_mode"]);

/** The files that an agent on this machine claims to have made, if it can be told whether they exist. Pure. */
export function claimedFiles(
	{ answer, checked, trail }: RunState,
	{ target }: Pick<RunProvider, "target">,
	own: OwnProvider | undefined,
): readonly string[] {
	if (answer === undefined || checked !== undefined || target !== "agent" || own !== undefined) return [];
	const items = trail === undefined ? [] : activityOfTrail(trail).items;
	const isAnywhere = items.some(({ risk, status, toolId }) => {
		return risk !== "read" && status === "succeeded" && !PLACED.has(toolId.slice(toolId.indexOf(":") + 1));
	});
	return isAnywhere ? [] : namedFiles(answer.text);
}
