import { actingInjections, wideningInjections } from "./acting-injections.ts";
import { believedInjections, leakingInjections } from "./believed-injections.ts";
import type { PromptInjection } from "./prompt-injection.ts";

export const promptInjections: readonly PromptInjection[] = [
	...actingInjections,
	...wideningInjections,
	...leakingInjections,
	...believedInjections,
];
