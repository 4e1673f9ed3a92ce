import { isOpenClawEnd, type OpenClawResult, type RunId } from "@xworkmate/contracts";
import type { CheckedParams } from "../methods/handlers.ts";
import { PluginError } from "../plugin-error.ts";
import type { RunRecord } from "../runs/run-record.ts";
import type { RunRegistry } from "../runs/run-registry.ts";
import type { SealTask } from "./seal-scope.ts";
import { sealLimits } from "./seal-scope.ts";
import type { SealedScopes } from "./sealed-scopes.ts";

export interface CollectOptions {
	readonly registry: RunRegistry;
	readonly sealed: SealedScopes;
	readonly now: () => number;
	readonly seal: (task: SealTask) => Promise<void>;
}

type CollectParams = CheckedParams<"xworkmate.artifacts.collect-and-snapshot">;

/** Collects each run once, however often and by however many it is asked for. */
export class RunCollector {
	readonly #options: CollectOptions;
	readonly #running = new Map<RunId, Promise<void>>();

	constructor(options: CollectOptions) {
		this.#options = options;
	}

	/** @throws PluginError RUN_UNKNOWN, SCOPE_MISMATCH, RUN_NOT_ENDED, INTERNAL */
	async collect(params: CollectParams): Promise<OpenClawResult<"xworkmate.artifacts.collect-and-snapshot">> {
		const { registry, sealed } = this.#options;
		const record = registry.require(params);
		if (!isOpenClawEnd(record.state)) throw new PluginError("RUN_NOT_ENDED", `the run is ${record.state}`);
		if (record.collectedAt === undefined) await this.#once(record, params);
		const { count, totalBytes, digest, rejected, rejectedCount, pendingBackgroundTasks } = sealed.require(registry.require(params));
		return { count, totalBytes, digest, rejected, rejectedCount, pendingBackgroundTasks };
	}

	#once(record: RunRecord, params: CollectParams): Promise<void> {
		const running = this.#running.get(record.runId) ?? this.#collect(record, params).finally(() => this.#running.delete(record.runId));
		this.#running.set(record.runId, running);
		return running;
	}

	async #collect({ runId, artifactDirectory }: RunRecord, { requiredGlobs = [] }: CollectParams): Promise<void> {
		const { registry, sealed, seal, now } = this.#options;
		await seal({
			runId,
			artifactDirectory,
			manifestPath: sealed.path(runId),
			sealedAt: new Date(now()).toISOString(),
			requiredGlobs,
			pendingBackgroundTasks: 0,
			limits: sealLimits,
		});
		registry.change(runId, { kind: "collected" });
	}
}
