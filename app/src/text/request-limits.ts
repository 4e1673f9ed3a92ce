import type { Approval } from "@xworkmate/contracts";
import { answerNames } from "@xworkmate/contracts/answer-names";
import { fill, words } from "../strings/interface.ts";

/**
 * What the answers that the agent offers mean for the user: which of them "Allow once" gives, and what the user cannot answer, or can
 * answer only permanently. `provider`: the agent's name, as the surface shows it. `shown`: how the surface shows the agent's own words.
 */
export function requestLimits(approval: Approval, provider: string, shown: (text: string) => string): readonly string[] {
	const { options, toolId, deniesAlways } = approval;
	const limits = [
		...(toolId === undefined && !options.includes("allow_once") ? [words.ask.neverOnce] : []),
		...(deniesAlways ? [words.ask.deniesAlways] : []),
	];
	return [...allowedAs(approval, shown), ...limits.map((limit) => fill(limit, { provider }))];
}

/** Which of its answers the agent gets for "Allow once", if its name says more than that or there are several. */
function allowedAs(approval: Approval, shown: (text: string) => string): readonly string[] {
	const found = answerNames(approval);
	if (found === undefined) return [];
	const others = found.others.map((other) => `“${shown(other)}”`).join(", ");
	return [fill(others === "" ? words.ask.onceIs : words.ask.onceIsFirst, { name: shown(found.name), others })];
}
