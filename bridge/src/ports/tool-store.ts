import type { IntegrationId, PolicyDecision, Sha256, Timestamp, ToolId } from "@xworkmate/contracts";

/** A version of an integration that may be used as its tools say. */
export interface ToolAcceptance {
	readonly integration: IntegrationId;
	readonly toolHash: Sha256;
	/** `person`, or `configuration`. */
	readonly by: string;
	readonly at: Timestamp;
}

export interface ToolRule {
	readonly toolId: ToolId;
	readonly decision: PolicyDecision;
	readonly by: string;
	readonly at: Timestamp;
}

/** What the user decided about tools. */
export interface ToolStore {
	/** The newest acceptance of each integration: an earlier one counts no longer. */
	acceptances(): Promise<readonly ToolAcceptance[]>;
	accept(acceptance: ToolAcceptance): Promise<void>;
	rules(): Promise<readonly ToolRule[]>;
	/** Replaces the rule of the tool. */
	setRule(rule: ToolRule): Promise<void>;
	removeRule(toolId: ToolId): Promise<void>;
}
