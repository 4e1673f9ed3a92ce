import type { IntegrationId, PolicyDecision, Sha256, Timestamp, ToolId } from "@xworkmate/contracts";

/** A version of an integration that the user accepted, so that its tools' own rules apply. */
export interface ToolAcceptance {
	readonly integration: IntegrationId;
	readonly toolHash: Sha256;
	/** `person` or `configuration`. */
	readonly by: string;
	readonly at: Timestamp;
}

export interface ToolRule {
	readonly toolId: ToolId;
	readonly decision: PolicyDecision;
	readonly by: string;
	readonly at: Timestamp;
}

/** Stores what the user decided about tools. */
export interface ToolStore {
	/** The newest acceptance of each integration. Earlier ones no longer count. */
	acceptances(): Promise<readonly ToolAcceptance[]>;
	accept(acceptance: ToolAcceptance): Promise<void>;
	rules(): Promise<readonly ToolRule[]>;
	/** Replaces the tool's rule. */
	setRule(rule: ToolRule): Promise<void>;
	removeRule(toolId: ToolId): Promise<void>;
}
