import { type AssistantMetadata, ContractError } from "@xworkmate/contracts";
import type { Provider } from "../../ports/agents/provider.ts";

/**
 * Refuses rules that could have no effect in a run of this provider. The id of such a rule's tool is most likely mistyped, and whoever set
 * the rule relies on it.
 * @throws ContractError TOOL_NOT_FOUND, INVALID_PARAMS
 */
export async function checkToolRules(
	provider: Pick<Provider, "label" | "toolCatalogue">,
	rules: AssistantMetadata["toolPolicy"] = {},
): Promise<void> {
	const ruled = Object.keys(rules);
	if (ruled.length === 0) return;
	const catalogue = await provider.toolCatalogue?.();
	if (catalogue === undefined) {
		throw new ContractError("INVALID_PARAMS", {
			detail: `${provider.label} can't call XWorkmate's tools, so a rule for ${ruled.join(", ")} would have no effect.`,
			fix: "Leave out the rules, or choose an agent that calls these tools: script or assistant.",
		});
	}
	const known = new Set<string>([...catalogue.tools.values()].map(({ toolId }) => toolId));
	const unknown = ruled.filter((toolId) => !known.has(toolId));
	if (unknown.length === 0) return;
	const tools = unknown.length === 1 ? "a tool that doesn't exist" : "tools that don't exist";
	throw new ContractError("TOOL_NOT_FOUND", {
		detail: `The message has ${unknown.length === 1 ? "a rule" : "rules"} for ${tools}: ${unknown.join(", ")}.`,
		fix: "See the tools' ids with `npm run -s xworkmate -- tools list`, then correct the rule or leave it out.",
	});
}
