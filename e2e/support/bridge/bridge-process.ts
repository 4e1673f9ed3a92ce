import { type ChildProcess, spawn } from "node:child_process";
import { type FileHandle, mkdir, open, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { endByPid, expectNoProcessNaming } from "../machine/live-processes.ts";
import { bridgeMain, repositoryRoot } from "../machine/programs.ts";
import { type TemporaryHome, temporaryHome } from "../machine/temporary-home.ts";
import { waitUntil, within } from "../machine/wait-until.ts";
import { BareClient } from "../wire/bare-client.ts";
import type { AgentEntry } from "./providers.ts";

const START_BOUND_MS = 60_000;
const STOP_BOUND_MS = 12_000;

export { bridgeMain, repositoryRoot };

const Endpoint = z.object({ url: z.string(), pid: z.number(), startedAt: z.string() });

export interface BridgeOptions {
	/** A home to use and keep. Absent: one of its own, which is removed at the end. */
	readonly home?: TemporaryHome;
	readonly env?: Record<string, string>;
	/** Where standard error goes, as when the app runs the bridge; else it is in `output`. */
	readonly logFile?: string;
	/** Entries of `<home>/providers.json`. */
	readonly providers?: readonly AgentEntry[];
}

/** Environment of a fresh machine: no agent on the PATH, no key, nothing of the test runner's. */
export function cleanEnvironment(home: TemporaryHome, more: Record<string, string> = {}): Record<string, string> {
	return {
		PATH: "/usr/bin:/bin",
		HOME: home.path,
		XWORKMATE_HOME: home.xworkmate,
		XWORKMATE_BRIDGE_LISTEN: "127.0.0.1:0",
		// No app outlives a command; tests of the app in the background turn it on.
		XWORKMATE_BACKGROUND: "0",
		LANG: "C.UTF-8",
		// Hundreds of processes start here; compiled code is kept between them, which changes nothing but the time.
		NODE_COMPILE_CACHE: join(repositoryRoot, ".cache", "compile"),
		...more,
	};
}

/** A real bridge process in its own home. */
export class BridgeProcess implements AsyncDisposable {
	readonly home: TemporaryHome;
	url = "";
	token = "";
	pid = 0;
	readonly #options: BridgeOptions;
	#child: ChildProcess | undefined;
	#output = "";
	#outputOfStart = "";

	constructor(home: TemporaryHome, options: BridgeOptions) {
		this.home = home;
		this.#options = options;
	}

	/**
	 * The end of what the process has written, over all its starts: at most 4,000,000 UTF-16 units, and without standard error if that goes
	 * to `logFile`.
	 */
	get output(): string {
		return this.#output;
	}

	/** What it has written since it was last started. */
	get outputOfStart(): string {
		return this.#outputOfStart;
	}

	client(via?: number): BareClient {
		return new BareClient({ url: this.url, token: this.token, ...(via === undefined ? {} : { via }) });
	}

	get port(): number {
		return Number(new URL(this.url).port);
	}

	async start(): Promise<void> {
		const { env, logFile } = this.#options;
		const log = logFile === undefined ? undefined : await openLog(logFile);
		this.#outputOfStart = "";
		const child = spawn(process.execPath, [bridgeMain], {
			cwd: this.home.path,
			env: cleanEnvironment(this.home, env),
			stdio: ["ignore", "pipe", log?.fd ?? "pipe"],
		});
		this.#child = child;
		child.stdout?.on("data", (bytes: Buffer) => this.#keep(bytes));
		child.stderr?.on("data", (bytes: Buffer) => this.#keep(bytes));
		await log?.close();
		const endpoint = await waitUntil(`endpoint.json of the bridge, which wrote: ${this.#output}`, START_BOUND_MS, async () => {
			if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the bridge ended at start: ${this.#output}`);
			const written = await readEndpoint(this.home);
			return written?.pid === child.pid ? written : undefined;
		});
		this.url = endpoint.url;
		this.pid = endpoint.pid;
		this.token = await readToken(this.home);
	}

	/** Sends a signal and waits for the end. Resolves with the exit code, null after a fatal signal. */
	async kill(signal: NodeJS.Signals): Promise<number | null> {
		const child = this.#child;
		if (child === undefined || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
		const { promise, resolve } = Promise.withResolvers<number | null>();
		child.once("exit", resolve);
		child.kill(signal);
		return within(`the bridge's end after ${signal}`, STOP_BOUND_MS, promise);
	}

	/** Ends it in order (or as told) and starts it again in the same home. */
	async restart(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
		await this.kill(signal);
		await this.start();
	}

	/** Ends in order; no process of this home may be left. */
	async [Symbol.asyncDispose](): Promise<void> {
		try {
			await this.kill("SIGTERM");
		} finally {
			if (this.#child?.pid !== undefined && this.#child.exitCode === null) endByPid(this.#child.pid);
			try {
				await expectNoProcessNaming(this.home.path);
			} finally {
				if (this.#options.home === undefined) await this.home[Symbol.asyncDispose]();
			}
		}
	}

	#keep(bytes: Buffer): void {
		const text = bytes.toString("utf8");
		this.#output = (this.#output + text).slice(-4_000_000);
		this.#outputOfStart = (this.#outputOfStart + text).slice(-4_000_000);
	}
}

async function openLog(path: string): Promise<FileHandle> {
	await mkdir(dirname(path), { recursive: true, mode: 0o700 });
	return open(path, "a", 0o600);
}

/** Starts a bridge and waits until it listens. */
export async function startBridge(options: BridgeOptions = {}): Promise<BridgeProcess> {
	const home = options.home ?? (await temporaryHome());
	if (options.providers !== undefined) await writeProviders(home, options.providers);
	const bridge = new BridgeProcess(home, options);
	try {
		await bridge.start();
	} catch (error) {
		await bridge.kill("SIGKILL");
		if (options.home === undefined) await home[Symbol.asyncDispose]();
		throw error;
	}
	return bridge;
}

/** Writes `<home>/providers.json`. */
export async function writeProviders(home: TemporaryHome, agents: readonly AgentEntry[]): Promise<void> {
	await writeFile(join(home.xworkmate, "providers.json"), JSON.stringify({ agents }));
}

/** `<home>/bridge/endpoint.json`, undefined while it is not there or half written. */
export async function readEndpoint(home: TemporaryHome, owner: "bridge" | "app" = "bridge"): Promise<z.infer<typeof Endpoint> | undefined> {
	try {
		return Endpoint.parse(JSON.parse(await readFile(join(home.xworkmate, owner, "endpoint.json"), "utf8")));
	} catch (error) {
		if (error instanceof SyntaxError || (error instanceof Error && "code" in error && error.code === "ENOENT")) return undefined;
		throw error;
	}
}

/** `<home>/bridge/token`. */
export async function readToken(home: TemporaryHome): Promise<string> {
	return (await readFile(join(home.xworkmate, "bridge", "token"), "utf8")).trim();
}
