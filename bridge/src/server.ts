import { join } from "node:path";
import { environmentSecrets, omitUndefined, type ProviderId, Redaction, type Routing } from "@xworkmate/contracts";
import { clearPutBack, isPutBack, notePutBack } from "@xworkmate/platform/files";
import { originOf } from "@xworkmate/platform/settings";
import type { Logger } from "pino";
import { checkContract, createArtifactStore, createRunWorkspace, sweepInputs } from "./artifacts/index.ts";
import { composeRuns, type Outside, type Runs } from "./compose-runs.ts";
import type { BridgeConfig } from "./config/config.ts";
import { ownHosts } from "./config/own-hosts.ts";
import { createAgents, openAgentHome, testsOfProviders } from "./create-agents.ts";
import { createModels } from "./create-models.ts";
import { createPlans, type Plans } from "./create-plans.ts";
import { closeProviders, createProviders, createTools, lateCallPolicy, lateHosts } from "./create-providers.ts";
import { checkInBackground } from "./database-check.ts";
import { createEdits } from "./edits/create-edits.ts";
import { createEvidence, type ReceiptLedger } from "./evidence/index.ts";
import { expireRegularly } from "./expire-regularly.ts";
import { HomeWatch } from "./home-watch.ts";
import { BridgeMetrics, createHttpServer, createWebhookServer, type HttpServerOptions, StartGate } from "./http/index.ts";
import type { LiveSettings } from "./live-settings.ts";
import { createOperators } from "./operator/create-operators.ts";
import type { Provider } from "./ports/agents/provider.ts";
import type { ArtifactStore } from "./ports/artifacts/artifact-store.ts";
import { type Clock, systemClock } from "./ports/clock.ts";
import { endLeftoverProcesses } from "./processes/group/process-group-leftovers.ts";
import { conversationRouting, ProviderCatalogue, type RoutingTerms, resolveRouting } from "./routing/index.ts";
import { createMethodTable, createRpcDispatcher, describeCapabilities, type MethodTableOptions } from "./rpc/index.ts";
import type { EndBefore } from "./runs/domain/attempts.ts";
import { countEnds } from "./runs/engine/count-ends.ts";
import { expireBytes } from "./runs/engine/files/retention.ts";
import { createRunResults } from "./runs/engine/files/run-results.ts";
import { storageOf } from "./storage-of.ts";
import type { BridgeStore } from "./store/bridge-store.ts";
import { DATABASE_FILE, openSqliteStore, wasLeftOpen } from "./store/sqlite/index.ts";
import type { HomeTools } from "./tools/integrations/open-tools.ts";
import { waitForSpace } from "./wait-for-space.ts";

export interface BridgeOptions {
	readonly config: BridgeConfig;
	readonly token: string;
	/** Keeps `config` up to date. If absent, the settings never change. */
	readonly settings?: LiveSettings;
	/** Certificate and key as PEM text. */
	readonly tls?: HttpServerOptions["tls"];
	readonly logger: Logger;
	/** The clock of runs, plans and receipts. Default: the machine's. */
	readonly clock?: Clock;
	/** How the previous bridge ended. */
	readonly before: EndBefore;
	/** Called if the bridge can't continue. The process must call `endAgents` and end: the next start may not know of the agents. */
	readonly onFatal: (error: unknown, endAgents: () => Promise<void>) => void;
}

export interface Bridge {
	/** Starts listening and returns the bridge's URL. Requests about runs wait until they can be answered. */
	listen(): Promise<string>;
	/**
	 * Determines the state of an earlier bridge's runs and messages, begins to answer requests, then continues runs and plans. Requests are
	 * answered first, because a run may crash the bridge. Rejects only if plans can't be continued.
	 */
	recover(): Promise<void>;
	/** Gives runs time to end, then releases everything. */
	close(): Promise<void>;
}

/**
 * The composition root: with `create-*.ts`, the only place that names implementations. The caller has to hold the home's lock.
 * @throws StoreError if the store cannot be opened
 */
