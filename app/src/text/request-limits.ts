import type { Approval } from "@xworkmate/contracts";
import { fill, words } from "../strings/interface.ts";

/** What the agent's own choice of answers rules out. `provider`: the agent's name, as the surface shows it. */
export function requestLimits({ options, toolId, deniesAlways }: Approval, provider: string): readonly string[] {
	return [
		...(toolId === undefined && !options.includes("allow_once") ? [words.ask.neverOnce] : []),
		...(deniesAlways ? [words.ask.deniesAlways] : []),
	].map((limit) => fill(limit, { provider }));
}
