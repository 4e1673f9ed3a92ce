import { isOpenClawEnd, type RunId } from "@xworkmate/contracts";
import type { GatewayWork } from "../work/gateway-work.ts";
import type { RunEnd } from "./run-change.ts";
import type { RunRecord } from "./run-record.ts";
import type { RunRegistry } from "./run-registry.ts";

/**
 * Ends runs when the gateway reports their end. A stopped run counts as ended once everything that it started has ended too, or the time
 * for that has run out.
 */
export class RunEnder {
	readonly #registry: RunRegistry;
	readonly #stopping = new Set<RunId>();

	constructor(registry: RunRegistry) {
		this.#registry = registry;
	}

	/** The first end counts, even while it waits for tasks. Resolves with the ended run, or with undefined for a later end. */
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
