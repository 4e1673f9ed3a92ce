import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Endpoint } from "@xworkmate/contracts";
import { errorMessage } from "@xworkmate/platform/errors";
import { writeDurably } from "@xworkmate/platform/files";
import { type Logger, pino } from "pino";
import { loadAccessToken, prepareHome } from "./config/access-token.ts";
import type { BridgeConfig } from "./config/config.ts";
import { ConfigError } from "./config/config-error.ts";
import { knownProblem } from "./known-problem.ts";
import { LiveSettings } from "./live-settings.ts";
import { createLogDestination } from "./log-destination.ts";
import { timestamp } from "./ports/clock.ts";
import type { Bridge } from "./server.ts";
import { acquireHomeLock } from "./store/sqlite/index.ts";
import { StoreError } from "./store/store-error.ts";

const startedAt = timestamp(Date.now());
// Standard error is for users and their log files; the bridge answers over HTTP.
const STDERR = 2;
const log = createLogDestination(STDERR);
let home = "the data folder";

/** Starts the bridge and serves until SIGTERM or SIGINT. */
async function main(): Promise<void> {
	const settings = await LiveSettings.open(process.env, process.argv.slice(2));
	const { config } = settings;
	home = config.home;
	const logger = pino({ level: config.logLevel, redact: ["token", "*.token", "headers", "*.headers"] }, log);
	await prepareHome(config.home);
	const lock = acquireHomeLock(config.bridgeHome);
	const endpoint = join(config.bridgeHome, "endpoint.json");
	// The file exists only if the earlier bridge did not end cleanly: a bridge that does removes it.
	const before = existsSync(endpoint) ? "died" : "ended";
	// The endpoint file of an earlier bridge is stale.
	await rm(endpoint, { force: true });
	const token = config.token ?? (await loadAccessToken(config.bridgeHome));
	const tls = config.tls === undefined ? {} : { tls: await readTls(config.tls) };
	// Loaded only after the settings are validated, so that a mistake in them is reported at once.
	const { openBridge } = await import("./server.ts");
	const bridge = await openBridge({
		config,
		settings,
		token,
		...tls,
		logger,
		before,
		onFatal: (error, endAgents) => {
			logger.fatal({ err: error }, "the bridge cannot continue");
			log.write(`xworkmate bridge: ${knownProblem(error, home) ?? `The bridge stopped because of an error: ${errorMessage(error)}`}\n`);
			// A bridge that stops because of an error removes its endpoint file, so that the next start does not blame a run for a crash. If the
			// home is gone, the file is gone too.
			const left = rm(endpoint, { force: true }).catch(() => undefined);
			void Promise.race([Promise.all([endAgents(), left]), delay(END_AGENTS_MS)]).then(() => exit(1));
		},
	});
	const url = await bridge.listen();
	// Written atomically, because the process that started the bridge polls for it.
	writeDurably(endpoint, `${JSON.stringify({ url, pid: process.pid, startedAt } satisfies Endpoint)}\n`);
	logger.info({ url }, "the bridge is listening");
	void bridge.recover();
	using _watch = settings.watch((problem) => logger.warn(problem, "the current content of config.json is not in effect"));
	await stopSignal(logger);
	await rm(endpoint, { force: true });
	await stop(bridge, config);
	lock[Symbol.dispose]();
	logger.info("the bridge has stopped");
}

async function readTls({ certFile, keyFile }: NonNullable<BridgeConfig["tls"]>): Promise<{ cert: string; key: string }> {
	try {
		return { cert: await readFile(certFile, "utf8"), key: await readFile(keyFile, "utf8") };
	} catch (error) {
		throw new ConfigError(
			`The certificate or its key can't be read: ${errorMessage(error)}.`,
			"Check XWORKMATE_TLS_CERT and XWORKMATE_TLS_KEY.",
		);
	}
}

/** Settles on the first signal; a second one ends the process at once, and the next start recovers. */
function stopSignal(logger: Logger): Promise<void> {
	const { promise, resolve } = Promise.withResolvers<void>();
	let asked = false;
	for (const signal of ["SIGTERM", "SIGINT"] as const) {
		process.on(signal, () => {
			if (asked) process.exit(1);
			asked = true;
			logger.info({ signal }, "the bridge is stopping");
			resolve();
		});
	}
	return promise;
}

/** Closing has a time limit; the next start recovers anything unfinished. */
async function stop(bridge: Bridge, { runLimits }: BridgeConfig): Promise<void> {
	const bound = setTimeout(() => process.exit(1), runLimits.stopMs * 2 + CLOSE_MS);
	await bridge.close();
	clearTimeout(bound);
}

const CLOSE_MS = 5_000;
const END_AGENTS_MS = 3_000;
const LAST_WORDS_MS = 1_000;

/** An exit status that tells the app that another bridge holds the home. That bridge may be starting or ending, so the app checks again. */
const HOME_IN_USE = 75;

/** Ends the process even if something still keeps the event loop running, after a moment for the last log lines. */
async function exit(code: 0 | 1 | typeof HOME_IN_USE): Promise<never> {
	await log.flushed(LAST_WORDS_MS);
	process.exit(code);
}

try {
	await main();
	await exit(0);
} catch (error) {
	log.write(`xworkmate bridge: ${knownProblem(error, home) ?? inspect(error)}\n`);
	await exit(error instanceof StoreError && error.code === "HOME_IN_USE" ? HOME_IN_USE : 1);
}

function inspect(error: unknown): string {
	return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
