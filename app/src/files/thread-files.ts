import type { Stats } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type Artifact, omitUndefined, RunId, type ThreadId, type TurnId } from "@xworkmate/contracts";
import mime from "mime";
import type { Replaced } from "../api/app-api.ts";
import type { InPlace } from "../api/in-place.ts";
import type { RunFiles, ThreadFile, ThreadFiles } from "../api/ui-api.ts";
import type { ArtifactSource } from "../bridge-client/index.ts";
import { AppError } from "../errors/app-error.ts";
import { rejectedCountOf } from "../text/runs/no-files-words.ts";
import { currentTurn, type Thread, type ThreadStore, type TurnRecord } from "../threads/index.ts";
import type { ThreadRepository } from "../threads/thread-repository.ts";
import { threadFolder } from "../workspace/index.ts";
import { type ArchivedFiles, listArchive } from "./archived-files.ts";
import { DeliveredFiles, type DeliveredTurn } from "./delivered-files.ts";
import { FileBlocked } from "./file-blocked.ts";
import { FileHashes } from "./file-hashes.ts";
import { isOnDisk } from "./file-state.ts";
import type { WatchedPlaces } from "./folder-watch.ts";
import { openBridgeFile } from "./open-bridge-file.ts";
import { missing, type OpenedFile, openPlainFile, safeSegments, statPlainFile } from "./open-plain-file.ts";
import { ownersOf } from "./owners-of.ts";
import { keptPaths, keptPlace, listSetAside } from "./set-aside-files.ts";

/** `unsaved`: its run did not succeed, so it was never saved to the folder. `saving`: it is being saved. */
type AbsentState = Extract<ThreadFile["state"], "missing" | "unsaved" | "saving">;

/** Where in the folder the bytes of a run's file are, and the file's state. */
interface Standing {
	readonly segments: readonly string[];
	readonly state: Exclude<ThreadFile["state"], "blocked">;
	/** The file on disk, if it differs from what the run delivered or the run's hash of it is unknown. */
	readonly now?: Stats;
}

/** A file's state, what is on the disk at its path and, if the file is blocked, what blocks it. */
interface Found {
	readonly state: ThreadFile["state"];
	readonly now?: Stats;
	readonly inPlace?: InPlace;
}

/** One file of one run. */
interface WantedFile {
	readonly path: string;
	/** Absent for a file beyond the 200 that a snapshot lists. */
	readonly artifact: Artifact | undefined;
	/** True if the file that the folder has at this path comes from this run. */
	readonly owned: boolean;
	/** The file's state if the folder does not have it. */
	readonly absent: AbsentState;
	/** Files that later runs delivered at the same path. */
	readonly later: () => readonly Artifact[];
}

export interface ThreadFilesParts {
	readonly home: string;
	readonly store: Pick<ThreadStore, "turnRecords" | "findRun" | "turnRecord">;
	readonly repository: Pick<ThreadRepository, "get">;
	/** The bridge's own copies. */
	readonly source: ArtifactSource;
}

/** The files of a thread's runs as its folder has them now. Only files that a run delivered or replaced are listed or opened. */
export class FilesOfThreads {
	readonly #parts: ThreadFilesParts;
	readonly #hashes = new FileHashes();
	readonly #delivered: DeliveredFiles;

	constructor(parts: ThreadFilesParts) {
		this.#parts = parts;
		this.#delivered = new DeliveredFiles(parts.store);
	}

