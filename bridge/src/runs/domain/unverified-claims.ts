import { checkAgentClaims, namedFiles, type OwnProvider, omitUndefined } from "@xworkmate/contracts";
import type { RunEvent } from "../../ports/run-event.ts";
import type { RunProvider } from "../../ports/run-record.ts";
import { activityOfTrail } from "./call-trail.ts";
import type { Conclusion } from "./conclude.ts";
import type { RunState } from "./run-state.ts";

/**
 * That an agent's answer claims what nothing in its run backs, if it does. The text stays as it is, and an answer without such a claim
 * has no event (docs/protocol.md#updates). `own`: the bridge's own agent checks its answer itself before it is said, and the words of a
 * program are those of whoever wrote it. Pure.
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

/** Reports of calls that leave files only where they say. What a command wrote, it may have written anywhere. */
const PLACED: ReadonlySet<string> = new Set(["edit", "delete", "move", "switch_mode"]);

/** The files that an agent of this machine says it made, if whether they are there can be told. Pure. */
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
