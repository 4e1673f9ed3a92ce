import { omitUndefined, type ProviderId } from "@xworkmate/contracts";
import type { Logger } from "pino";
import type { BridgeConfig } from "./config/config.ts";
import type { AgentHome } from "./create-agents.ts";
import type { ManagedAgent } from "./ports/agents/managed-agent.ts";
import type { ProcessLedger } from "./ports/agents/process-ledger.ts";
import type { Provider } from "./ports/agents/provider.ts";
import { systemClock } from "./ports/clock.ts";
import type { CallPolicy } from "./ports/tools/call-policy.ts";
import type { ToolHosts } from "./ports/tools/tool-hosts.ts";
import type { HostsOfTurn } from "./ports/tools/turn-hosts.ts";
import { Inflow } from "./processes/frames/inflow.ts";
import { createAcpProviders } from "./providers/acp/index.ts";
import { type AssistantProviderDeps, createAssistantProvider } from "./providers/assistant/assistant-provider.ts";
import { createOpenClawProvider } from "./providers/openclaw/index.ts";
import { createScriptProvider } from "./providers/script/script-provider.ts";
import { createTypeScriptChecker } from "./sandbox/compiler/typescript-checker.ts";
import { createProcessSandbox } from "./sandbox/process-sandbox.ts";
import type { BridgeStore } from "./store/bridge-store.ts";
import { type HomeTools, openTools } from "./tools/integrations/open-tools.ts";
import { HostsWithWriteTool, type WriteSource } from "./tools/integrations/write-tool.ts";

/**
 * The highest value that the setting for concurrent runs can have. The sandbox gets its limit when it is created, and the setting may
 * change later.
 */
const MOST_PROGRAMS = 1_000;
/** The memory limit for large texts that programs send. */
const INFLOW_BYTES = 16 * 2 ** 20;

/** Opens the integrations of the home. Their processes are recorded like all others. */
export function createTools(config: BridgeConfig, store: BridgeStore, logger: Logger): Promise<HomeTools> {
	const { home, bridgeHome, environment, tools } = config;
	const inflow = new Inflow(INFLOW_BYTES);
	return openTools({ home, bridgeHome, environment, ...tools, store: store.tools, ledger: store.processes, inflow, log: logger });
}

/** Looks up the policy on each call, because it is created after the parts that use it. */
export function lateCallPolicy(policy: () => CallPolicy): CallPolicy {
	return {
		get version() {
			return policy().version;
		},
		answer: (question) => policy().answer(question),
		denial: (question, allowedBy) => policy().denial(question, allowedBy),
	};
}

/** Looks up `hostsOfTurn` on each call, because its owner is created after the parts that use it. */
export function lateHosts(from: () => { readonly hostsOfTurn: HostsOfTurn }): HostsOfTurn {
	return (hosts, turn) => from().hostsOfTurn(hosts, turn);
}

/** How the assistant reaches models. */
export type AssistantModels = Pick<AssistantProviderDeps, "accounts" | "clients" | "offered">;

export interface CreatedProviders {
	/** All providers, by id. */
	readonly providers: ReadonlyMap<ProviderId, Provider>;
	/** The agents that can be installed and signed in to. */
	readonly managed: readonly ManagedAgent[];
}

/** Creates the providers. Those that run typed tools use `typed`; the assistant can also write such tools. */
export function createProviders(
	config: BridgeConfig,
	ledger: ProcessLedger,
	typed: { readonly hosts: ToolHosts; readonly policy: CallPolicy; readonly write: WriteSource; readonly hostsOfTurn: HostsOfTurn },
	models: AssistantModels,
	agentHome: AgentHome,
	logger: Logger,
): CreatedProviders {
	const { entries: catalogue, installed, variables } = agentHome;
	const found = { home: config.home, catalogue, installed, variables };
	const agents = createAcpProviders({ ...found, environment: config.environment, ledger, log: logger });
	const inflow = new Inflow(INFLOW_BYTES);
	const sandbox = createProcessSandbox({
		ledger,
		inflow,
		maxPrograms: MOST_PROGRAMS,
		...(config.environment.TZ === undefined ? {} : { timeZone: config.environment.TZ }),
	});
	const checker = createTypeScriptChecker({ log: logger, ledger, inflow });
	const { hosts, policy, write, hostsOfTurn } = typed;
	const programs = { policy, clock: systemClock, parkMs: config.runLimits.parkMs };
	const script = createScriptProvider({ sandbox, checker, integrations: { ...programs, hosts }, log: logger });
	const { anthropicModel: anthropic, openaiModel: openai } = config.models;
	const assistant = createAssistantProvider({
		...models,
		...programs,
		hosts: new HostsWithWriteTool(hosts, write),
		hostsOfTurn,
		// The assistant does not close these two: they are shared with the script provider, which does.
		sandbox,
		checker,
		defaultModels: omitUndefined({ anthropic, openai }),
		log: logger,
	});
	const { url, token, setBy, lostMs, allowUntested } = config.openclaw;
	const openclaw = createOpenClawProvider({
		...(url === undefined ? {} : { url }),
		...(token === undefined ? {} : { token }),
		setBy,
		bridgeHome: config.bridgeHome,
		log: logger,
		allowUntested,
		bounds: { lostMs },
	});
	const all = [...agents.providers, assistant, script, openclaw];
	return { providers: new Map(all.map((provider) => [provider.providerId, provider])), managed: agents.managed };
}

/** Stops everything that the providers are running. A failure is only logged, so that the other providers are stopped too. */
export async function closeProviders(providers: ReadonlyMap<ProviderId, Provider>, logger: Logger): Promise<void> {
	const ends = await Promise.allSettled([...providers.values()].map((provider) => provider.close()));
	for (const end of ends) if (end.status === "rejected") logger.error({ err: end.reason }, "a provider could not be closed");
}