export async function openBridge(options: BridgeOptions): Promise<Bridge> {
	const { config, logger, clock = systemClock } = options;
	let endAgents = () => Promise.resolve();
	const onFatal = (error: unknown) => options.onFatal(error, () => endAgents());
	await using opening = new AsyncDisposableStack();
	const database = join(config.bridgeHome, DATABASE_FILE);
	const isUnchecked = wasLeftOpen(database);
	const store = waitForSpace(openSqliteStore(config.bridgeHome));
	opening.defer(() => store.close());
	const watch = opening.use(new HomeWatch(database, (error) => onFatal(error)));
	const artifactStore = opening.use(createArtifactStore({ root: join(config.bridgeHome, "artifacts") }));
	const tools = opening.use(await createTools(config, store, logger));
	const redaction = new Redaction(knownSecrets(config));
	const onSecrets = (secrets: readonly string[]) => redaction.know(secrets);
	const told = { onSecrets, onUsable: () => agents.accountUsable() };
	const { accounts, models, askModel } = opening.use(createModels(config, store.accounts, logger, told));
	accounts.learnSecrets();
	// The policy belongs to the core, which is created after the providers.
	const policy = lateCallPolicy(() => runs.callPolicy);
	const typed = { hosts: tools.hosts, write: tools.write, policy, hostsOfTurn: lateHosts(() => plans) };
	const agentHome = openAgentHome(config, logger, onSecrets);
	const { providers, managed } = createProviders(config, store.processes, typed, models, agentHome, logger);
	opening.defer(() => closeProviders(providers, logger));
	endAgents = () => closeProviders(providers, logger);
	const catalogue = new ProviderCatalogue(providers.values(), testsOfProviders(agentHome, clock));
	const guarded = { ...store, log: watch.guard(store.log) };
	const stores = { receipts: store.receipts, ends: store.ledgerEnd, runs: store.runs };
	const { ledger, receipts, isRestored } = createEvidence({ bridgeHome: config.bridgeHome, ...stores, clock, log: logger });
	opening.defer(() => ledger.close());
	const edits = createEdits(config, clock);
	const runs: Runs = createRuns({ config, logger, clock, onFatal }, guarded, artifactStore, providers, catalogue, {
		ledger,
		toolRules: tools.rules,
		versionState: tools.versionState,
		workspace: createRunWorkspace(config, edits.repositories),
		redaction,
		beforeRun: accounts.learnSecrets,
	});
	const { service, coordinator, admission, log, removal, lockThread } = runs;
	log.onCommittedAny((runId, events) => ledger.note(runId, events));
	tools.onChanged(() => runs.changes.toolsChanged());
	const agents = createAgents({
		...{ config, agents: agentHome, managed, providers, ledger: store.processes, clock, logger, runs: service },
		catalogue,
		onChanged: () => runs.changes.agentsChanged(),
	});
	opening.use(agents);
	options.settings?.onApplied(() => {
		logger.level = config.logLevel;
		coordinator.startWhatMay();
	});
	const ended = countEnds(log);
	const routing = async () => conversationRouting(await catalogue.describe(), routingDefaults(config));
	const results = createRunResults(service, store.artifacts, artifactStore);
	const metrics = new BridgeMetrics(() => ({ active: admission.activeCount, queued: admission.queuedCount, commits: log.commits, ended }));
	const plans: Plans = await createPlans({
		measures: metrics,
		...{ config, redaction, results, receipts, routing, askModel, clock, logger, onFatal },
		noteReceipts: (planId, made) => ledger.notePlan(planId, made),
		store: store.plans,
		told: store.channels,
		runs: service,
		providers: () => catalogue.describe(),
		resolveRouting: routingOf(config, catalogue),
	});
	const operators = createOperators({
		discord: config.discord,
		runs: service,
		store: store.operators,
		routing,
		reviews: { plans: plans.service, user: () => plans.discordUser(), discordOwner: () => plans.discordOwner() },
		clock,
		warn: (details, message) => logger.warn(details, message),
	});
	const services = {
		...{ runs: service, receipts, agents: agents.service, edits: edits.methods(store.deletion, lockThread) },
		...{ accounts: accounts.service, operators: operators.service, plans: plans.service, channels: plans.channels },
		settings: async () => (await options.settings?.list()) ?? { settings: [] },
	};
	const gate = new StartGate();
	const app = await createHttpServer({
		gate,
		runs: service,
		plans: plans.service.feed,
		messages: plans.files,
		results,
		receipts: receipts.files,
		dispatcher: createDispatcher(config, services, catalogue, tools, logger, storageOf(config.bridgeHome, store.artifacts)),
		metrics,
		access: { token: options.token, allowedHosts: ownHosts(config), allowedOrigins: config.allowedOrigins, now: () => systemClock.now() },
		heartbeatMs: config.heartbeatMs,
		isHomeThere: () => watch.isThere,
		logger,
		...(options.tls === undefined ? {} : { tls: options.tls }),
	});
	opening.defer(() => app.close());
	opening.use(removal);
	let recovered = Promise.resolve();
	opening.defer(() => recovered);
	// Runs end before the server does, so that readers get the outcome.
	opening.defer(() => coordinator.shutdown());
	// Plans end before runs do, so that the next bridge handles how the runs ended.
	opening.use(plans);
	opening.use(operators);
	const webhooks = opening.use(
		createWebhookServer({
			whatsapp: plans.whatsappWebhook,
			onError: (error) => logger.error({ err: error }, "a webhook's report could not be stored"),
			...(options.tls === undefined ? {} : { tls: options.tls }),
		}),
	);
	const open = opening.move();
	const listen = async () => {
		await app.listen(config.listen);
		if (config.webhookListen !== undefined) {
			const port = await webhooks.listen(config.webhookListen);
			logger.info({ url: originOf(config.webhookListen.host, port, options.tls !== undefined) }, "listening for webhooks");
		}
		const address = app.server.address();
		const port = typeof address === "object" && address !== null ? address.port : config.listen.port;
		return originOf(config.listen.host, port, options.tls !== undefined);
	};
	const recover = async () => {
		let isBackup = false;
		try {
			await cleanUp(store, config, logger);
			await agentHome.installed.sweep();
			isBackup = isPutBack(config.bridgeHome) || (await isRestored());
			await edits.afterInterruption(isBackup, (error) => logger.error({ err: error }, "a thread's files could not be written"));
			if (isBackup) {
				logger.warn("a backup was restored: unfinished runs end, plans are paused, and anything they would send waits for your decision");
				// Loading the ledger removes the ledger's own sign that a backup was restored, so the restoration is recorded elsewhere first.
				notePutBack(config.bridgeHome);
				await plans.holdRestored();
			}
			const unfinished = await store.runs.unfinishedRuns();
			await ledger.load(unfinished.filter(({ status }) => status === "running").map(({ runId }) => runId));
			// Runs that continue wait for the tools that they call.
			void tools.begin();
			await removal.resume();
			await Promise.all([coordinator.load(options.before, isBackup), plans.load()]);
		} catch (error) {
			if (!open.disposed) onFatal(error);
			return;
		}
		if (open.disposed) return;
		gate.open();
		const resumed = coordinator.recover().then(() => isBackup && clearPutBack(config.bridgeHome));
		await resumed.catch((error: unknown) => logger.error({ err: error }, "unfinished runs could not be resumed"));
		if (open.disposed) return;
		operators.begin();
		await plans.begin();
		void ledger.finishLate().catch((error: unknown) => logger.error({ err: error }, "the receipts of ended runs could not be sealed"));
		open.use(expireRegularly(() => expireBytes(store.artifacts, artifactStore, config.runLimits, systemClock.now()), logger));
		if (isUnchecked) open.use(checkInBackground(database, store.processes, logger, onFatal));
	};
	return { listen, recover: () => (recovered = recover()), close: () => open.disposeAsync() };
}

