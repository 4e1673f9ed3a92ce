import { z } from "zod";
import { Sha256 } from "../ids/ids.ts";
import { Integration, ListedTool, ToolSources } from "../tools/integration.ts";
import { IntegrationId, PolicyDecision, ToolId } from "../tools/tool-id.ts";
import type { MethodDefinition } from "./method-definition.ts";

/** The integrations of the home, and the user's rules for their tools. */
export const toolMethods = {
	"xworkmate.tools.list": {
		params: z.strictObject({}),
		result: z.object({ integrations: z.array(Integration) }),
		streams: false,
		effects: false,
		summary: "Integrations with their state, problems and tools.",
	},
	"xworkmate.tools.reload": {
		params: z.strictObject({ integration: IntegrationId.optional() }),
		result: z.object({ integrations: z.array(Integration) }),
		streams: false,
		effects: true,
		summary: "Rereads the files of one integration, or of all. Accepts code only if XWORKMATE_TOOLS_ACCEPT is auto.",
	},
	"xworkmate.tools.accept": {
		params: z.strictObject({ integration: IntegrationId, toolHash: Sha256 }),
		result: Integration,
		streams: false,
		effects: true,
		summary: "Accepts this version of an integration's code.",
	},
	"xworkmate.tools.add": {
		params: z.strictObject({ example: z.string().min(1).max(64) }),
		result: Integration,
		streams: false,
		effects: true,
		summary: "Copies an example integration into the data folder and accepts it.",
	},
	"xworkmate.tools.new": {
		params: z.strictObject({ integration: IntegrationId }),
		result: Integration,
		streams: false,
		effects: true,
		summary: "Creates an integration with two example tools and accepts its code.",
	},
	"xworkmate.tools.sources": {
		params: z.strictObject({ integration: IntegrationId, toolHash: Sha256.optional() }),
		result: ToolSources,
		streams: false,
		effects: false,
		summary: "The source files of a version of an integration, for review.",
	},
	"xworkmate.tools.policy": {
		params: z.strictObject({ toolId: ToolId, decision: z.union([PolicyDecision, z.literal("inherit")]) }),
		result: ListedTool,
		streams: false,
		effects: true,
		summary: "Sets the user's rule for a tool, or removes it.",
	},
} as const satisfies Record<string, MethodDefinition>;