	/**
	 * Newest run first.
	 * @throws AppError THREAD_NOT_FOUND
	 */
	async list(threadId: ThreadId): Promise<ThreadFiles> {
		const thread = this.#parts.repository.get(threadId);
		const owners = ownersOf(thread);
		const later = new Map<string, readonly Artifact[]>();
		const runs: RunFiles[] = [];
		for (const record of this.#delivered.of(thread).toReversed()) {
			const { runId } = record.turn;
			const delivered = (record.snapshot?.artifacts.count ?? 0) + rejectedCountOf(record.snapshot);
			const { workedIn } = record.snapshot ?? {};
			if (runId === undefined || (delivered === 0 && record.turn.syncedPaths.length === 0 && workedIn === undefined)) continue;
			runs.push(await this.#listRun(record, { thread, runId, owners, later }));
			for (const artifact of artifactsOf(record)) {
				later.set(artifact.relativePath, [...(later.get(artifact.relativePath) ?? []), artifact]);
			}
		}
		return { folder: this.#folder(threadId), runs };
	}

	/**
	 * The contents of an archive of a run or of the whole thread.
	 * @throws AppError THREAD_NOT_FOUND, FILE_NOT_FOUND
	 */
	archive(threadId: ThreadId, runId?: RunId): Promise<ArchivedFiles> {
		return listArchive(this, this.#parts.repository.get(threadId), runId);
	}

	/**
	 * The thread's folder, and the paths of the files that its runs delivered, whether or not they were saved.
	 * @throws AppError THREAD_NOT_FOUND
	 */
	places(threadId: ThreadId): WatchedPlaces {
		const thread = this.#parts.repository.get(threadId);
		const saved = ownersOf(thread).keys();
		const delivered = this.#delivered.of(thread).flatMap(artifactsOf);
		return { folder: this.#folder(threadId), paths: [...new Set([...saved, ...delivered.map(({ relativePath }) => relativePath)])] };
	}

	/** As `places`, with the versions that are kept in the folder. Together, these are all paths that a list of the files depends on. */
	async watchedPlaces(threadId: ThreadId): Promise<WatchedPlaces> {
		const { folder, paths } = this.places(threadId);
		return { folder, paths: [...paths, ...(await keptPaths(folder))] };
	}

	/**
	 * Opens a delivered file. For the run that the folder's file comes from, this is the current file; for any other run, it is the run's own
	 * version. A file that is not on this disk, or has something else at its path, comes from the bridge. With `kept`, opens the file that
	 * the run's file replaced.
	 * @throws AppError FILE_NOT_FOUND, FILE_BLOCKED, or as ArtifactSource
	 */
	async open(threadId: ThreadId, runId: RunId, relativePath: string, kept?: string): Promise<OpenedFile> {
		const record = this.#record(threadId, runId);
		if (kept !== undefined) return await openPlainFile(this.#folder(threadId), keptPlace(runId, safeSegments(relativePath), kept));
		const artifact = artifactsOf(record).find((item) => item.relativePath === relativePath);
		const thread = this.#parts.repository.get(threadId);
		const owned = ownersOf(thread).get(relativePath) === runId;
		const later = () => this.#deliveredLater(thread, record.turn.turnId, relativePath);
		try {
			const standing = await this.#find(threadId, { path: relativePath, artifact, owned, absent: "missing", later });
			if (standing.state === "replaced") throw missing();
			return await openPlainFile(this.#folder(threadId), standing.segments);
		} catch (error) {
			const isBlocked = error instanceof FileBlocked;
			const isElsewhere = isBlocked || (error instanceof AppError && error.code === "FILE_NOT_FOUND");
			if (!isElsewhere || artifact === undefined) throw error;
			return await openBridgeFile(this.#parts.source, runId, artifact).catch((failure: unknown) => {
				// This error is more useful than the bridge's, because the user can move what is in the file's place.
				throw isBlocked ? error : failure;
			});
		}
	}

	async #listRun({ turn, snapshot }: DeliveredTurn, { thread, runId, owners, later }: Listing): Promise<RunFiles> {
		const { threadId } = thread;
		const { turnId, createdAt, resultDetail } = turn;
		const current = currentTurn(thread)?.turnId === turnId;
		// For the current run, this is the state of the thread's files (docs/protocol.md#threads-and-results); otherwise, of the turn's.
		const syncStatus = current ? thread.lastArtifactSyncStatus : turn.syncStatus;
		const syncedPaths = current ? thread.lastTaskArtifactRelativePaths : turn.syncedPaths;
		const artifacts = snapshot?.artifacts.items ?? [];
		const listed = new Set<string>(artifacts.map((item) => item.relativePath));
		const absent = turn.resultCode !== "success" ? "unsaved" : syncStatus === "syncing" ? "saving" : "missing";
		const wanted = (path: string, artifact?: Artifact): WantedFile => ({
			...{ path, artifact, owned: owners.get(path) === runId, absent, later: () => later.get(path) ?? [] },
		});
		const files: ThreadFile[] = [];
		for (const artifact of artifacts) files.push(await this.#describe(threadId, wanted(artifact.relativePath, artifact)));
		for (const path of syncedPaths) if (!listed.has(path)) files.push(await this.#describe(threadId, wanted(path)));
		return {
			...{ turnId, runId, createdAt, current, files },
			...omitUndefined({ syncStatus, detail: resultDetail, workedIn: snapshot?.workedIn }),
			...(syncedPaths.length > 0 && (await this.replaced(thread, runId))),
			count: snapshot?.artifacts.count ?? syncedPaths.length,
			totalBytes: snapshot?.artifacts.totalBytes ?? 0,
			rejected: snapshot?.rejectedArtifacts ?? [],
			rejectedCount: rejectedCountOf(snapshot),
		};
	}

	/**
	 * The files that a run's files replaced, without other runs' files. If a run delivered the path without a hash (it has more than 200
	 * files), the file is left out, because it may be that run's.
	 */
	async replaced(thread: Thread, runId: RunId | undefined): Promise<Replaced> {
		if (runId === undefined) return {};
		const { threadId, turns } = thread;
		const setAside = await listSetAside(this.#folder(threadId), runId, (path, digits) => {
			const records = this.#delivered.of(thread);
			const hashes = records.flatMap((record) => artifactsOf(record).filter(({ relativePath }) => relativePath === path));
			const saved = turns.filter(({ syncedPaths }) => syncedPaths.includes(path));
			return hashes.length < saved.length || hashes.some(({ sha256 }) => sha256.startsWith(digits));
		});
		return setAside.length > 0 ? { setAside } : {};
	}

	async #describe(threadId: ThreadId, wanted: WantedFile): Promise<ThreadFile> {
		const { path, artifact } = wanted;
		const { state, now, inPlace } = await this.#stateOf(threadId, wanted);
		const isElsewhere = !isOnDisk({ state });
		const mediaType = artifact?.mediaType ?? mime.getType(path) ?? "application/octet-stream";
		return {
			...{ relativePath: path, state, mediaType },
			...(artifact && { sizeBytes: artifact.sizeBytes, sha256: artifact.sha256, modifiedAt: artifact.modifiedAt }),
			...(isElsewhere && artifact && { atBridge: true }),
			...omitUndefined({ inPlace }),
			...(now !== undefined && { editedAt: now.mtime.toISOString() }),
			...(now !== undefined && now.size !== artifact?.sizeBytes && { sizeNow: now.size }),
		};
	}

	async #stateOf(threadId: ThreadId, wanted: WantedFile): Promise<Found> {
		try {
			return await this.#find(threadId, wanted);
		} catch (error) {
			if (error instanceof AppError && error.code === "FILE_NOT_FOUND") return { state: wanted.absent };
			if (error instanceof FileBlocked) return { state: "blocked", inPlace: error.found };
			throw error;
		}
	}

	/** @throws AppError FILE_NOT_FOUND, FILE_BLOCKED */
	async #find(threadId: ThreadId, { path, artifact, owned, absent, later }: WantedFile): Promise<Standing> {
		const folder = this.#folder(threadId);
		const segments = safeSegments(path);
		let blocked: FileBlocked | undefined;
		const stats = await statPlainFile(folder, segments).catch((error: unknown) => {
			// If the path belongs to another run's file, what is there does not affect this run's version, which may be kept elsewhere.
			if (!(error instanceof FileBlocked) || owned || artifact === undefined) throw error;
			blocked = error;
			return undefined;
		});
		if (artifact === undefined) {
			if (stats === undefined) throw missing();
			// Without a hash, an earlier run's file cannot be told apart from a later run's.
			return owned ? { segments, state: "unlisted", now: stats } : { segments, state: "replaced" };
		}
		const is = async ({ sizeBytes, sha256 }: Artifact) =>
			// A file of a different size need not be read.
			stats?.size === sizeBytes && (await this.#hashes.hash(folder, segments, stats)) === sha256;
		if (await is(artifact)) return { segments, state: "checked" };
		// The run's file was never in the folder, so nothing in the folder replaced, blocks or keeps it.
		if (absent === "unsaved") throw missing();
		if (stats !== undefined && owned) {
			// While a later run's files are being saved, its file may be here before that run's record says so. That is not an edit.
			let isLater = false;
			for (const one of later()) isLater ||= await is(one);
			if (!isLater) return { segments, state: "edited", now: stats };
		}
		const kept = await this.#findKept(folder, segments, artifact);
		// The folder should have an owned file at its own path. A kept version of the same bytes is opened, but it is no earlier version.
		if (kept !== undefined) return { segments: kept, state: stats === undefined && owned ? absent : "kept" };
		if (stats === undefined) throw blocked ?? missing();
		return { segments, state: "replaced" };
	}

	/** A file that a later run replaced: `.versions/<that run>/<path>~<digits of its hash>`. */
	async #findKept(folder: string, segments: readonly string[], { sha256, sizeBytes }: Artifact): Promise<readonly string[] | undefined> {
		const runs = await readdir(join(folder, ".versions")).catch(() => []);
		for (const name of runs) {
			const run = RunId.safeParse(name);
			if (!run.success) continue;
			for (let digits = 8; digits <= sha256.length; digits += 8) {
				const kept = keptPlace(run.data, segments, sha256.slice(0, digits));
				const stats = await statPlainFile(folder, kept);
				if (stats === undefined) break;
				if (stats.size === sizeBytes && (await this.#hashes.hash(folder, kept, stats)) === sha256) return kept;
			}
		}
		return undefined;
	}

	#deliveredLater(thread: Thread, turnId: TurnId, path: string): readonly Artifact[] {
		const records = this.#delivered.of(thread);
		const at = records.findIndex(({ turn }) => turn.turnId === turnId);
		return records.slice(at + 1).flatMap((record) => artifactsOf(record).filter(({ relativePath }) => relativePath === path));
	}

	#record(threadId: ThreadId, runId: RunId): TurnRecord {
		const key = this.#parts.store.findRun(runId);
		const record = key?.threadId === threadId ? this.#parts.store.turnRecord(key) : undefined;
		if (record === undefined) throw missing();
		return record;
	}

	#folder(threadId: ThreadId): string {
		return threadFolder(this.#parts.home, threadId);
	}
}

/** What listing one run requires in addition to the run itself. */
interface Listing {
	readonly thread: Thread;
	readonly runId: RunId;
	readonly owners: ReadonlyMap<string, RunId>;
	/** By path, the versions that the previously listed runs delivered. */
	readonly later: ReadonlyMap<string, readonly Artifact[]>;
}

function artifactsOf({ snapshot }: DeliveredTurn): readonly Artifact[] {
	return snapshot?.artifacts.items ?? [];
}
