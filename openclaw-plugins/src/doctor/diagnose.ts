import { OPENCLAW_CONTRACT_VERSION, type OpenClawResult, type Unavailable } from "@xworkmate/contracts";
import { errorMessage } from "@xworkmate/platform/errors";
import { writeDurably } from "@xworkmate/platform/files";
import { z } from "zod";
import type { PluginApi } from "../host/plugin-api.ts";

const Hooks = z.object({ allowConversationAccess: z.boolean().optional(), allowPromptInjection: z.boolean().optional() });
const GatewayConfig = z.object({
	plugins: z.object({ entries: z.object({ xworkmate: z.object({ hooks: Hooks.optional() }).optional() }).optional() }).optional(),
});
const Version = z.string().regex(/^\d{4}\.\d+\.\d+/);
const Callable = z.function();
/** What the plugin uses in addition to what it needs to load. */
const Runtime = z.object({
	agent: z.object({ resolveAgentWorkspaceDir: Callable, session: z.object({ patchSessionEntry: Callable }) }),
	tasks: z.object({ runs: z.object({ bindSession: Callable }) }),
});

/** Lists what this gateway lacks for XWorkmate, each with its fix. `probe` is a path at which a file may be written. */
export function diagnose(api: Pick<PluginApi, "runtime" | "version">, probe: string): OpenClawResult<"xworkmate.doctor"> {
	const { config, version = "unknown" } = api.runtime;
	const hooks = GatewayConfig.safeParse(config.current()).data?.plugins?.entries?.xworkmate?.hooks;
	const problems = [
		conversationProblem(hooks),
		injectionProblem(hooks),
		versionProblem(version),
		runtimeProblem(api.runtime),
		diskProblem(probe),
	];
	return {
		contractVersion: OPENCLAW_CONTRACT_VERSION,
		pluginVersion: api.version ?? "unknown",
		gatewayVersion: version,
		problems: problems.filter((problem) => problem !== undefined),
	};
}

/** Without this setting, the gateway drops the hooks that tell the model its scope and prevent a lost turn from running again. */
function conversationProblem(hooks: z.infer<typeof Hooks> | undefined): Unavailable | undefined {
	if (hooks?.allowConversationAccess === true) return undefined;
	return {
		code: "CONVERSATION_ACCESS_DENIED",
		message: "The gateway does not give the XWorkmate plugin access to conversations.",
		fix: "On the gateway's machine, run `openclaw config set plugins.entries.xworkmate.hooks.allowConversationAccess true`. Restart the gateway if its config reload is off.",
	};
}

function injectionProblem(hooks: z.infer<typeof Hooks> | undefined): Unavailable | undefined {
	if (hooks?.allowPromptInjection !== false) return undefined;
	return {
		code: "PROMPT_CONTEXT_DENIED",
		message: "The gateway does not let the plugin tell the model where to save its files.",
		fix: "On the gateway's machine, run `openclaw config set plugins.entries.xworkmate.hooks.allowPromptInjection true`. Restart the gateway if its config reload is off.",
	};
}

function versionProblem(version: string): Unavailable | undefined {
	const [year = 0, month = 0] = Version.safeParse(version).data?.split(".").map(Number) ?? [];
	if (year === 2026 && month === 9) return undefined;
	return {
		code: "GATEWAY_VERSION_UNTESTED",
		message: `This plugin is tested with OpenClaw 2026.9, but the gateway's version is ${version}.`,
		fix: 'On the gateway\'s machine, run `npm i -g openclaw@2026.9.6` and restart the gateway. To use this version untested, turn on "Untested OpenClaw versions" under Settings > OpenClaw and restart the bridge.',
	};
}

function runtimeProblem(runtime: unknown): Unavailable | undefined {
	if (Runtime.safeParse(runtime).success) return undefined;
	return {
		code: "GATEWAY_API_MISSING",
		message: "The gateway lacks a part of the plugin API that XWorkmate needs.",
		fix: "On the gateway's machine, run `npm i -g openclaw@2026.9.6` and restart the gateway.",
	};
}

function diskProblem(probe: string): Unavailable | undefined {
	try {
		writeDurably(probe, "xworkmate\n");
		return undefined;
	} catch (error) {
		return {
			code: "STATE_NOT_WRITABLE",
			message: `The gateway's state folder can't be written to: ${errorMessage(error)}.`,
			fix: "On the gateway's machine, make the state folder writable for the gateway, and check that the disk is not full.",
		};
	}
}
