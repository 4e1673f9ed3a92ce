import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type Artifact, RunId, type ThreadId } from "@xworkmate/contracts";
import mime from "mime";
import { AppError } from "../app-error.ts";
import type { ArtifactSource } from "../bridge-client/index.ts";
import type { RunFiles, ThreadFile, ThreadFiles } from "../core/ui-api.ts";
import { currentTurn, type Thread, type ThreadStore, type TurnRecord } from "../threads/index.ts";
import { threadFolder } from "../workspace/index.ts";
import { FileHashes } from "./file-hashes.ts";
import { openBridgeFile } from "./open-bridge-file.ts";
import { missing, type OpenedFile, openPlainFile, safeSegments, statPlainFile } from "./open-plain-file.ts";

const NAME_CHARACTERS = 80;

/** Where a file of a run stands: in its place, or among the kept versions. */
interface Standing {
	readonly segments: readonly string[];
	readonly state: ThreadFile["state"];
	readonly sizeNow?: number;
}

export interface ThreadFilesParts {
	readonly home: string;
	readonly store: Pick<ThreadStore, "turnRecords" | "findRun" | "turnRecord">;
	/** @throws AppError THREAD_NOT_FOUND */
	readonly thread: (threadId: ThreadId) => Thread;
	/** The bridge's own copies. */
	readonly source: ArtifactSource;
}

/** The files of a thread's runs as they stand in its folder now. Only what a run delivered is listed or opened. */
export class FilesOfThreads {
	readonly #parts: ThreadFilesParts;
	readonly #hashes = new FileHashes();

	constructor(parts: ThreadFilesParts) {
		this.#parts = parts;
	}

