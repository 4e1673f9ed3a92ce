import type { Approval } from "@xworkmate/contracts";
import { answerNames } from "@xworkmate/contracts/answer-names";
import { fill, words } from "../../strings/interface.ts";

/**
 * What the agent's possible answers mean for the user: which of them "Allow once" sends, and what the user cannot answer, or can answer
 * only permanently. `provider` is the agent's name as the surface shows it. `shown` formats the agent's own words for the surface.
 */
export function requestLimits(approval: Approval, provider: string, shown: (text: string) => string): readonly string[] {
	const { options, toolId, deniesAlways } = approval;
	const limits = [
		...(toolId === undefined && !options.includes("allow_once") ? [words.ask.neverOnce] : []),
		...(deniesAlways ? [words.ask.deniesAlways] : []),
	];
	return [...allowedAs(approval, shown), ...limits.map((limit) => fill(limit, { provider }))];
}

/** Which of its answers the agent receives for "Allow once", if that answer's name says more or there are several such answers. */
function allowedAs(approval: Approval, shown: (text: string) => string): readonly string[] {
	const found = answerNames(approval);
	if (found === undefined) return [];
	const others = found.others.map((other) => `“${shown(other)}”`).join(", ");
	return [fill(others === "" ? words.ask.onceIs : words.ask.onceIsFirst, { name: shown(found.name), others })];
}
