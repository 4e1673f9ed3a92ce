import { rm } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { isOpenClawEnd, type OpenClawResult, type RunId } from "@xworkmate/contracts";
import { awaitBackgroundTasks } from "../attribution/background-tasks.ts";
import { type BringPlan, planBring } from "../attribution/bring-plan.ts";
import { planExpected } from "../attribution/expected-folders.ts";
import type { GatewayPlaces } from "../attribution/gateway-places.ts";
import { sealLimits } from "../attribution/seal-limits.ts";
import type { CheckedParams } from "../methods/handlers.ts";
import { PluginError } from "../platform/plugin-error.ts";
import type { RunRecord } from "../runs/run-record.ts";
import type { RunRegistry } from "../runs/run-registry.ts";
import type { SealTask } from "./seal-scope.ts";
import type { SealedScopes } from "./sealed-scopes.ts";

export interface CollectOptions {
	readonly registry: RunRegistry;
	readonly sealed: SealedScopes;
	readonly now: () => number;
	readonly places: GatewayPlaces;
	/** The temporary folder of a run's commands. */
	readonly temporaryOf: (runId: RunId) => string;
	/** The background tasks of a session, as the gateway lists them. */
	readonly listTasks: (sessionKey: string) => unknown;
	readonly seal: (task: SealTask) => Promise<void>;
}

type CollectParams = CheckedParams<"xworkmate.artifacts.collect-and-snapshot">;

/** Collects each run once, however many calls ask for it. */
export class RunCollector {
	readonly #options: CollectOptions;
	readonly #running = new Map<RunId, Promise<void>>();

	constructor(options: CollectOptions) {
		this.#options = options;
	}

	/** @throws PluginError RUN_UNKNOWN, SCOPE_MISMATCH, RUN_NOT_ENDED, INTERNAL */
	async collectAndSnapshotXWorkmateArtifacts(params: CollectParams): Promise<OpenClawResult<"xworkmate.artifacts.collect-and-snapshot">> {
		const { registry, sealed } = this.#options;
		const record = registry.require(params);
		if (!isOpenClawEnd(record.state)) throw new PluginError("RUN_NOT_ENDED", `the run has not ended (${record.state})`);
		if (record.collectedAt === undefined) await this.#once(record, params);
		const { count, totalBytes, digest, rejected, rejectedCount, pendingBackgroundTasks } = sealed.require(registry.require(params));
		return { count, totalBytes, digest, rejected, rejectedCount, pendingBackgroundTasks };
	}

	#once(record: RunRecord, params: CollectParams): Promise<void> {
		const running = this.#running.get(record.runId) ?? this.#collect(record, params).finally(() => this.#running.delete(record.runId));
		this.#running.set(record.runId, running);
		return running;
	}

	async #collect(record: RunRecord, { waitMs, requiredGlobs = [], expectedArtifactDirs = [] }: CollectParams): Promise<void> {
		const { registry, sealed, seal, now, temporaryOf } = this.#options;
		const { runId, artifactDirectory } = record;
		const pendingBackgroundTasks = await this.#awaitTasks(record, waitMs);
		const plan = this.#plan(registry.find(runId) ?? record, expectedArtifactDirs);
		await seal({
			runId,
			artifactDirectory,
			manifestPath: sealed.path(runId),
			sealedAt: new Date(now()).toISOString(),
			requiredGlobs,
			pendingBackgroundTasks,
			unattributed: registry.namedByOthers(record),
			...plan,
			limits: sealLimits,
		});
		registry.change(runId, { kind: "collected" });
		await rm(temporaryOf(runId), { recursive: true, force: true });
	}

	#awaitTasks({ runId, sessionKey }: RunRecord, waitMs: number): Promise<number> {
		const { registry, listTasks, now } = this.#options;
		const evidence = () => registry.find(runId)?.evidence;
		const watch = {
			list: () => listTasks(sessionKey),
			opened: () => evidence()?.backgroundTasks ?? [],
			reported: () => evidence()?.reportedTasks ?? [],
			now,
			pause: (milliseconds: number) => setTimeout(milliseconds),
		};
		return awaitBackgroundTasks(watch, waitMs);
	}

	#plan(record: RunRecord, expectedArtifactDirs: readonly string[]): BringPlan {
		const { registry, places, temporaryOf } = this.#options;
		const { runId } = record;
		const expected = planExpected(record, expectedArtifactDirs);
		const named = planBring(record, {
			places,
			ownTemporary: temporaryOf(runId),
			isClaimed: (path) => registry.isClaimed(path, runId),
			brought: new Set(expected.files.map(({ source }) => source)),
		});
		return { files: [...expected.files, ...named.files], rejected: [...expected.rejected, ...named.rejected] };
	}
}
