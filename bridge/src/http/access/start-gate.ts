import { setTimeout as delay } from "node:timers/promises";
import { ContractError } from "@xworkmate/contracts";
import type { FastifyInstance } from "fastify";

/** How long a request is held back: less than the time that clients wait for an answer. */
const WAIT_MS = 15_000;

/**
 * Holds requests back until the bridge knows the state of an earlier bridge's runs and messages. Until then, the bridge could only report
 * an outdated state.
 */
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

	/** Holds back requests to the routes of this scope. */
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
