import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { ApprovalId, artifactContractProblem, type ProviderId, type Routing, RunId, type StorageSpace } from "@xworkmate/contracts";
import { customAlphabet } from "nanoid";
import type { Logger } from "pino";
import { ApprovalBroker } from "./approvals/approval-broker.ts";
import { checkContract, createArtifactStore, createRunWorkspace, sweepInputs } from "./artifacts/index.ts";
import type { BridgeConfig } from "./config/config.ts";
import { originOf } from "./config/listen-address.ts";
import { countEnds } from "./count-ends.ts";
import { HomeWatch } from "./home-watch.ts";
import { BridgeMetrics, createHttpServer, type HttpServerOptions } from "./http/index.ts";
import { RunLookup } from "./log/run-lookup.ts";
import { systemClock } from "./ports/clock.ts";
import type { ProcessLedger } from "./ports/process-ledger.ts";
import type { Provider } from "./ports/provider.ts";
import { Inflow } from "./processes/frames/inflow.ts";
import { endLeftoverProcesses } from "./processes/group/process-group-leftovers.ts";
import { createAcpProviders } from "./providers/acp/index.ts";
import { createOpenClawProvider } from "./providers/openclaw/index.ts";
import { createScriptProvider } from "./providers/script/script-provider.ts";
import { scriptDeclarations } from "./providers/script/tools/script-declarations.ts";
import { ProviderCatalogue, resolveRouting } from "./routing/index.ts";
import { createMethodTable, createRpcDispatcher, describeCapabilities } from "./rpc/index.ts";
import type { EndBefore } from "./runs/domain/attempts.ts";
import { createRunService, type RunServiceHandle } from "./runs/engine/create-run-service.ts";
import { createTypeScriptChecker } from "./sandbox/compiler/typescript-checker.ts";
import { createProcessSandbox } from "./sandbox/process-sandbox.ts";
import { DATABASE_FILE, openSqliteStore, type SqliteStore } from "./store/sqlite/index.ts";
import { waitForSpace } from "./wait-for-space.ts";

export interface BridgeOptions {
	readonly config: BridgeConfig;
	readonly token: string;
	/** PEM texts. */
	readonly tls?: HttpServerOptions["tls"];
	readonly logger: Logger;
	/** How the bridge before this one came to its end. */
	readonly before: EndBefore;
	/** The log cannot be written any more: the process must end, and `endAgents` first, since the next start may not know of them. */
	readonly onFatal: (error: unknown, endAgents: () => Promise<void>) => void;
}

export interface Bridge {
	/** Starts serving and returns the bridge's URL. Runs of an earlier bridge are not resumed yet. */
	listen(): Promise<string>;
	/** Takes up every run that was not over. Call when requests are served: a run may end the bridge. Never rejects. */
	takeUp(): Promise<void>;
	/** Lets runs end within their bound, then gives everything back. */
	close(): Promise<void>;
}

const EXPIRE_EVERY_MS = 60 * 60_000;
/** Large texts that programs send, in memory at once. */
const INFLOW_BYTES = 16 * 2 ** 20;
// Lower case alone: ids name folders, also on disks that fold case.
const mintId = customAlphabet("0123456789abcdefghijklmnopqrstuvwxyz", 20);

/**
 * The composition root: the one place that names implementations. The caller holds the home's lock.
 * Requests about every run that was not over can be answered when this returns.
 * @throws StoreError when the store cannot be opened
 */
export async function openBridge(options: BridgeOptions): Promise<Bridge> {
	const { config, logger } = options;
	let endAgents = () => Promise.resolve();
	const onFatal = (error: unknown) => options.onFatal(error, () => endAgents());
	await using opening = new AsyncDisposableStack();
	const store = waitForSpace(openSqliteStore(config.bridgeHome));
	opening.defer(() => store.close());
	const watch = opening.use(new HomeWatch(join(config.bridgeHome, DATABASE_FILE), (error) => onFatal(error)));
	await cleanUp(store, config, logger);
	const artifactStore = opening.use(createArtifactStore({ root: join(config.bridgeHome, "artifacts") }));
	const providers = createProviders(config, store.processes, logger);
	opening.defer(() => closeAll(providers, logger));
	endAgents = () => closeAll(providers, logger);
	const catalogue = new ProviderCatalogue(providers.values());
	const counted = countEnds(watch.guard(store.runs));
	const runs = createRuns({ config, logger, onFatal }, { ...store, runs: counted.store }, artifactStore, providers, catalogue);
	const metrics = new BridgeMetrics(() => ({ ...runs.stats(), ended: counted.ended }));
	const app = await createHttpServer({
		runs,
		store: store.runs,
		artifactStore,
		dispatcher: createDispatcher(config, runs, catalogue, logger),
		metrics,
		access: { token: options.token, allowedHosts: ownHosts(config), allowedOrigins: config.allowedOrigins, now: () => systemClock.now() },
		heartbeatMs: config.heartbeatMs,
		isHomeThere: () => watch.isThere,
		logger,
		...(options.tls === undefined ? {} : { tls: options.tls }),
	});
	opening.defer(() => app.close());
	// Runs end before the server does, so that readers see how.
	opening.defer(() => runs.shutdown());
	await runs.load(options.before);
	opening.use(expireRegularly(runs, logger));
	const open = opening.move();
	const listen = async () => {
		await app.listen(config.listen);
		const address = app.server.address();
		const port = typeof address === "object" && address !== null ? address.port : config.listen.port;
		return originOf(config.listen.host, port, options.tls !== undefined);
	};
	const takeUp = () => runs.recover().catch((error: unknown) => logger.error({ err: error }, "unfinished runs could not be resumed"));
	return { listen, takeUp, close: () => open.disposeAsync() };
}

