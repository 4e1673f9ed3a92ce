import { resolve } from "node:path";
import { type Artifact, type ArtifactContract, artifactsDigest, limits, type RejectedArtifact } from "@xworkmate/contracts";
import { readStream } from "../../../log/read-stream.ts";
import type { ArtifactStore, Collected } from "../../../ports/artifacts/artifact-store.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { CollectedSummary, FilesFound } from "../../../ports/runs/run-event.ts";
import type { RunLogStore } from "../../../ports/runs/run-store.ts";
import type { PreparedWorkspace } from "../../../ports/runs/run-workspace.ts";
import type { ContractBreach } from "../../domain/conclude.ts";
import type { LiveRun } from "../live-run.ts";
import { abortAfter } from "./abort-after.ts";
import { type KnownFiles, lookForFiles } from "./look-for-files.ts";

/**
 * The allowed clock difference, in milliseconds. A disk's clock may be behind by this much, so that a run's file seems older than the run.
 */
const SKEW = 1_000;

export type CheckContract = (
	contract: ArtifactContract,
	items: readonly Artifact[],
	rejected: readonly RejectedArtifact[],
) => { readonly ok: true } | ({ readonly ok: false } & ContractBreach);

export interface CollectionResult {
	readonly items: readonly Artifact[];
	readonly summary: CollectedSummary;
	readonly breach?: ContractBreach;
}

/** Copies what runs delivered into the bridge's store and checks it against their artifact contracts. */
export class Collection {
	readonly #log: RunLogStore;
	readonly #artifactStore: ArtifactStore;
	readonly #checkContract: CheckContract;
	readonly #clock: Clock;
	readonly #boundMs: number;

	constructor(log: RunLogStore, artifactStore: ArtifactStore, checkContract: CheckContract, clock: Clock, boundMs: number) {
		this.#log = log;
		this.#artifactStore = artifactStore;
		this.#checkContract = checkContract;
		this.#clock = clock;
		this.#boundMs = boundMs;
	}

	/** The immediate result for a run with an empty scope and no other folders to search; undefined if there may be files. */
	ofEmptyScope(run: LiveRun, workspace: PreparedWorkspace, refused: readonly RejectedArtifact[]): CollectionResult | undefined {
		if (workspace.extraDirectories.length > 0 || !this.#artifactStore.isEmpty(workspace.artifactDirectory)) return undefined;
		return this.#check(run.record.input.artifactContract, { items: [], rejected: [] }, refused);
	}

	/** `refused`: files rejected earlier. `exclusive`: no other run was active during this one. */
	async collect(
		run: LiveRun,
		workspace: PreparedWorkspace,
		refused: readonly RejectedArtifact[],
		exclusive: boolean,
	): Promise<CollectionResult> {
		const contract = run.record.input.artifactContract;
		const { extraDirectories } = workspace;
		const { startedAt, providerEndedAt } = run.state;
		using bound = abortAfter(this.#clock, this.#boundMs);
		const collected = await this.#artifactStore.collect({
			runId: run.runId,
			artifactDirectory: workspace.artifactDirectory,
			contract,
			extraDirectories,
			namedPaths: extraDirectories.length === 0 ? new Set() : await this.#namedPaths(run, workspace.workingDirectory),
			exclusive,
			window: { from: Date.parse(startedAt ?? run.record.createdAt), to: Date.parse(providerEndedAt ?? run.record.createdAt) },
			signal: bound.signal,
		});
		return this.#check(contract, collected, refused);
	}

	/** What happened to each file that an answer names (docs/protocol.md#updates). */
	async look(run: LiveRun, workspace: PreparedWorkspace, known: KnownFiles, names: readonly string[]): Promise<FilesFound> {
		await run.durable();
		const { workingDirectory, artifactDirectory, extraDirectories } = workspace;
		return await lookForFiles(this.#artifactStore, names, {
			...known,
			folders: [workingDirectory, artifactDirectory, ...extraDirectories],
			edited: await this.#namedPaths(run, workingDirectory),
			since: Date.parse(run.state.startedAt ?? run.record.createdAt) - SKEW,
		});
	}

	#check(contract: ArtifactContract, { items, rejected: found }: Collected, refused: readonly RejectedArtifact[]): CollectionResult {
		const rejected = [...found, ...refused];
		const summary: CollectedSummary = {
			items: items.slice(0, limits.snapshotItems),
			count: items.length,
			totalBytes: items.reduce((sum, item) => sum + item.sizeBytes, 0),
			digest: artifactsDigest(items),
			rejected: rejected.slice(0, limits.snapshotItems),
			rejectedCount: rejected.length,
		};
		const check = this.#checkContract(contract, items, rejected);
		return check.ok ? { items, summary } : { items, summary, breach: { code: check.code, message: check.message } };
	}

	/** Absolute paths that the run's own tool events named, read back from its log. */
	async #namedPaths(run: LiveRun, workingDirectory: string): Promise<ReadonlySet<string>> {
		const named = new Set<string>();
		for await (const events of readStream(this.#log, run.runId)) {
			for (const { event } of events) {
				if (event.type !== "said" || event.update.kind !== "tool_call") continue;
				for (const { path } of [...(event.update.locations ?? []), ...(event.update.diff ?? [])])
					named.add(resolve(workingDirectory, path));
			}
		}
		return named;
	}
}
