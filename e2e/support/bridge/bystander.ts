import type { BareClient } from "../wire/bare-client.ts";
import { turn } from "../wire/turn.ts";
import { sayLines } from "./scripts.ts";
import { settle } from "./settle.ts";

export interface BystanderOptions {
	/** What each of its runs says. */
	readonly lines: number;
	readonly pauseMs: number;
}

/** Harmless runs of another client, one after another without a gap, each streamed from its first line to its last. */
export class Bystander {
	readonly #problems: string[] = [];
	readonly #client: BareClient;
	readonly #options: BystanderOptions;
	readonly #runs: Promise<number>;
	#isOver = false;

	constructor(client: BareClient, options: BystanderOptions = { lines: 40, pauseMs: 50 }) {
		this.#client = client;
		this.#options = options;
		this.#runs = this.#runAfterRun();
	}

	/** Waits for the active run. @returns how many runs completed @throws Error for one that did not, or lost a line */
	async end(): Promise<number> {
		this.#isOver = true;
		const runs = await this.#runs;
		if (this.#problems.length > 0) throw new Error(`the bystander was harmed: ${this.#problems.join("; ")}`);
		return runs;
	}

	async #runAfterRun(): Promise<number> {
		let runs = 0;
		while (!this.#isOver && this.#problems.length === 0) {
			try {
				await this.#run();
				runs++;
			} catch (error) {
				this.#problems.push(`run ${runs + 1}: ${error instanceof Error ? error.message : String(error)}`);
			}
		}
		return runs;
	}

	async #run(): Promise<void> {
		const { lines, pauseMs } = this.#options;
		const { snapshot } = await settle(this.#client, turn({ prompt: sayLines(lines, pauseMs), providerId: "script" }));
		const { status, code, message, output } = snapshot;
		if (status !== "completed") throw new Error(`${status} ${code} ${message}`);
		if (output?.text !== `said ${lines}`) throw new Error(`completed with ${JSON.stringify(output?.text)}`);
	}
}
