import { checkAgentClaims } from "@xworkmate/contracts";
import type { RunEvent } from "../../ports/run-event.ts";
import type { RunProvider } from "../../ports/run-record.ts";
import { activityOfTrail } from "./call-trail.ts";
import type { RunState } from "./run-state.ts";

/** The assistant checks its answer itself before it is said, and the words of a script are those of whoever wrote the program. */
const OWN: ReadonlySet<string> = new Set(["assistant", "script"]);

/**
 * That an agent's answer claims what nothing in its run backs, if it does. The text stays as it is, and an answer without such a claim
 * has no event (docs/protocol.md#updates). Pure.
 */
export function unverifiedClaims({ answer, checked, trail, artifacts }: RunState, { providerId }: RunProvider): readonly RunEvent[] {
	if (answer === undefined || checked !== undefined || OWN.has(providerId)) return [];
	const activity = trail === undefined ? undefined : activityOfTrail(trail);
	const problems = checkAgentClaims(answer.text, activity, artifacts.count);
	return problems.length === 0 ? [] : [{ type: "answered", grounding: { state: "unverified", problems: [...problems] } }];
}
