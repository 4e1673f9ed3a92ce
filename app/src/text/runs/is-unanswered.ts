import type { Grounding } from "@xworkmate/contracts";

/** True if the bridge wrote the answer because the model gave none. */
export function isUnanswered({ state, problems }: Grounding): boolean {
	return state === "replaced" && problems.length > 0 && problems.every(({ code }) => code === "NO_ANSWER");
}
