import { setTimeout as delay } from "node:timers/promises";
import { ContractError } from "@xworkmate/contracts";
import type { FastifyInstance } from "fastify";

/** Shorter than the time that a client waits for an answer. */
const WAIT_MS = 15_000;

/** Holds requests back until the bridge knows how the runs of an earlier bridge are: before that it could only repeat what was so then. */
export class StartGate {
	readonly #opened = Promise.withResolvers<void>();
	readonly #waitMs: number;
	#isOpen = false;

	constructor(waitMs = WAIT_MS) {
		this.#waitMs = waitMs;
	}

	get isOpen(): boolean {
		return this.#isOpen;
	}

	open(): void {
		this.#isOpen = true;
		this.#opened.resolve();
	}

	/** Guards the routes of this scope. */
	guard(routes: FastifyInstance): void {
		routes.addHook("onRequest", (_request, _reply, done) => {
			if (this.#isOpen) done();
			else this.#pass().then(() => done(), done);
		});
	}

	/** @throws ContractError BRIDGE_STARTING */
	async #pass(): Promise<void> {
		await Promise.race([this.#opened.promise, delay(this.#waitMs, undefined, { ref: false })]);
		if (!this.#isOpen) throw new ContractError("BRIDGE_STARTING");
	}
}
