import { join } from "node:path";
import { catalogueFile, type ProviderId, providersFile } from "@xworkmate/contracts";
import type { Logger } from "pino";
import { AgentMethods } from "./agents/agent-methods.ts";
import { AgentsFolder } from "./agents/agents-folder.ts";
import { KeptTests } from "./agents/kept-tests.ts";
import { type NotedEnd, noteRuns } from "./agents/note-runs.ts";
import { npmBounds } from "./agents/run-npm.ts";
import { Throttle } from "./agents/throttle.ts";
import { VARIABLES_FILE, VariablesFile } from "./agents/variables-file.ts";
import type { BridgeConfig } from "./config/config.ts";
import type { AgentService } from "./ports/agents/agent-service.ts";
import type { ManagedAgent } from "./ports/agents/managed-agent.ts";
import type { ProcessLedger } from "./ports/agents/process-ledger.ts";
import type { Provider } from "./ports/agents/provider.ts";
import { type Clock, timestamp } from "./ports/clock.ts";
import type { RunFacts } from "./ports/runs/run-record.ts";
import { type ReadCatalogue, readCatalogue } from "./providers/catalogue/read-catalogue.ts";
import type { ProviderCatalogue, TestsOfProviders } from "./routing/index.ts";

/** What is needed to start agents. */
export interface AgentHome extends ReadCatalogue {
	readonly installed: AgentsFolder;
	readonly variables: VariablesFile;
	readonly tests: KeptTests;
}

/** The shortest interval between two notices to clients that watch the agents. */
const TOLD_EVERY_MS = 300;

/** Opens the catalogue, with the agents that are installed in the home and the variables stored there. */
export function openAgentHome(
	{ home, bridgeHome }: BridgeConfig,
	logger: Logger,
	onSecrets: (secrets: readonly string[]) => void,
): AgentHome {
	const read = readCatalogue(join(home, catalogueFile));
	if (read.problem !== undefined) logger.warn(read.problem.message);
	const installed = new AgentsFolder(join(home, "agents"), (message) => logger.warn(message));
	const variables = new VariablesFile(join(home, VARIABLES_FILE), onSecrets);
	variables.removeLeftovers();
	const tests = new KeptTests(join(bridgeHome, "agent-tests.json"), (message) => logger.warn(message));
	return { ...read, installed, variables, tests };
}

/** How the tests of the currently installed versions ended. */
export function testsOfProviders({ tests, installed }: Pick<AgentHome, "tests" | "installed">, clock: Clock): TestsOfProviders {
	const versionOf = (providerId: ProviderId) => installed.get(providerId)?.version;
	return {
		last: (providerId) => tests.of(providerId, versionOf(providerId)),
		keep: (providerId, test) => tests.keep(providerId, versionOf(providerId), test),
		answeredAt: (providerId) => tests.answeredAt(providerId, versionOf(providerId)),
		failedRun: (providerId) => tests.failedRun(providerId, versionOf(providerId)),
		now: () => timestamp(clock.now()),
	};
}

/**
 * Records that an agent answered or failed in a run, unless it was installed or updated since the run was accepted. Returns whether the
 * record changed.
 */
export function noteEnd(
	{ tests, installed }: Pick<AgentHome, "tests"> & { readonly installed: Pick<AgentsFolder, "get"> },
	{ provider: { providerId }, createdAt }: Pick<RunFacts, "provider" | "createdAt">,
	{ at, failure }: NotedEnd,
	own?: Provider["own"],
): boolean {
	const program = installed.get(providerId);
	const isSame = program === undefined || Date.parse(program.installedAt) <= Date.parse(createdAt);
	const fix =
		own === undefined
			? `Fix the cause, then test the agent: npm run -s xworkmate -- agents test ${providerId}`
			: "Test its accounts: npm run -s xworkmate -- auth test";
	return isSame && tests.noteRun(providerId, program?.version, at, failure && { ...failure, fix });
}

/** Removes the failed runs of the bridge's own agents. Returns whether there were any. */
export function forgetFailedRuns({ tests }: Pick<AgentHome, "tests">, providers: ReadonlyMap<ProviderId, Pick<Provider, "own">>): boolean {
	const failed = [...providers].filter(([id, { own }]) => own === "agent" && tests.failedRun(id, undefined) !== undefined);
	for (const [id] of failed) tests.keep(id, undefined, undefined);
	return failed.length > 0;
}

export interface AgentsParts {
	readonly config: BridgeConfig;
	readonly agents: AgentHome;
	readonly managed: readonly ManagedAgent[];
	readonly ledger: ProcessLedger;
	readonly clock: Clock;
	readonly logger: Logger;
	readonly providers: ReadonlyMap<ProviderId, Pick<Provider, "own" | "isDefined">>;
	readonly runs: Parameters<typeof noteRuns>[0];
	readonly catalogue: Pick<ProviderCatalogue, "test" | "forget">;
	onChanged(): void;
}

export interface OpenedAgents extends AsyncDisposable {
	readonly service: AgentService;
	/** Called when an account of the assistant may work again, so that its failed run no longer applies. */
	accountUsable(): void;
}

/** Creates the methods for agents. */
export function createAgents(parts: AgentsParts): OpenedAgents {
	const { config, agents, managed, providers, ledger, clock, logger, runs, catalogue, onChanged } = parts;
	const { entries, problem, installed, variables, tests } = agents;
	const changed = () => {
		// A reader that asks because of the change must not get capabilities from before it.
		catalogue.forget();
		onChanged();
	};
	const told = new Throttle(changed, TOLD_EVERY_MS);
	const versionOf = (agentId: ProviderId) => installed.get(agentId)?.version;
	const methods = new AgentMethods({
		agents: entries.map((entry) => ({
			entry,
			managed: managed.find(({ providerId }) => providerId === entry.providerId),
		})),
		lastTest: (agentId) => tests.of(agentId, versionOf(agentId)),
		answeredAt: (agentId) => tests.answeredAt(agentId, versionOf(agentId)),
		failedRun: (agentId) => tests.failedRun(agentId, versionOf(agentId)),
		forgetTest: (agentId) => tests.keep(agentId, versionOf(agentId), undefined),
		isDefined: (agentId) => agentId !== providersFile && providers.get(agentId)?.isDefined === true,
		providersPath: join(config.home, providersFile),
		folder: installed,
		variables,
		problem,
		environment: config.environment,
		ledger,
		bounds: npmBounds,
		now: () => timestamp(clock.now()),
		testProvider: (agentId) => catalogue.test(agentId),
		onChanged: () => told.call(),
		onFault: (error) => logger.error({ err: error }, "an agent could not be set up or checked because of a fault in the bridge"),
	});
	// The script provider is not recorded: how its runs end depends only on the programs.
	const isAgent = ({ target, providerId }: RunFacts["provider"]) => target === "agent" && providers.get(providerId)?.own !== "programs";
	noteRuns(
		runs,
		(run, end) => {
			if (isAgent(run.provider) && noteEnd(agents, run, end, providers.get(run.provider.providerId)?.own)) told.call();
		},
		(error) => logger.warn({ err: error }, "could not record whether an agent answered in a run"),
	);
	return {
		service: methods,
		accountUsable: () => {
			if (forgetFailedRuns(agents, providers)) told.call();
		},
		[Symbol.asyncDispose]: async () => {
			await methods.close();
			told[Symbol.dispose]();
		},
	};
}
