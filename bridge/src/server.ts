import { join } from "node:path";
import { ApprovalId, type ProviderId, type Routing, RunId, requiredGlobProblem } from "@xworkmate/contracts";
import { customAlphabet } from "nanoid";
import type { Logger } from "pino";
import { checkContract, createArtifactVault, createRunWorkspace, sweepInputs } from "./artifacts/index.ts";
import { originOf } from "./config/listen-address.ts";
import type { BridgeConfig } from "./config.ts";
import { countEnds } from "./count-ends.ts";
import { BridgeMetrics, createHttpServer, type HttpServerOptions } from "./http/index.ts";
import { createAcpProviders } from "./providers/acp/index.ts";
import { createOpenClawProvider } from "./providers/openclaw/index.ts";
import { endLeftoverProcesses } from "./providers/process-group-leftovers.ts";
import type { ProcessLedger } from "./providers/process-ledger.ts";
import type { Provider } from "./providers/provider.ts";
import { scriptDeclarations } from "./providers/script/script-declarations.ts";
import { createScriptProvider } from "./providers/script/script-provider.ts";
import { ProviderCatalogue, resolveRouting } from "./routing/index.ts";
import { createMethodTable, createRpcDispatcher, describeCapabilities } from "./rpc/index.ts";
import { systemClock } from "./runs/clock.ts";
import { createRunService, type RunServiceHandle } from "./runs/create-run-service.ts";
import { createRunSandbox } from "./sandbox/run-sandbox.ts";
import { createTypeScriptChecker } from "./sandbox/typescript-checker.ts";
import { openSqliteStore, type SqliteStore } from "./store/sqlite/index.ts";

export interface BridgeOptions {
	readonly config: BridgeConfig;
	readonly token: string;
	/** PEM texts. */
	readonly tls?: HttpServerOptions["tls"];
	readonly logger: Logger;
	/** The log cannot be written: the process must end. */
	readonly onFatal: (error: unknown) => void;
}

export interface Bridge {
	/** Serves, and gives the bridge's own URL. */
	listen(): Promise<string>;
	/** Lets runs end within their bound, then gives everything back. */
	close(): Promise<void>;
}

const EXPIRE_EVERY_MS = 60 * 60_000;
// Lower case alone: ids name folders, also on disks that fold case.
const mintId = customAlphabet("0123456789abcdefghijklmnopqrstuvwxyz", 20);

/**
 * The composition root: the one place that names implementations. The caller holds the home's lock.
 * Every run that was not over is taken up before this returns.
 * @throws StoreError when the store cannot be opened
 */
export async function openBridge(options: BridgeOptions): Promise<Bridge> {
	const { config, logger } = options;
	await using opening = new AsyncDisposableStack();
	const store = openSqliteStore(config.bridgeHome);
	opening.defer(() => store.close());
	await cleanUp(store, config, logger);
	const vault = opening.use(createArtifactVault({ root: join(config.bridgeHome, "artifacts") }));
	const providers = createProviders(config, store.processes, logger);
	opening.defer(() => closeAll(providers, logger));
	const catalogue = new ProviderCatalogue(providers.values());
	const counted = countEnds(store.runs);
	const runs = createRuns(options, { ...store, runs: counted.store }, vault, providers, catalogue);
	const metrics = new BridgeMetrics(() => ({ ...runs.stats(), ended: counted.ended }));
	const app = await createHttpServer({
		runs,
		store: store.runs,
		vault,
		dispatcher: createDispatcher(config, runs, catalogue, logger),
		metrics,
		access: { token: options.token, allowedHosts: ownHosts(config), allowedOrigins: config.allowedOrigins, now: () => systemClock.now() },
		heartbeatMs: config.heartbeatMs,
		logger,
		...(options.tls === undefined ? {} : { tls: options.tls }),
	});
	opening.defer(() => app.close());
	// Runs end before the server does, so that readers see how.
	opening.defer(() => runs.shutdown());
	await runs.recover();
	opening.use(expireRegularly(runs, logger));
	const open = opening.move();
	const listen = async () => {
		await app.listen(config.listen);
		const address = app.server.address();
		const port = typeof address === "object" && address !== null ? address.port : config.listen.port;
		return originOf(config.listen.host, port, options.tls !== undefined);
	};
	return { listen, close: () => open.disposeAsync() };
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
	const script = createScriptProvider({
		sandbox: createRunSandbox({ maxWorkers: config.runLimits.maxActiveRuns }),
		checker: createTypeScriptChecker({ declarations: scriptDeclarations, log: logger }),
		log: logger,
	});
	const { url, token, lostMs } = config.openclaw;
	const openclaw = createOpenClawProvider({
		...(url === undefined ? {} : { url }),
		...(token === undefined ? {} : { token }),
		bridgeHome: config.bridgeHome,
		log: logger,
		bounds: { lostMs },
	});
	return new Map([...agents, script, openclaw].map((provider) => [provider.providerId, provider]));
}

function createRuns(
	{ config, logger, onFatal }: BridgeOptions,
	store: SqliteStore,
	vault: ReturnType<typeof createArtifactVault>,
	providers: ReadonlyMap<ProviderId, Provider>,
	catalogue: ProviderCatalogue,
): RunServiceHandle {
	return createRunService({
		runs: store.runs,
		sessions: store.sessions,
		providers,
		resolveRouting: routingOf(config, catalogue),
		vault,
		checkContract,
		globProblem: requiredGlobProblem,
		workspace: createRunWorkspace({ home: config.home, allowedRoots: config.allowedRoots }),
		policy: config.approvalPolicy,
		clock: systemClock,
		newRunId: () => RunId.parse(`run-${mintId()}`),
		newApprovalId: () => ApprovalId.parse(`apr-${mintId()}`),
		limits: config.runLimits,
		onError: (error, runId) => logger.error({ err: error, runId }, "a run met a failure of the bridge"),
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
		capabilities: async () => describeCapabilities(await catalogue.describe(), { ...config, clock: systemClock }),
		resolveRouting: routingOf(config, catalogue),
		testProvider: (providerId) => catalogue.test(providerId),
	});
	return createRpcDispatcher(table, (error) => logger.error({ err: error.cause ?? error }, "a call failed"));
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
