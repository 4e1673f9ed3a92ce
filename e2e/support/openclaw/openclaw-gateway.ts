import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { installPrograms } from "../../agents/install.ts";
import { repositoryRoot } from "../bridge/bridge-process.ts";
import { endByPid, expectNoProcessNaming, processesNaming } from "../machine/live-processes.ts";
import { waitUntil } from "../machine/wait-until.ts";
import { connectGateway, type GatewayClient, GatewayRefused } from "./openclaw-client.ts";
import { type GatewayPlace, type GatewayPlugin, gatewayConfig, gatewayEnvironment } from "./openclaw-config.ts";

const START_BOUND_MS = 120_000;
const END_BOUND_MS = 20_000;
const COMMAND_BOUND_MS = 120_000;
const run = promisify(execFile);
/** OpenClaw's command, once it is installed. */
export const openClawProgram = join(repositoryRoot, "e2e", "agents", "openclaw", "node_modules", "openclaw", "openclaw.mjs");

export interface NewGateway {
	readonly modelUrl: string;
	readonly plugins: readonly GatewayPlugin[];
}

/** A real OpenClaw gateway in its own folder. Its process outlives the one that starts it. */
export class OpenClawGateway implements AsyncDisposable {
	readonly place: GatewayPlace;

	constructor(place: GatewayPlace) {
		this.place = place;
	}

	get url(): string {
		return `ws://127.0.0.1:${this.place.port}`;
	}

	/** The workspace of the agent `main`. */
	get workspace(): string {
		return join(this.place.onboarded ? this.stateFolder : this.place.folder, "workspace");
	}

	get stateFolder(): string {
		const { folder, onboarded } = this.place;
		return onboarded ? join(folder, "home", ".openclaw") : join(folder, "state");
	}

	/** The gateway's own temp folder. */
	get temporaryFolder(): string {
		return join(this.place.folder, "tmp");
	}

	async pid(): Promise<number> {
		return Number(await readFile(this.#pidFile, "utf8"));
	}

	/** What it wrote to its output, over all its starts. */
	output(): Promise<string> {
		return readFile(join(this.place.folder, "output.txt"), "utf8");
	}

	connect(): Promise<GatewayClient> {
		return connectGateway(this.url, this.place.token);
	}

	/** Starts the process and waits until it says hello. */
	async start(): Promise<void> {
		const { folder } = this.place;
		const output = await open(join(folder, "output.txt"), "a");
		const child = spawn(process.execPath, [openClawProgram, "gateway", "run"], {
			cwd: folder,
			env: gatewayEnvironment(this.place),
			stdio: ["ignore", output.fd, output.fd],
			detached: true,
		});
		await output.close();
		child.unref();
		await writeFile(this.#pidFile, String(child.pid));
		const client = await waitUntil("the hello of the OpenClaw gateway", START_BOUND_MS, async () => {
			if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the gateway ended: ${await this.output()}`);
			return this.connect().catch(notYet);
		});
		client[Symbol.dispose]();
	}

	/** SIGKILL to the gateway alone, as a crash would be; resolves when it is gone. */
	async kill(): Promise<void> {
		const pid = await this.pid();
		endByPid(pid);
		await waitUntil("the end of the killed gateway", END_BOUND_MS, () => (existsSync(`/proc/${pid}/exe`) ? undefined : true));
	}

	/** Runs an `openclaw` command as the gateway's owner would in another terminal. @throws with what it wrote */
	async command(args: readonly string[]): Promise<string> {
		const { folder } = this.place;
		const options = { cwd: folder, env: gatewayEnvironment(this.place), timeout: COMMAND_BOUND_MS };
		const { stdout } = await run(process.execPath, [openClawProgram, ...args], options);
		return stdout;
	}

	async restart(): Promise<void> {
		await this.kill();
		await this.start();
	}

	/** Ends everything that the gateway started and removes its folder. */
	async remove(): Promise<void> {
		const { folder } = this.place;
		for (const { pid } of await processesNaming(folder)) endByPid(pid);
		await expectNoProcessNaming(folder);
		// A command of OpenClaw that is about to end may still write its lock.
		await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
	}

	[Symbol.asyncDispose](): Promise<void> {
		return this.remove();
	}

	get #pidFile(): string {
		return join(this.place.folder, "pid");
	}
}

/** Installs OpenClaw where it is not yet, makes a folder with its config, and starts a gateway in it. */
export async function createGateway({ modelUrl, plugins }: NewGateway): Promise<OpenClawGateway> {
	await installPrograms(["openclaw"]);
	const folder = await mkdtemp(join(tmpdir(), "openclaw-gateway-"));
	const agentFolder = join(folder, "state", "agents", "main", "agent");
	for (const path of [join(folder, "home"), join(folder, "tmp"), join(folder, "workspace"), agentFolder]) {
		await mkdir(path, { recursive: true });
	}
	const place = { folder, port: await freeGatewayPort(), token: "token-of-the-test-gateway", onboarded: false };
	await writeFile(join(folder, "openclaw.json"), JSON.stringify(gatewayConfig({ ...place, modelUrl, plugins })));
	// A provider's 429 would otherwise be retried for more than two minutes.
	await writeFile(join(agentFolder, "settings.json"), JSON.stringify({ retry: { provider: { maxRetries: 0 } } }));
	const gateway = new OpenClawGateway(place);
	try {
		await gateway.start();
	} catch (error) {
		await gateway.remove();
		throw error;
	}
	return gateway;
}

/** The errors of a gateway that is still starting; others are thrown on. */
function notYet(error: unknown): undefined {
	if (error instanceof GatewayRefused && error.error.code !== "UNAVAILABLE") throw error;
	return undefined;
}

/** A port below those that systems hand out on their own, so that no one takes it while the gateway is down. */
export async function freeGatewayPort(): Promise<number> {
	for (;;) {
		const port = 20_000 + Math.floor(Math.random() * 10_000);
		const { promise, resolve } = Promise.withResolvers<boolean>();
		const server = createServer().once("error", () => resolve(false));
		server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
		if (await promise) return port;
	}
}
