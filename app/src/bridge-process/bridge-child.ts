import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Endpoint } from "@xworkmate/contracts";
import { AppError } from "../app-error.ts";

/** The bridge's entry. The bridge is a process of its own: only its path is known here, never its code. */
const BRIDGE_MAIN = fileURLToPath(new URL("../../../bridge/src/main.ts", import.meta.url));

const READY_MS = 30_000;
const LOOK_EVERY_MS = 25;
const STOP_MS = 15_000;
const KEPT_STDERR = 8 * 1024;

export interface BridgeChildOptions {
	/** `XWORKMATE_HOME`. */
	readonly home: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Where the bridge's own log goes: a file descriptor, or nowhere but the error text. */
	readonly logFile?: number;
}

/** The bridge as a child process of the app. */
export class BridgeChild implements AsyncDisposable {
	readonly #child: ChildProcess;
	readonly #exited: Promise<void>;
	#stderr = "";

	private constructor(child: ChildProcess) {
		this.#child = child;
		this.#exited = once(child, "exit").then(() => undefined);
		child.stderr?.setEncoding("utf8").on("data", (text: string) => {
			this.#stderr = (this.#stderr + text).slice(-KEPT_STDERR);
		});
	}

	/**
	 * Starts the bridge and settles once it listens.
	 * @throws AppError BRIDGE_NOT_RUNNING with the bridge's own words when it does not.
	 */
	static async start({ home, env, logFile }: BridgeChildOptions): Promise<{ child: BridgeChild; endpoint: Endpoint }> {
		const process_ = spawn(process.execPath, [BRIDGE_MAIN], {
			env: { ...env, XWORKMATE_HOME: home },
			stdio: ["ignore", "ignore", logFile ?? "pipe"],
		});
		const child = new BridgeChild(process_);
		try {
			return { child, endpoint: await child.#ready(join(home, "bridge", "endpoint.json")) };
		} catch (error) {
			await child.stop();
			throw error;
		}
	}

	get pid(): number | undefined {
		return this.#child.pid;
	}

	/** Settles when the process is gone. */
	get exited(): Promise<void> {
		return this.#exited;
	}

	/** SIGTERM, and SIGKILL when the bridge's own bound has long passed. */
	async stop(): Promise<void> {
		if (!this.#running) return;
		this.#child.kill("SIGTERM");
		const timer = setTimeout(() => this.#child.kill("SIGKILL"), STOP_MS);
		await this.#exited;
		clearTimeout(timer);
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.stop();
	}

	get #running(): boolean {
		return this.#child.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
	}

	/** An endpoint file of this very process: an older one may lie there. */
	async #ready(file: string): Promise<Endpoint> {
		for (const until = Date.now() + READY_MS; Date.now() < until && this.#running; await delay(LOOK_EVERY_MS)) {
			const endpoint = await readEndpoint(file);
			if (endpoint?.pid === this.#child.pid && endpoint !== undefined) return endpoint;
		}
		const said = this.#stderr.trim();
		throw new AppError(
			"BRIDGE_NOT_RUNNING",
			said === "" ? "the bridge did not start" : `the bridge did not start: ${said}`,
			"Run `xworkmate doctor`.",
		);
	}
}

async function readEndpoint(file: string): Promise<Endpoint | undefined> {
	try {
		const parsed = Endpoint.safeParse(JSON.parse(await readFile(file, "utf8")));
		return parsed.success ? parsed.data : undefined;
	} catch {
		// Not written yet, or half seen while it is being replaced: look again.
		return undefined;
	}
}
