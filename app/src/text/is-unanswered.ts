import type { Grounding } from "@xworkmate/contracts";

/** The bridge wrote the answer because the model gave none: there is nothing that it wanted to say. */
export function isUnanswered({ state, problems }: Grounding): boolean {
	return state === "replaced" && problems.length > 0 && problems.every(({ code }) => code === "NO_ANSWER");
}
