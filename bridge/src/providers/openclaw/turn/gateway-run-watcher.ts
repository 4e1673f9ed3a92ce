import type { OpenClawRunRef } from "@xworkmate/contracts";
import { AutoResetEvent } from "@xworkmate/platform/async";
import type { ProviderOutcome } from "../../../ports/run-event.ts";
import type { GatewayApi, GatewayWitness } from "../gateway/gateway-api.ts";
import type { GatewayBounds } from "../gateway/gateway-bounds.ts";
import type { GatewayLog } from "../gateway/gateway-connection.ts";
import { witnessedOutcome } from "./remote-outcome.ts";

export interface GatewayRunWatcherParts {
	readonly api: GatewayApi;
	readonly bounds: GatewayBounds;
	readonly log: GatewayLog;
}

/**
 * The gateway's own word on one run, beside the plugin's. It counts only when the plugin has not noticed the end
 * after `witnessMs`: the plugin knows more (who asked for a stop, the run's own last words).
 */
export class GatewayRunWatcher {
	readonly #deps: GatewayRunWatcherParts;
	readonly #onEnd: () => void;
	readonly #over = new AutoResetEvent();
	#listening = false;
	#seen: { readonly witness: GatewayWitness; readonly at: number } | undefined;

	/** `onEnd`: there may be something to look at. */
	constructor(deps: GatewayRunWatcherParts, onEnd: () => void) {
		this.#deps = deps;
		this.#onEnd = onEnd;
	}

	/** Begins to wait for the run's end; once. */
	listen(ref: OpenClawRunRef): void {
		if (this.#listening) return;
		this.#listening = true;
		this.#listen(ref).catch((error: unknown) => this.#deps.log.warn({ err: error, runId: ref.runId }, "the gateway is not reporting"));
	}

	end(): void {
		this.#over.close();
	}

	/** Its result, once it counts. */
	outcome(stopped: boolean): { readonly outcome: ProviderOutcome; readonly words: string | undefined } | undefined {
		const seen = this.#seen;
		if (seen === undefined || performance.now() - seen.at < this.#deps.bounds.witnessMs) return undefined;
		const outcome = witnessedOutcome(seen.witness, stopped);
		return outcome && { outcome, words: seen.witness.terminalReply?.text };
	}

	async #listen(ref: OpenClawRunRef): Promise<void> {
		const { api, bounds } = this.#deps;
		while (!this.#over.closed) {
			const witness = await api.witness(ref, bounds.requestMs).catch(() => undefined);
			if (witness?.endedAt !== undefined) {
				this.#seen = { witness, at: performance.now() };
				this.#onEnd();
				return;
			}
			// No connection, or not ended yet: the turn keeps polling in the meantime.
			await this.#over.wait(bounds.pollMs);
		}
	}
}