/** Cleans up after an earlier bridge that was killed. */
async function cleanUp(store: BridgeStore, config: BridgeConfig, logger: Logger): Promise<void> {
	const left = await endLeftoverProcesses(store.processes);
	for (const { pid, label } of left) logger.warn({ pid, label }, "a process of an earlier bridge may still be running");
	const unfinished = await store.runs.unfinishedRuns();
	await sweepInputs(config.home, new Set(unfinished.map(({ runId }) => runId)));
}

/** Creates the core and logs its events. */
function createRuns(
	{ config, logger, clock, onFatal }: Pick<Outside, "clock" | "onFatal"> & Pick<BridgeOptions, "config" | "logger">,
	store: BridgeStore,
	artifactStore: ArtifactStore,
	providers: ReadonlyMap<ProviderId, Provider>,
	catalogue: ProviderCatalogue,
	{
		ledger,
		...parts
	}: { readonly ledger: ReceiptLedger } & Pick<Outside, "toolRules" | "versionState" | "redaction" | "beforeRun" | "workspace">,
): Runs {
	return composeRuns({
		...parts,
		noteRemoved: (runId) => ledger.noteRemoved(runId),
		onPark: (runId) => ledger.noteParked(runId),
		store,
		artifactStore,
		checkContract,
		providers,
		resolveRouting: routingOf(config, catalogue),
		policy: config.approvalPolicy,
		clock,
		limits: config.runLimits,
		onError: (error, runId) => logger.error({ err: error, runId }, "a run failed because of a fault in the bridge"),
		onDiskFull: (error) => logger.error({ err: error }, "the disk is full: runs wait until there is space"),
		onDiskSpace: (waitedMs) => logger.warn({ waitedMs }, "the disk has space again: runs continue"),
		onFatal,
	});
}

/** The secrets in the environment, and the tokens for OpenClaw and Discord. */
function knownSecrets({ environment, openclaw, discord }: BridgeConfig): readonly string[] {
	const set = Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
	return [...environmentSecrets(Object.fromEntries(set)), ...[openclaw.token, discord.token].flatMap((token) => (token ? [token] : []))];
}

function routingDefaults({ defaultProvider }: BridgeConfig): Pick<RoutingTerms, "providerId"> {
	return defaultProvider === undefined ? {} : { providerId: defaultProvider };
}

function routingOf(config: BridgeConfig, catalogue: ProviderCatalogue) {
	return async (routing: Routing, account?: string) =>
		resolveRouting(routing, await catalogue.describe(), { ...routingDefaults(config), ...omitUndefined({ account }) });
}

function createDispatcher(
	config: BridgeConfig,
	services: Omit<MethodTableOptions, "tools" | "capabilities" | "resolveRouting" | "testProvider">,
	catalogue: ProviderCatalogue,
	tools: HomeTools,
	logger: Logger,
	storage: ReturnType<typeof storageOf>,
): HttpServerOptions["dispatcher"] {
	const table = createMethodTable({
		...services,
		tools: tools.service,
		capabilities: async () => describeCapabilities(await catalogue.describe(), { ...config, clock: systemClock, storage: await storage() }),
		resolveRouting: routingOf(config, catalogue),
		testProvider: (providerId) => catalogue.test(providerId),
	});
	return createRpcDispatcher(table, (error) => logger.error({ err: error.cause ?? error }, "a call failed"));
}
