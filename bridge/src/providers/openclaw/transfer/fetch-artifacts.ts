import { lstat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { expectedFolders, type OpenClawArtifact, type OpenClawRunRef, withFullStop } from "@xworkmate/contracts";
import { ifAbsent } from "@xworkmate/platform/errors";
import type { EndedTurn, FetchSink, Loss } from "../../../ports/agents/provider.ts";
import type { GatewayApi } from "../gateway/gateway-api.ts";
import type { GatewayBounds } from "../gateway/gateway-bounds.ts";
import type { GatewayConnection } from "../gateway/gateway-connection.ts";
import { GatewayDisconnected, GatewayLost, GatewayProtocolError, GatewayRefusal, isPluginCode } from "../gateway/gateway-error.ts";
import type { ArtifactSource } from "./artifact-source.ts";
import { type DownloadParts, downloadFile, downloadTar, WrongBytes } from "./download.ts";
import { readSealedScope } from "./sealed-scope.ts";
import { StagedFile } from "./staged-file.ts";
import { StagingFolder } from "./staging-folder.ts";

export interface FetchParts {
	readonly connection: GatewayConnection;
	readonly api: GatewayApi;
	readonly source: ArtifactSource;
	readonly bounds: GatewayBounds;
}

/** How many files are downloaded at once. */
const PARALLEL = 4;
/** From this many files on, a stream is cheaper than requests. */
const STREAMED_FILES = 16;
/** A larger file is downloaded individually: it is not kept in memory, and an interrupted download can be continued. */
const STREAMED_BYTES = 4 * 1024 * 1024;
/** How many more unneeded than needed bytes a stream may carry. */
const WASTED_BYTES = 64 * 1024 * 1024;
const LOOK_MS = 1_000;

/**
 * Collects and seals the run's scope on the gateway and copies it into `turn.artifactDirectory`, checking every hash. The directory is
 * empty until it has the whole delivery. May be repeated.
 */
export async function fetchArtifacts(
	deps: FetchParts,
	ref: OpenClawRunRef,
	turn: EndedTurn,
	sink: FetchSink,
	signal: AbortSignal,
): Promise<Loss | undefined> {
	try {
		await collect(deps, ref, turn, sink, signal);
		const scope = await readSealedScope(deps.connection, ref, signal);
		for (const rejected of scope.rejected) sink.rejectArtifact(rejected);
		sink.show("exporting");
		const stage = await StagingFolder.open(turn.artifactDirectory);
		await stage.keepOnly(scope.items);
		await arrive(deps, { source: deps.source, ref, stage, signal }, scope.items);
		await stage.publish();
		return undefined;
	} catch (error) {
		return explain(error, signal);
	}
}

async function collect({ api, bounds }: FetchParts, ref: OpenClawRunRef, turn: EndedTurn, sink: FetchSink, stop: AbortSignal) {
	const { expectedArtifactDirs, required } = turn.artifactContract;
	const params = {
		...ref,
		waitMs: bounds.backgroundMs,
		expectedArtifactDirs: [...expectedFolders(expectedArtifactDirs)],
		requiredGlobs: required.map(({ glob }) => glob),
	};
	const options = { ms: bounds.backgroundMs + bounds.collectMs, stop };
	for (const until = performance.now() + bounds.endingMs; ; ) {
		try {
			const { pendingBackgroundTasks: pending } = await api.plugin("xworkmate.artifacts.collect-and-snapshot", params, options);
			if (pending > 0)
				sink.show(
					"collecting",
					`${pending} background ${pending === 1 ? "job" : "jobs"} did not end in time. Files written from now on are not delivered.`,
				);
			return;
		} catch (error) {
			if (!isPluginCode(error, "RUN_NOT_ENDED") || performance.now() > until) throw error;
			await Promise.allSettled([api.plugin("xworkmate.tasks.cancel", ref), api.abort(ref)]);
			await delay(LOOK_MS);
		}
	}
}

async function arrive({ connection }: FetchParts, arrival: DownloadParts, items: readonly OpenClawArtifact[]): Promise<void> {
	const missing = await missingOf(arrival.stage, items);
	const left = [...(worthStreaming(items, missing) ? await arriveSmall(arrival, missing) : missing)];
	// If one file fails, the other downloads are aborted, because a partial delivery is not used.
	const failed = new AbortController();
	const together = { ...arrival, signal: AbortSignal.any([arrival.signal, failed.signal]) };
	const bring = async () => {
		for (let item = left.pop(); item !== undefined; item = left.pop()) {
			const wanted = item;
			await connection.persist(() => downloadFile(together, wanted), together.signal);
		}
	};
	const bringing = Array.from({ length: PARALLEL }, bring);
	try {
		await Promise.all(bringing);
	} catch (error) {
		failed.abort(error);
		await Promise.allSettled(bringing);
		throw error;
	}
}

/** Downloads the small files as a stream. Returns all files that are then still missing. */
async function arriveSmall(arrival: DownloadParts, missing: readonly OpenClawArtifact[]): Promise<readonly OpenClawArtifact[]> {
	const [small, large] = [missing.filter(isSmall), missing.filter((item) => !isSmall(item))];
	try {
		return [...large, ...(await downloadTar(arrival, small))];
	} catch (error) {
		if (!(error instanceof GatewayDisconnected || error instanceof GatewayRefusal)) throw error;
		// Files that arrived before the stream broke are kept.
		return missingOf(arrival.stage, missing);
	}
}

function isSmall({ sizeBytes }: OpenClawArtifact): boolean {
	return sizeBytes <= STREAMED_BYTES;
}

async function missingOf(stage: StagingFolder, items: readonly OpenClawArtifact[]): Promise<readonly OpenClawArtifact[]> {
	const missing: OpenClawArtifact[] = [];
	for (const item of items) {
		const path = stage.path(item.relativePath);
		if ((await lstat(path).catch(ifAbsent)) === undefined) missing.push(item);
		else {
			await using file = await StagedFile.open(path, item);
			if (!file.whole) missing.push(item);
		}
	}
	return missing;
}

function worthStreaming(items: readonly OpenClawArtifact[], missing: readonly OpenClawArtifact[]): boolean {
	const small = missing.filter(isSmall);
	return small.length >= STREAMED_FILES && bytesOf(items) - bytesOf(small) <= bytesOf(small) + WASTED_BYTES;
}

function bytesOf(items: readonly OpenClawArtifact[]): number {
	return items.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

/** @throws errors other than the gateway's and the time limit's */
function explain(error: unknown, signal: AbortSignal): Loss {
	if (error instanceof GatewayLost) return lost(error.message);
	if (signal.aborted) return lost("The run's files did not arrive from the gateway in time.");
	const known = error instanceof GatewayRefusal || error instanceof GatewayProtocolError || error instanceof WrongBytes;
	if (!known) throw error;
	return lost(`The run's files could not be fetched from the gateway: ${withFullStop(error.message)}`);
}

function lost(message: string): Loss {
	return { kind: "lost", code: "GATEWAY_LOST", message };
}
