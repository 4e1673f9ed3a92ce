import { join } from "node:path";
import { ProviderId, providersFile } from "@xworkmate/contracts";
import type { ProcessLedger } from "../../ports/process-ledger.ts";
import type { Provider } from "../../ports/provider.ts";
import { catalogue } from "../catalogue/catalogue.ts";
import { CommandLookup } from "../catalogue/catalogue-lookup.ts";
import { AcpProvider, type AcpProviderDeps } from "./acp-provider.ts";
import { IdleAgents } from "./idle-agents.ts";
import { MisconfiguredProvider } from "./misconfigured-provider.ts";
import { type AcpBounds, defaultBounds } from "./process/acp-bounds.ts";
import type { AgentLog } from "./process/agent-connection.ts";
import type { Environment } from "./process/agent-environment.ts";
import { catalogueLaunch, definedLaunch } from "./process/launch.ts";
import { type ProvidersFileProblem, readProvidersFile } from "./providers-file.ts";

export interface AcpProvidersDeps {
	/** Absolute; holds providers.json. */
	readonly home: string;
	/** The bridge's own variables; agents are looked up on its PATH and inherit all except the bridge's own. */
	readonly environment: Environment;
	readonly ledger: ProcessLedger;
	readonly log: AgentLog;
	readonly bounds?: Partial<AcpBounds>;
}

/**
 * The agents of the built-in catalogue and those of `<home>/providers.json`, which override by id. An unreadable entry is logged and
 * becomes a provider that reports why it is unavailable; the others work.
 */
export function createAcpProviders(deps: AcpProvidersDeps): Provider[] {
	const { home, environment, ledger, log } = deps;
	const bounds: AcpBounds = { ...defaultBounds, ...deps.bounds };
	const { agents, problems } = readProvidersFile(join(home, providersFile));
	for (const { place, message } of problems) log.warn({ place }, `providers.json: ${message}`);
	const shared: AcpProviderDeps = {
		lookup: new CommandLookup(environment.PATH),
		environment,
		ledger,
		idle: new IdleAgents(bounds, log),
		bounds,
		log,
	};
	const defined = agents.map((agent) => new AcpProvider(definedLaunch(agent, home), shared));
	const broken = brokenProviders(problems, new Set(defined.map(({ providerId }) => providerId)));
	const taken = new Set([...defined, ...broken].map(({ providerId }) => providerId));
	const builtIn = catalogue
		.filter(({ providerId }) => !taken.has(providerId))
		.map((entry) => new AcpProvider(catalogueLaunch(entry), shared));
	return [...builtIn, ...defined, ...broken];
}

/** One provider for each id that could not be defined, and one named after the file for the rest. */
function brokenProviders(problems: readonly ProvidersFileProblem[], defined: ReadonlySet<ProviderId>): MisconfiguredProvider[] {
	const file = ProviderId.parse(providersFile);
	const byId = Map.groupBy(problems, ({ providerId }) => (providerId === undefined || defined.has(providerId) ? file : providerId));
	return [...byId].map(([providerId, own]) => new MisconfiguredProvider(providerId, own));
}
