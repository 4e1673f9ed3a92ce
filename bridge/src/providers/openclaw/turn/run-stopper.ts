import type { OpenClawRunRef } from "@xworkmate/contracts";
import type { GatewayApi } from "../gateway/gateway-api.ts";
import type { GatewayBounds } from "../gateway/gateway-bounds.ts";
import type { GatewayLog } from "../gateway/gateway-connection.ts";
import { GatewayRefusal } from "../gateway/gateway-error.ts";

export interface RunStopperDeps {
	readonly api: GatewayApi;
	readonly bounds: GatewayBounds;
	readonly log: GatewayLog;
}

/** Requests the end of one run, at most every `abortMs`. The request is repeated, because an abort before the run has begun has no effect. */
export class RunStopper {
	readonly #deps: RunStopperDeps;
	#askedAt: number | undefined;

	constructor(deps: RunStopperDeps) {
		this.#deps = deps;
	}

	/**
	 * Notifies the plugin, which prevents a run from beginning, and the gateway, which ends one that has begun. Neither reports how the run
	 * ended. False if the last request was less than `abortMs` ago.
	 * @throws GatewayLost, GatewayProtocolError
	 */
	async ask(ref: OpenClawRunRef): Promise<boolean> {
		const { api, bounds, log } = this.#deps;
		const now = performance.now();
		if (this.#askedAt !== undefined && now - this.#askedAt < bounds.abortMs) return false;
		this.#askedAt = now;
		for (const answer of await Promise.allSettled([api.plugin("xworkmate.tasks.cancel", ref), api.abort(ref)])) {
			if (answer.status === "fulfilled") continue;
			if (!(answer.reason instanceof GatewayRefusal)) throw answer.reason;
			log.debug({ code: answer.reason.code, runId: ref.runId }, "the gateway had nothing to stop");
		}
		return true;
	}
}
