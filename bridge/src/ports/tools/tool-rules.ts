import type { PolicyDecision, ToolId } from "@xworkmate/contracts";

/** The user's current rules for tools. */
export interface ToolRules {
	ruleOf(toolId: ToolId): PolicyDecision | undefined;
	/** Changes whenever a rule changes. */
	readonly version: string;
}
