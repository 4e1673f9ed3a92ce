import type { PolicyDecision, ToolId } from "@xworkmate/contracts";

/** The user's rules for tools, as they are now. */
export interface ToolRules {
	ruleOf(toolId: ToolId): PolicyDecision | undefined;
	/** Differs whenever a rule differs. */
	readonly version: string;
}
