import { type FSWatcher, watch } from "node:fs";
import { lstat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/**
 * The maximum number of folders that are watched through the system's notifications. Changes in other folders are found by the next scan.
 */
const FOLDERS = 64;
/** The maximum number of paths that are scanned. Changes to other paths, and to folders that contain only such paths, are not reported. */
const FILES = 5_000;
/** Changes are collected for this long, because editors and agents write in several steps. */
const SETTLE_MS = 150;
/** The shortest interval between two reports, in case a file is written constantly. */
const PAUSE_MS = 1_000;
const LOOK_MS = 4_000;

export interface WatchedPlaces {
	readonly folder: string;
	/** Relative to the folder. */
	readonly paths: readonly string[];
}

interface FolderWatchParts {
	readonly places: () => WatchedPlaces | Promise<WatchedPlaces>;
	readonly changed: () => void;
	/** Called at every scan. Returning false ends the watch. */
	readonly isWanted: () => boolean;
	readonly fault: (error: unknown) => void;
	readonly lookMs?: number;
}

/**
 * Reports changes to the files in a folder. The system's notifications only trigger a scan: a change is a difference in what lstat returns
 * for a file. Scans also run at regular intervals, because some disks send no notifications.
 */
export class FolderWatch {
	readonly #parts: FolderWatchParts;
	readonly #watchers = new Map<string, FSWatcher>();
	#places: WatchedPlaces | undefined;
	#renewals = 0;
	#mark: string | undefined;
	/** The scan that is running or ended last. */
	#looking: Promise<void> | undefined;
	/** The next scan, which waits for the running one to end. */
	#next: Promise<void> | undefined;
	#timer: NodeJS.Timeout | undefined;
	#due = Number.POSITIVE_INFINITY;
	#toldAt = Number.NEGATIVE_INFINITY;
	#closed = false;

	constructor(parts: FolderWatchParts) {
		this.#parts = parts;
	}

	/** Resolves once the watch is active: every later change is reported. */
	async begin(): Promise<void> {
		await this.#look();
	}

	/** Reads the list of places again and scans them at once. Call this when the list may have changed. */
	renew(): void {
		this.#places = undefined;
		this.#renewals += 1;
		this.#soon(0);
	}

	close(): void {
		this.#closed = true;
		clearTimeout(this.#timer);
		for (const watcher of this.#watchers.values()) watcher.close();
		this.#watchers.clear();
	}

	#soon(afterMs: number): void {
		const due = performance.now() + afterMs;
		if (this.#closed || due >= this.#due) return;
		clearTimeout(this.#timer);
		this.#due = due;
		this.#timer = setTimeout(() => {
			this.#due = Number.POSITIVE_INFINITY;
			void this.#look();
		}, afterMs).unref();
	}

	/**
	 * Only one scan runs at a time, because an older scan that ended last would report a change that did not happen. All requests made during
	 * a scan share the scan that follows it.
	 */
	#look(): Promise<void> {
		this.#next ??= this.#lookNext();
		return this.#next;
	}

	async #lookNext(): Promise<void> {
		await this.#looking;
		this.#next = undefined;
		if (this.#closed) return;
		if (!this.#parts.isWanted()) return this.close();
		this.#looking = this.#compare();
		await this.#looking;
		this.#soon(this.#parts.lookMs ?? LOOK_MS);
	}

	async #compare(): Promise<void> {
		try {
			const places = this.#places ?? (await this.#readPlaces());
			if (this.#closed) return;
			// Notifications are set up before the scan, so that a change between the two is not missed.
			this.#report(places);
			const mark = await markOf(places);
			const isNews = this.#mark !== undefined && mark !== this.#mark;
			this.#mark = mark;
			if (!isNews || this.#closed) return;
			this.#toldAt = performance.now();
			this.#parts.changed();
		} catch (error) {
			this.#parts.fault(error);
		}
	}

	/** A list that may have changed while it was being read is used for only one scan. */
	async #readPlaces(): Promise<WatchedPlaces> {
		const renewals = this.#renewals;
		const { folder, paths } = await this.#parts.places();
		const places = { folder, paths: paths.slice(0, FILES) };
		if (renewals === this.#renewals) this.#places = places;
		return places;
	}

	/** Watches the folders that contain files, and stops watching those that no longer do. */
	#report({ folder, paths }: WatchedPlaces): void {
		const wanted = new Set([folder, ...foldersOf(paths).map((path) => join(folder, path))].slice(0, FOLDERS));
		for (const [path, watcher] of this.#watchers) {
			if (wanted.has(path)) continue;
			watcher.close();
			this.#watchers.delete(path);
		}
		for (const path of wanted) if (!this.#watchers.has(path)) this.#watchFolder(path);
	}

	#watchFolder(path: string): void {
		try {
			const watcher = watch(path, { persistent: false });
			const forget = () => {
				watcher.close();
				if (this.#watchers.get(path) === watcher) this.#watchers.delete(path);
			};
			watcher.on("change", (_kind, name) => {
				// A folder that is moved or deleted reports its own name last. Its watcher would report nothing more, so it is closed.
				if (name === null || basename(path) === name) forget();
				this.#soon(Math.max(SETTLE_MS, this.#toldAt + PAUSE_MS - performance.now()));
			});
			watcher.on("error", forget);
			this.#watchers.set(path, watcher);
		} catch {
			// The folder does not exist, or the system has no more watches: the regular scan finds changes.
			return;
		}
	}
}

function foldersOf(paths: readonly string[]): readonly string[] {
	const folders = new Set<string>();
	for (const path of paths) {
		for (let folder = dirname(path); folder !== "." && !folders.has(folder); folder = dirname(folder)) folders.add(folder);
	}
	return [...folders];
}

/** A string that changes whenever one of the paths gets another file, a new version of its file, a link, or nothing. */
async function markOf({ folder, paths }: WatchedPlaces): Promise<string> {
	const marks: unknown[] = [];
	// "" is the folder itself: while something else is in its place, lstat refuses every path below, as it does if there is nothing.
	for (const path of ["", ...foldersOf(paths)]) {
		const stats = await statOf(join(folder, path));
		marks.push([stats?.dev, stats?.ino, stats?.mode]);
	}
	for (const path of paths) {
		const stats = await statOf(join(folder, path));
		marks.push([stats?.dev, stats?.ino, stats?.mode, stats?.size, stats?.mtimeMs, stats?.ctimeMs]);
	}
	return JSON.stringify(marks);
}

/** Undefined for a path that lstat refuses, because such a file cannot be shown either. */
function statOf(path: string) {
	return lstat(path).catch(() => undefined);
}
