import type { Approval } from "@xworkmate/contracts";
import { fill, words } from "../strings/interface.ts";

/**
 * What the user cannot answer, or can answer only permanently, because of the answers that the agent offers. `provider`: the agent's name,
 * as the surface shows it.
 */
export function requestLimits({ options, toolId, deniesAlways }: Approval, provider: string): readonly string[] {
	return [
		...(toolId === undefined && !options.includes("allow_once") ? [words.ask.neverOnce] : []),
		...(deniesAlways ? [words.ask.deniesAlways] : []),
	].map((limit) => fill(limit, { provider }));
}
