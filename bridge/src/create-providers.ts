import { omitUndefined, type ProviderId } from "@xworkmate/contracts";
import type { Logger } from "pino";
import type { BridgeConfig } from "./config/config.ts";
import type { CallPolicy } from "./ports/call-policy.ts";
import { systemClock } from "./ports/clock.ts";
import type { ProcessLedger } from "./ports/process-ledger.ts";
import type { Provider } from "./ports/provider.ts";
import type { ToolHosts } from "./ports/tool-hosts.ts";
import type { HostsOfTurn } from "./ports/turn-hosts.ts";
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

/** Memory for large texts that programs send. */
const INFLOW_BYTES = 16 * 2 ** 20;

/** The integrations of the home. Their processes are recorded like all others. */
export function createTools(config: BridgeConfig, store: BridgeStore, logger: Logger): Promise<HomeTools> {
	const { home, bridgeHome, environment, tools } = config;
	const inflow = new Inflow(INFLOW_BYTES);
	return openTools({ home, bridgeHome, environment, ...tools, store: store.tools, ledger: store.processes, inflow, log: logger });
}

/** A policy that is composed later than what asks it. */
export function lateCallPolicy(policy: () => CallPolicy): CallPolicy {
	return {
		get version() {
			return policy().version;
		},
		answer: (question) => policy().answer(question),
		denial: (question, allowedBy) => policy().denial(question, allowedBy),
	};
}

/** Tools of turns that are composed later than who uses them. */
export function lateHosts(from: () => { readonly hostsOfTurn: HostsOfTurn }): HostsOfTurn {
	return (hosts, turn) => from().hostsOfTurn(hosts, turn);
}

/** How the assistant reaches models. */
export type AssistantModels = Pick<AssistantProviderDeps, "accounts" | "clients" | "offered">;

/** The providers, by id. What runs typed tools asks `typed`; the assistant can also write them. */
export function createProviders(
	config: BridgeConfig,
	ledger: ProcessLedger,
	typed: { readonly hosts: ToolHosts; readonly policy: CallPolicy; readonly write: WriteSource; readonly hostsOfTurn: HostsOfTurn },
	models: AssistantModels,
	logger: Logger,
): ReadonlyMap<ProviderId, Provider> {
	const agents = createAcpProviders({ home: config.home, environment: config.environment, ledger, log: logger });
	const inflow = new Inflow(INFLOW_BYTES);
	const sandbox = createProcessSandbox({
		ledger,
		inflow,
		maxPrograms: config.runLimits.maxActiveRuns,
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
		// Both end with the other one's provider.
		sandbox,
		checker,
		defaultModels: omitUndefined({ anthropic, openai }),
		log: logger,
	});
	const { url, token, lostMs, allowUntested } = config.openclaw;
	const openclaw = createOpenClawProvider({
		...(url === undefined ? {} : { url }),
		...(token === undefined ? {} : { token }),
		bridgeHome: config.bridgeHome,
		log: logger,
		allowUntested,
		bounds: { lostMs },
	});
	return new Map([...agents, assistant, script, openclaw].map((provider) => [provider.providerId, provider]));
}
