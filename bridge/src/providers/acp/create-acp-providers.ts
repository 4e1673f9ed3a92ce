import { join } from "node:path";
import { ProviderId, providersFile } from "@xworkmate/contracts";
import type { AgentVariables, InstalledPrograms, ManagedAgent } from "../../ports/agents/managed-agent.ts";
import type { ProcessLedger } from "../../ports/agents/process-ledger.ts";
import type { Provider } from "../../ports/agents/provider.ts";
import type { CatalogueEntry } from "../catalogue/catalogue.ts";
import { CommandLookup } from "../catalogue/catalogue-lookup.ts";
import { AcpProvider, type AcpProviderDeps } from "./acp-provider.ts";
import { IdleAgents } from "./idle-agents.ts";
import { MisconfiguredProvider } from "./misconfigured-provider.ts";
import { type AcpBounds, defaultBounds } from "./process/acp-bounds.ts";
import type { Environment } from "./process/agent-environment.ts";
import type { AgentLog } from "./process/agent-report.ts";
import { catalogueLaunch, definedLaunch } from "./process/launch.ts";
import { type ProvidersFileProblem, readProvidersFile } from "./providers-file.ts";

export interface AcpProvidersDeps {
	/** The folder that contains providers.json, as an absolute path. */
	readonly home: string;
	readonly catalogue: readonly CatalogueEntry[];
	readonly installed: InstalledPrograms;
	readonly variables: AgentVariables;
	/** The bridge's environment. Agents are looked up on its PATH and inherit it as `agentEnvironment` says. */
	readonly environment: Environment;
	readonly ledger: ProcessLedger;
	readonly log: AgentLog;
	readonly bounds?: Partial<AcpBounds>;
}

export interface AcpProviders {
	readonly providers: readonly Provider[];
	/** The agents of the catalogue, except those whose id providers.json defines. */
	readonly managed: readonly ManagedAgent[];
}

/**
 * Creates the agents of the catalogue and those of `<home>/providers.json`, which override the catalogue by id. An unreadable entry is
 * logged and becomes a provider that reports why it is unavailable; the others work.
 */
export function createAcpProviders(deps: AcpProvidersDeps): AcpProviders {
	const { home, catalogue, installed, variables, environment, ledger, log } = deps;
	const bounds: AcpBounds = { ...defaultBounds, ...deps.bounds };
	const { agents, problems } = readProvidersFile(join(home, providersFile));
	for (const { place, message } of problems) log.warn({ place }, `providers.json: ${message}`);
	const shared: AcpProviderDeps = {
		lookup: new CommandLookup(environment.PATH),
		installed,
		variables,
		environment,
		ledger,
		idle: new IdleAgents(bounds, log),
		bounds,
		log,
	};
	const entryOf = (id: ProviderId) => catalogue.find(({ providerId }) => providerId === id);
	const defined = agents.map((agent) => new AcpProvider(definedLaunch(agent, home, entryOf(agent.id)), shared));
	const broken = brokenProviders(problems, new Set(defined.map(({ providerId }) => providerId)));
	const taken = new Set([...defined, ...broken].map(({ providerId }) => providerId));
	const builtIn = catalogue
		.filter(({ providerId }) => !taken.has(providerId))
		.map((entry) => new AcpProvider(catalogueLaunch(entry), shared));
	return { providers: [...builtIn, ...defined, ...broken], managed: builtIn };
}

/** A provider for each id whose definition failed, and one named after the file for all other problems. */
function brokenProviders(problems: readonly ProvidersFileProblem[], defined: ReadonlySet<ProviderId>): MisconfiguredProvider[] {
	const file = ProviderId.parse(providersFile);
	const byId = Map.groupBy(problems, ({ providerId }) => (providerId === undefined || defined.has(providerId) ? file : providerId));
	return [...byId].map(([providerId, own]) => new MisconfiguredProvider(providerId, own));
}
