import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { within } from "../../e2e/support/machine/wait-until.ts";
import { endWithBench, hasEnded } from "../scratch.ts";

const START_BOUND_MS = 20_000;
const ANSWER_BOUND_MS = 120_000;
const END_BOUND_MS = 5_000;

/** A program in a separate process: it sends a message once it is ready, then answers one job at a time. */
export class Program implements AsyncDisposable {
	readonly pid: number;
	/** What it sent when it was ready. */
	readonly ready: unknown;
	readonly #child: ChildProcess;

	private constructor(child: ChildProcess, ready: unknown) {
		this.#child = child;
		this.pid = child.pid ?? 0;
		this.ready = ready;
	}

	static async start(file: string, args: readonly string[] = []): Promise<Program> {
		const child = fork(fileURLToPath(new URL(file, import.meta.url)), [...args], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
		if (child.pid !== undefined) endWithBench(child.pid);
		return new Program(child, await nextMessage(child, `${file} to be ready`, START_BOUND_MS));
	}

	/** Sends a job and waits for its answer. */
	async ask(job: object): Promise<unknown> {
		const answer = nextMessage(this.#child, "the answer of a program", ANSWER_BOUND_MS);
		this.#child.send(job);
		return answer;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		if (this.#child.exitCode === null && this.#child.signalCode === null) {
			const ended = once(this.#child, "exit");
			this.#child.kill("SIGKILL");
			await within("the end of a program", END_BOUND_MS, ended);
		}
		hasEnded(this.pid);
	}
}

async function nextMessage(child: ChildProcess, what: string, boundMs: number): Promise<unknown> {
	const { promise, resolve, reject } = Promise.withResolvers<unknown>();
	const onExit = (code: number | null) => reject(new Error(`a program ended with ${code} before ${what}`));
	child.once("message", resolve);
	child.once("exit", onExit);
	try {
		return await within(what, boundMs, promise);
	} finally {
		child.off("message", resolve);
		child.off("exit", onExit);
	}
}