/** What an earlier bridge that was killed left behind. */
async function cleanUp(store: SqliteStore, config: BridgeConfig, logger: Logger): Promise<void> {
	const left = await endLeftoverProcesses(store.processes);
	for (const { pid, label } of left) logger.warn({ pid, label }, "a process of an earlier bridge could not be ended");
	const unfinished = await store.runs.unfinishedRuns();
	await sweepInputs(config.home, new Set(unfinished.map(({ runId }) => runId)));
}

function createProviders(config: BridgeConfig, ledger: ProcessLedger, logger: Logger): ReadonlyMap<ProviderId, Provider> {
	const agents = createAcpProviders({ home: config.home, environment: config.environment, ledger, log: logger });
	const inflow = new Inflow(INFLOW_BYTES);
	const script = createScriptProvider({
		sandbox: createProcessSandbox({
			ledger,
			inflow,
			maxPrograms: config.runLimits.maxActiveRuns,
			...(config.environment.TZ === undefined ? {} : { timeZone: config.environment.TZ }),
		}),
		checker: createTypeScriptChecker({ declarations: scriptDeclarations, log: logger, ledger, inflow }),
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
	return new Map([...agents, script, openclaw].map((provider) => [provider.providerId, provider]));
}

function createRuns(
	{ config, logger, onFatal }: Pick<BridgeOptions, "config" | "logger"> & { readonly onFatal: (error: unknown) => void },
	store: SqliteStore,
	artifactStore: ReturnType<typeof createArtifactStore>,
	providers: ReadonlyMap<ProviderId, Provider>,
	catalogue: ProviderCatalogue,
): RunServiceHandle {
	const lookup = new RunLookup(store.runs, systemClock);
	const broker = new ApprovalBroker({
		store: store.runs,
		streamOf: (runId) => lookup.live(runId),
		clock: systemClock,
		newApprovalId: () => ApprovalId.parse(`apr-${mintId()}`),
		policy: config.approvalPolicy,
		...config.runLimits,
	});
	return createRunService({
		runs: store.runs,
		changes: store.changes,
		sessions: store.sessions,
		attempts: store.attempts,
		providers,
		resolveRouting: routingOf(config, catalogue),
		artifactStore,
		checkContract,
		contractProblem: artifactContractProblem,
		workspace: createRunWorkspace({ home: config.home, allowedRoots: config.allowedRoots }),
		lookup,
		broker,
		clock: systemClock,
		newRunId: () => RunId.parse(`run-${mintId()}`),
		limits: config.runLimits,
		onError: (error, runId) => logger.error({ err: error, runId }, "a run failed because of a fault in the bridge"),
		onDiskFull: (error) => logger.error({ err: error }, "the disk is full: runs wait until there is space"),
		onDiskSpace: (waitedMs) => logger.warn({ waitedMs }, "the disk has space again: runs continue"),
		onFatal,
	});
}

function routingOf(config: BridgeConfig, catalogue: ProviderCatalogue) {
	const defaults = config.defaultProvider === undefined ? {} : { providerId: config.defaultProvider };
	return async (routing: Routing) => resolveRouting(routing, await catalogue.describe(), defaults);
}

function createDispatcher(
	config: BridgeConfig,
	runs: RunServiceHandle,
	catalogue: ProviderCatalogue,
	logger: Logger,
): HttpServerOptions["dispatcher"] {
	const table = createMethodTable({
		runs,
		capabilities: async () => {
			const storage = await storageOf(config.bridgeHome);
			return describeCapabilities(await catalogue.describe(), { ...config, clock: systemClock, storage });
		},
		resolveRouting: routingOf(config, catalogue),
		testProvider: (providerId) => catalogue.test(providerId),
	});
	return createRpcDispatcher(table, (error) => logger.error({ err: error.cause ?? error }, "a call failed"));
}

/** Undefined where the system does not say. */
async function storageOf(folder: string): Promise<StorageSpace | undefined> {
	const found = await statfs(folder).catch(() => undefined);
	return found && { freeBytes: found.bavail * found.bsize, totalBytes: found.blocks * found.bsize };
}

/** Names a caller may use for this bridge: the configured ones, and the address it listens on when that is one. */
function ownHosts({ allowedHosts, listen }: BridgeConfig): readonly string[] {
	const { host } = listen;
	if (host === "0.0.0.0" || host === "::") return allowedHosts;
	return [...allowedHosts, host.includes(":") ? `[${host.toLowerCase()}]` : host.toLowerCase()];
}

async function closeAll(providers: ReadonlyMap<ProviderId, Provider>, logger: Logger): Promise<void> {
	const ends = await Promise.allSettled([...providers.values()].map((provider) => provider.close()));
	for (const end of ends) if (end.status === "rejected") logger.error({ err: end.reason }, "a provider could not be closed");
}

/** Now and every hour. */
function expireRegularly(runs: RunServiceHandle, logger: Logger): Disposable {
	const expire = () => runs.expire().catch((error: unknown) => logger.error({ err: error }, "old files could not be removed"));
	void expire();
	const timer = setInterval(() => void expire(), EXPIRE_EVERY_MS);
	return { [Symbol.dispose]: () => clearInterval(timer) };
}
