import { isOpenClawEnd, type RunId } from "@xworkmate/contracts";
import type { GatewayWork } from "../work/gateway-work.ts";
import type { RunEnd } from "./run-change.ts";
import type { RunRecord } from "./run-record.ts";
import type { RunRegistry } from "./run-registry.ts";

/**
 * Ends runs by the gateway's word. One that was stopped counts as ended once what it had started has ended too, or
 * has been given its time to.
 */
export class RunEnder {
	readonly #registry: RunRegistry;
	readonly #stopping = new Set<RunId>();

	constructor(registry: RunRegistry) {
		this.#registry = registry;
	}

	/** The first end wins, also while it waits. Resolves with the ended run; undefined for an end that came later. */
	async end(record: RunRecord, end: RunEnd, work: Pick<GatewayWork, "running" | "stop">): Promise<RunRecord | undefined> {
		const { runId } = record;
		if (this.#stopping.has(runId) || isOpenClawEnd(record.state)) return undefined;
		if (end.state !== "cancelled" && !(end.state === "failed" && record.cancelRequested)) {
			const atWork = work.running(record, record.evidence.backgroundTasks);
			return this.#registry.change(runId, { ...end, atWork });
		}
		this.#stopping.add(runId);
		try {
			const atWork = await work.stop(record);
			return this.#registry.change(runId, { ...end, atWork });
		} finally {
			this.#stopping.delete(runId);
		}
	}
}
