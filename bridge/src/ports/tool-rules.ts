import type { PolicyDecision, ToolId } from "@xworkmate/contracts";

/** What the user has set for tools. */
export interface ToolRules {
	ruleOf(toolId: ToolId): PolicyDecision | undefined;
	/** Differs whenever a rule differs. */
	readonly version: string;
}
