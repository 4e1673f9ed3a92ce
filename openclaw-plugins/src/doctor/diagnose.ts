import { OPENCLAW_CONTRACT_VERSION, type OpenClawResult, type Unavailable } from "@xworkmate/contracts";
import { z } from "zod";
import type { PluginApi } from "../host/plugin-api.ts";

const PluginEntries = z.object({
	plugins: z.object({
		entries: z.object({
			xworkmate: z.object({ hooks: z.object({ allowConversationAccess: z.boolean().optional() }).optional() }).optional(),
		}),
	}),
});

const Version = z.string().regex(/^\d{4}\.\d+\.\d+/);

/** What this gateway lacks for XWorkmate, each with its fix. */
export function diagnose(api: PluginApi): OpenClawResult<"xworkmate.doctor"> {
	const { config, version = "unknown" } = api.runtime;
	const problems = [conversationProblem(config.current()), versionProblem(version)];
	return {
		contractVersion: OPENCLAW_CONTRACT_VERSION,
		pluginVersion: api.version ?? "unknown",
		gatewayVersion: version,
		problems: problems.filter((problem) => problem !== undefined),
	};
}

/** Without it the gateway drops the hooks that tell the model its scope and keep a lost turn from running again. */
function conversationProblem(config: unknown): Unavailable | undefined {
	const read = PluginEntries.safeParse(config);
	if (read.data?.plugins.entries.xworkmate?.hooks?.allowConversationAccess === true) return undefined;
	return {
		code: "CONVERSATION_ACCESS_DENIED",
		message: "the gateway does not let the plugin see the turns it serves",
		fix: "openclaw config set plugins.entries.xworkmate.hooks.allowConversationAccess true, then restart the gateway",
	};
}

function versionProblem(version: string): Unavailable | undefined {
	const [year = 0, month = 0] = Version.safeParse(version).data?.split(".").map(Number) ?? [];
	if (year === 2026 && month === 9) return undefined;
	return {
		code: "GATEWAY_VERSION_UNTESTED",
		message: `this plugin is made for OpenClaw 2026.9; the gateway is ${version}`,
		fix: "npm i -g openclaw@2026.9.6",
	};
}
