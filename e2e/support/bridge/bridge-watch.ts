import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { z } from "zod";
import { within } from "../machine/wait-until.ts";
import type { BridgeProcess } from "./bridge-process.ts";

/** What a bridge showed while something was done to it. */
export interface Watched<T> {
	readonly result: T;
	/** Longest delay of its event loop. */
	readonly lagMs: number;
	/** How much longer the machine let work take than the CPU time it needed: 1 on a quiet machine. */
	readonly slowness: Slowness;
	/** Resident memory before, and at its highest. */
	readonly rssBefore: number;
	readonly rssPeak: number;
}

const Slowness = z.object({ greatest: z.number(), mean: z.number() });
export type Slowness = z.infer<typeof Slowness>;

const ANSWER_BOUND_MS = 30_000;
const LAG = /^xworkmate_nodejs_eventloop_lag_max_seconds (\S+)$/m;

/** Looks at a bridge from outside: its `/metrics`, and what the kernel counts of its process. Linux only. */
export class BridgeWatch implements AsyncDisposable {
	readonly #bridge: BridgeProcess;
	readonly #witness = new Worker(new URL("../wire/slowness-witness.ts", import.meta.url));

	constructor(bridge: BridgeProcess) {
		this.#bridge = bridge;
	}

	async during<T>(act: () => Promise<T>): Promise<Watched<T>> {
		await this.#lagMs();
		await this.#slowness();
		// Resets the high-water mark of the process's resident memory (proc_pid_clear_refs(5)).
		await writeFile(`/proc/${this.#bridge.pid}/clear_refs`, "5");
		const rssBefore = await this.#memory("VmRSS");
		const result = await act();
		return { result, lagMs: await this.#lagMs(), slowness: await this.#slowness(), rssBefore, rssPeak: await this.#memory("VmHWM") };
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#witness.terminate();
	}

	/** The longest delay since the last look: reading `/metrics` begins it again. */
	async #lagMs(): Promise<number> {
		const { body } = await this.#bridge.client().http({ path: "/metrics" });
		const seconds = LAG.exec(body.toString("utf8"))?.[1];
		if (seconds === undefined) throw new Error("/metrics tells no event loop lag");
		return Number(seconds) * 1_000;
	}

	/** Since the last look. */
	async #slowness(): Promise<Slowness> {
		const answer = once(this.#witness, "message");
		this.#witness.postMessage("read");
		return Slowness.parse((await within("the word of the witness", ANSWER_BOUND_MS, answer))[0]);
	}

	async #memory(line: "VmRSS" | "VmHWM"): Promise<number> {
		const kilobytes = new RegExp(`^${line}:\\s+(\\d+) kB$`, "m").exec(await readFile(`/proc/${this.#bridge.pid}/status`, "utf8"))?.[1];
		if (kilobytes === undefined) throw new Error(`the kernel tells no ${line} of the bridge`);
		return Number(kilobytes) * 1024;
	}
}
