import { type ChildProcess, spawn } from "node:child_process";
import { cleanEnvironment, repositoryRoot } from "../bridge/bridge-process.ts";
import { endByPid, processesNaming } from "../machine/live-processes.ts";
import type { TemporaryHome } from "../machine/temporary-home.ts";
import { waitUntil } from "../machine/wait-until.ts";

const BOUND_MS = 50_000;

/** `npm start` in this checkout, as a user types it: npm, its shell, the toolchain script, the app, and the bridge below them. */
export class NpmStart implements AsyncDisposable {
	readonly home: TemporaryHome;
	readonly #npm: ChildProcess;
	#stdout = "";
	#stderr = "";

	constructor(home: TemporaryHome, args: readonly string[] = [], more: Record<string, string> = {}) {
		this.home = home;
		const env = cleanEnvironment(home, { XWORKMATE_APP_LISTEN: "127.0.0.1:0", PATH: process.env.PATH ?? "/usr/bin:/bin", ...more });
		this.#npm = spawn("npm", ["start", ...args], { cwd: repositoryRoot, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
		this.#npm.stdout?.setEncoding("utf8").on("data", (text: string) => {
			this.#stdout += text;
		});
		this.#npm.stderr?.setEncoding("utf8").on("data", (text: string) => {
			this.#stderr += text;
		});
	}

	get stdout(): string {
		return this.#stdout;
	}

	get stderr(): string {
		return this.#stderr;
	}

	/** Waits until its standard output holds something that fits. */
	until(pattern: RegExp): Promise<RegExpExecArray> {
		return waitUntil(`${pattern} from npm start`, BOUND_MS, () => {
			const found = pattern.exec(this.#stdout);
			if (found === null && this.#npm.exitCode !== null) throw new Error(`it ended: ${this.#stdout}${this.#stderr}`);
			return found ?? undefined;
		});
	}

	/** Its exit code, once it has ended. */
	ended(): Promise<number> {
		return waitUntil("the end of npm start", BOUND_MS, () => this.#npm.exitCode ?? undefined);
	}

	/** As `kill` sends it, to npm alone, or as a terminal does, to everything that npm started in its group. */
	signal(signal: NodeJS.Signals, to: "npm" | "group" = "npm"): void {
		if (this.#npm.pid !== undefined) process.kill(to === "group" ? -this.#npm.pid : this.#npm.pid, signal);
	}

	async [Symbol.asyncDispose](): Promise<void> {
		for (const { pid } of await processesNaming(this.home.path)) endByPid(pid);
	}
}
