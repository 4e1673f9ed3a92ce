import type { OpenClawRunRef } from "@xworkmate/contracts";
import { AutoResetEvent } from "@xworkmate/platform/async";
import type { ProviderOutcome } from "../../../ports/runs/run-event.ts";
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
 * Watches one run at the gateway itself, in addition to the plugin. Its result is used only if the plugin has not noticed the end after
 * `witnessMs`, because the plugin knows more (who requested a stop, the run's final text).
 */
export class GatewayRunWatcher {
	readonly #deps: GatewayRunWatcherParts;
	readonly #onEnd: () => void;
	readonly #over = new AutoResetEvent();
	#listening = false;
	#seen: { readonly witness: GatewayWitness; readonly at: number } | undefined;

	/** `onEnd` is called once the gateway has reported the run's end. */
	constructor(deps: GatewayRunWatcherParts, onEnd: () => void) {
		this.#deps = deps;
		this.#onEnd = onEnd;
	}

	/** Starts waiting for the run's end. Later calls do nothing. */
	listen(ref: OpenClawRunRef): void {
		if (this.#listening) return;
		this.#listening = true;
		this.#listen(ref).catch((error: unknown) =>
			this.#deps.log.warn({ err: error, runId: ref.runId }, "the run can't be watched at the gateway"),
		);
	}

	end(): void {
		this.#over.close();
	}

	/** The result, once it may be used. */
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
			// There is no connection, or the run has not ended. The turn keeps polling in the meantime.
			await this.#over.wait(bounds.pollMs);
		}
	}
}