	/** Newest run first. @throws AppError THREAD_NOT_FOUND */
	async list(threadId: ThreadId): Promise<ThreadFiles> {
		const current = currentTurn(this.#parts.thread(threadId));
		const records = this.#parts.store.turnRecords(threadId).toReversed();
		const runs: RunFiles[] = [];
		for (const record of records) {
			const { runId } = record.turn;
			const delivered = (record.snapshot?.artifacts.count ?? 0) + rejectedCountOf(record.snapshot);
			if (runId === undefined || (delivered === 0 && record.turn.syncedPaths.length === 0)) continue;
			runs.push(await this.#listRun(record, runId, current?.turnId === record.turn.turnId));
		}
		return { folder: this.#folder(threadId), runs };
	}

	/** Paths of a run's files that are on this disk. @throws AppError FILE_NOT_FOUND when it has none */
	async listRun(threadId: ThreadId, runId: RunId): Promise<{ readonly name: string; readonly paths: readonly string[] }> {
		const { title } = this.#parts.thread(threadId);
		const record = this.#record(threadId, runId);
		const { files } = await this.#listRun(record, runId, this.#isCurrent(threadId, runId));
		const paths = files.filter(({ state }) => state !== "missing" && state !== "blocked").map((file) => file.relativePath);
		if (paths.length === 0) throw missing();
		return { name: archiveName(title), paths };
	}

	/**
	 * A delivered file: what stands in its place for the current run, the run's own bytes for an earlier one; what is not
	 * on this disk comes from the bridge. @throws AppError FILE_NOT_FOUND, FILE_BLOCKED, or as ArtifactSource
	 */
	async open(threadId: ThreadId, runId: RunId, relativePath: string): Promise<OpenedFile> {
		const segments = safeSegments(relativePath);
		const record = this.#record(threadId, runId);
		const artifact = artifactsOf(record).find((item) => item.relativePath === relativePath);
		if (artifact === undefined && !record.turn.syncedPaths.includes(relativePath)) throw missing();
		try {
			if (this.#isCurrent(threadId, runId)) return await openPlainFile(this.#folder(threadId), segments);
			const standing = await this.#find(threadId, relativePath, artifact, false);
			return await openPlainFile(this.#folder(threadId), standing.segments);
		} catch (error) {
			const gone = error instanceof AppError && error.code === "FILE_NOT_FOUND";
			if (!gone || artifact === undefined) throw error;
			return await openBridgeFile(this.#parts.source, runId, artifact);
		}
	}

	async #listRun({ threadId, turn, snapshot }: TurnRecord, runId: RunId, current: boolean): Promise<RunFiles> {
		const { turnId, createdAt, resultDetail } = turn;
		const thread = this.#parts.thread(threadId);
		// The thread's own statement of its files (TaskThread, seed 004); an earlier run's is its turn's.
		const syncStatus = current ? thread.lastArtifactSyncStatus : turn.syncStatus;
		const syncedPaths = current ? thread.lastTaskArtifactRelativePaths : turn.syncedPaths;
		const artifacts = snapshot?.artifacts.items ?? [];
		const listed = new Set<string>(artifacts.map((item) => item.relativePath));
		const files: ThreadFile[] = [];
		for (const artifact of artifacts) files.push(await this.#describe(threadId, artifact.relativePath, artifact, current));
		for (const path of syncedPaths) if (!listed.has(path)) files.push(await this.#describe(threadId, path, undefined, current));
		return {
			...{ turnId, runId, createdAt, current, files },
			...(syncStatus && { syncStatus }),
			...(resultDetail && { detail: resultDetail }),
			count: snapshot?.artifacts.count ?? syncedPaths.length,
			totalBytes: snapshot?.artifacts.totalBytes ?? 0,
			rejected: snapshot?.rejectedArtifacts ?? [],
			rejectedCount: rejectedCountOf(snapshot),
		};
	}

	async #describe(threadId: ThreadId, path: string, artifact: Artifact | undefined, current: boolean): Promise<ThreadFile> {
		const { state, sizeNow } = await this.#stateOf(threadId, path, artifact, current);
		const mediaType = artifact?.mediaType ?? mime.getType(path) ?? "application/octet-stream";
		return {
			...{ relativePath: path, state, mediaType },
			...(artifact && { sizeBytes: artifact.sizeBytes, sha256: artifact.sha256, modifiedAt: artifact.modifiedAt }),
			...(state === "missing" && artifact && { atBridge: true }),
			...(sizeNow !== undefined && sizeNow !== artifact?.sizeBytes && { sizeNow }),
		};
	}

	async #stateOf(threadId: ThreadId, path: string, artifact: Artifact | undefined, current: boolean): Promise<Omit<Standing, "segments">> {
		try {
			return await this.#find(threadId, path, artifact, current);
		} catch (error) {
			if (error instanceof AppError && error.code === "FILE_NOT_FOUND") return { state: "missing" };
			if (error instanceof AppError && error.code === "FILE_BLOCKED") return { state: "blocked" };
			throw error;
		}
	}

	/** @throws AppError FILE_NOT_FOUND, FILE_BLOCKED */
	async #find(threadId: ThreadId, relativePath: string, artifact: Artifact | undefined, current: boolean): Promise<Standing> {
		const folder = this.#folder(threadId);
		const segments = safeSegments(relativePath);
		const stats = await statPlainFile(folder, segments);
		if (artifact === undefined) {
			// Without a hash an earlier run's file cannot be told from a later one's.
			if (stats === undefined || !current) throw missing();
			return { segments, state: "unlisted", sizeNow: stats.size };
		}
		const same = stats?.size === artifact.sizeBytes && (await this.#hashes.hash(folder, segments, stats)) === artifact.sha256;
		if (same) return { segments, state: "checked" };
		if (stats !== undefined && current) return { segments, state: "edited", sizeNow: stats.size };
		const kept = await this.#findKept(folder, segments, artifact);
		if (kept === undefined) throw missing();
		return { segments: kept, state: "kept" };
	}

	/** What a later run replaced: `.versions/<that run>/<path>~<digits of its hash>`. */
	async #findKept(folder: string, segments: readonly string[], { sha256, sizeBytes }: Artifact): Promise<readonly string[] | undefined> {
		const runs = await readdir(join(folder, ".versions")).catch(() => []);
		for (const run of runs) {
			if (!RunId.safeParse(run).success) continue;
			for (let digits = 8; digits <= sha256.length; digits += 8) {
				const kept = [".versions", run, ...segments.slice(0, -1), `${segments.at(-1)}~${sha256.slice(0, digits)}`];
				const stats = await statPlainFile(folder, kept);
				if (stats === undefined) break;
				if (stats.size === sizeBytes && (await this.#hashes.hash(folder, kept, stats)) === sha256) return kept;
			}
		}
		return undefined;
	}

	#record(threadId: ThreadId, runId: RunId): TurnRecord {
		const key = this.#parts.store.findRun(runId);
		const record = key?.threadId === threadId ? this.#parts.store.turnRecord(key) : undefined;
		if (record === undefined) throw missing();
		return record;
	}

	#isCurrent(threadId: ThreadId, runId: RunId): boolean {
		return currentTurn(this.#parts.thread(threadId))?.runId === runId;
	}

	#folder(threadId: ThreadId): string {
		return threadFolder(this.#parts.home, threadId);
	}
}

/** A title as a file's name: nothing in it that a disk refuses, that reorders what people read, or that is half a character. */
function archiveName(title: string): string {
	const safe = title.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069/\\:*?"<>|]/gu, "_");
	return [...safe.toWellFormed()].slice(0, NAME_CHARACTERS).join("") || "files";
}

function artifactsOf({ snapshot }: TurnRecord): readonly Artifact[] {
	return snapshot?.artifacts.items ?? [];
}

function rejectedCountOf(snapshot: TurnRecord["snapshot"]): number {
	return snapshot?.rejectedCount ?? snapshot?.rejectedArtifacts.length ?? 0;
}
