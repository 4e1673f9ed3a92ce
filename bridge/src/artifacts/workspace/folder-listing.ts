import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { lstat, open, opendir } from "node:fs/promises";
import { join } from "node:path";
import { type EditStatus, LISTED_EDITS, type RunEdits } from "@xworkmate/contracts";
import { systemErrorCode } from "@xworkmate/platform/errors";
import { FILE_TIME_STEP_MS, isPresent, READ_FILE } from "@xworkmate/platform/files";
import { BRIDGE_FOLDER } from "./workspace-layout.ts";

/** A folder with more entries is not listed. Files beyond the byte limits are not read, and are compared by size and by when they were written. */
const bounds = { entries: 5_000, fileBytes: 10_000_000, allBytes: 20_000_000 } as const;

const INSTALLED = "node_modules";
/** Folders that are skipped: the bridge's own, a repository's, and `node_modules` with its thousands of files. */
const skipped: ReadonlySet<string> = new Set([BRIDGE_FOLDER, ".git", INSTALLED]);

interface Listed {
	readonly size: number;
	/** A file with the same mark has not been written since. */
	readonly mark: string;
	/** When its content, name, owner or permissions last changed, and when it was made, in milliseconds since the epoch. */
	readonly changedAt: number;
	readonly madeAt: number;
}

/** The files that a folder without a git repository held when a run began there. */
export class FolderListing {
	readonly #directory: string;
	/** Undefined if the folder held too much, or couldn't be read. */
	readonly #files: ReadonlyMap<string, Listed> | undefined;
	readonly #digests: ReadonlyMap<string, string>;
	/** Files that are not listed count as changes if they were changed at or after this time. */
	readonly #since: number;

	private constructor(
		directory: string,
		files: ReadonlyMap<string, Listed> | undefined,
		digests: ReadonlyMap<string, string>,
		since = Number.NEGATIVE_INFINITY,
	) {
		this.#directory = directory;
		this.#files = files;
		this.#digests = digests;
		this.#since = since;
	}

	/** A folder that was empty when it was last checked. What was put there before `since` doesn't count as a change. */
	static ofEmpty(directory: string, since: number): FolderListing {
		return new FolderListing(directory, new Map(), new Map(), since - FILE_TIME_STEP_MS);
	}

	/**
	 * Lists what the folder holds now.
	 * @param directory absolute real path
	 */
	static async of(directory: string): Promise<FolderListing> {
		const files = await filesIn(directory).catch(() => undefined);
		let unread: number = bounds.allBytes;
		const digests = new Map<string, string>();
		// The small files are read first, so that a large one doesn't use up what may be read.
		for (const [path, { size }] of [...(files ?? [])].toSorted(([, one], [, other]) => one.size - other.size)) {
			if (size > bounds.fileBytes || size > unread) continue;
			unread -= size;
			const sha256 = await digestOf(join(directory, path));
			if (sha256 !== undefined) digests.set(path, sha256);
		}
		return new FolderListing(directory, files, digests);
	}

	/**
	 * The files that are known to have changed since, with those that may have, or why that isn't known: the folder is missing or can't be
	 * read. Undefined if there are none, or if the folder holds or held too much.
	 */
	async edits(place: RunEdits["place"]): Promise<RunEdits | undefined> {
		const directory = this.#directory;
		const lost = (unknown: NonNullable<RunEdits["unknown"]>) => ({ place, directory, files: [], total: 0, unknown });
		if ((await whenMade(directory).catch(() => 0)) === undefined) return lost("folder_gone");
		const before = this.#files;
		if (before === undefined) return undefined;
		const now = await filesIn(directory).catch(() => "unreadable" as const);
		if (now === undefined || now === "unreadable") return now && lost(now);
		const changed: RunEdits["files"] = [];
		const unsure: string[] = [];
		for (const path of [...new Set([...before.keys(), ...now.keys()])].toSorted()) {
			const status = await this.#statusOf(path, before.get(path), now.get(path));
			if (status === "unsure") unsure.push(path);
			else if (status !== undefined) changed.push({ path, status });
		}
		if (changed.length === 0 && unsure.length === 0) return undefined;
		const others = unsure.length === 0 ? {} : { unsure: { paths: unsure.slice(0, LISTED_EDITS), total: unsure.length } };
		if (changed.length === 0) return { ...lost("unreadable"), ...others };
		return { place, directory, files: changed.slice(0, LISTED_EDITS), total: changed.length, ...others };
	}

	/**
	 * How a file has changed; undefined if its bytes are unchanged, or if it was put there before `#since`. `unsure`: it was written, has the
	 * same size as before, and was not read before or can't be read now.
	 */
	async #statusOf(path: string, was: Listed | undefined, is: Listed | undefined): Promise<EditStatus | "unsure" | undefined> {
		if (is === undefined) return "deleted";
		if (was === undefined && is.changedAt < this.#since) return undefined;
		if (was === undefined) return is.madeAt < this.#since ? "modified" : "added";
		if (was.mark === is.mark) return undefined;
		if (was.size !== is.size) return "modified";
		const before = this.#digests.get(path);
		const after = before && (await digestOf(join(this.#directory, path)));
		if (before === undefined || after === undefined) return "unsure";
		return before === after ? undefined : "modified";
	}
}

/**
 * When each file below a folder last changed, in milliseconds since the epoch, by its absolute path. Undefined if there are too many files,
 * or if the folder can't be listed. A folder that isn't there has no files, and those of a folder below it that can't be read are left out.
 */
export async function changeTimes(directory: string): Promise<ReadonlyMap<string, number> | undefined> {
	try {
		const found = await filesIn(directory, undefined, true);
		return found && new Map([...found].map(([path, { changedAt }]) => [join(directory, path), changedAt]));
	} catch {
		return (await whenMade(directory).catch(() => 0)) === undefined ? new Map() : undefined;
	}
}

/** True if the folder holds a file that was changed at or after this time, or too many files to tell. */
export async function hasFilesSince(directory: string, time: number): Promise<boolean> {
	const found = await filesIn(directory).catch(() => new Map<string, Listed>());
	return found === undefined || [...found.values()].some(({ changedAt }) => changedAt >= time - FILE_TIME_STEP_MS);
}

/**
 * True if anything below the folder was created, changed, renamed or deleted at or after this time, or if that can't be determined. A
 * deleted file leaves no time of its own, but changes its folder's time. The bridge also changes the folder when it prepares a run, by
 * creating its own folder there, so folders' times count only if they are later than `preparedAt`. Of the skipped folders, only
 * `node_modules` is checked, by its own time: even reading a repository's status writes to the repository, and the bridge writes to its own
 * folder.
 */
export async function mayHaveChangedSince(directory: string, time: number, preparedAt: number): Promise<boolean> {
	const folders: string[] = [];
	try {
		const found = await filesIn(directory, (folder) => folders.push(folder));
		if (found === undefined || [...found.values()].some(({ changedAt }) => changedAt >= time - FILE_TIME_STEP_MS)) return true;
		for (const folder of folders) {
			const { mtimeMs, ctimeMs } = await lstat(join(directory, folder));
			const changedAt = Math.max(mtimeMs, ctimeMs);
			if (changedAt >= time - FILE_TIME_STEP_MS && changedAt > preparedAt) return true;
		}
		return false;
	} catch (error) {
		// If a subfolder was deleted in the meantime, the folder has changed.
		return systemErrorCode(error) !== "ENOENT" || (await isPresent(directory));
	}
}

/** When the bridge created this folder, in milliseconds since the epoch; undefined if it isn't there. */
export async function whenMade(directory: string): Promise<number | undefined> {
	try {
		const { birthtimeMs, ctimeMs } = await lstat(directory);
		// Some file systems don't record when a folder was created.
		return birthtimeMs > 0 ? Math.min(birthtimeMs, ctimeMs) : ctimeMs;
	} catch (error) {
		if (systemErrorCode(error) === "ENOENT") return undefined;
		throw error;
	}
}

/** True if the folder holds nothing but the bridge's own folder. Synchronous, because it decides whether anything has to be waited for. */
export function holdsNothing(directory: string): boolean {
	try {
		return readdirSync(directory).every((name) => name === BRIDGE_FOLDER);
	} catch {
		return false;
	}
}

/**
 * The regular files below a folder, by their paths relative to it; undefined if there are too many. Follows no link. `onFolder`: called for
 * the folder itself and each folder below it, including a skipped `node_modules`. `skipsUnreadable`: leaves out folders below it that can't
 * be read.
 */
async function filesIn(
	directory: string,
	onFolder: (path: string) => void = () => undefined,
	skipsUnreadable = false,
): Promise<ReadonlyMap<string, Listed> | undefined> {
	const files = new Map<string, Listed>();
	const folders = [""];
	onFolder("");
	let entries = 0;
	for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
		const opened = opendir(join(directory, folder));
		const entriesIn = await (skipsUnreadable && folder !== "" ? opened.catch(() => []) : opened);
		for await (const entry of entriesIn) {
			entries += 1;
			if (entries > bounds.entries) return undefined;
			const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
			if (entry.isDirectory() && (entry.name === INSTALLED || !skipped.has(entry.name))) onFolder(path);
			if (skipped.has(entry.name)) continue;
			if (entry.isDirectory()) folders.push(path);
			const listed = entry.isFile() ? await listedAt(join(directory, path)) : undefined;
			if (listed !== undefined) files.set(path, listed);
		}
	}
	return files;
}

async function listedAt(path: string): Promise<Listed | undefined> {
	// A file may be deleted while its folder is read.
	const found = await lstat(path).catch(() => undefined);
	if (found?.isFile() !== true) return undefined;
	const { size, ino, mtimeMs, ctimeMs, birthtimeMs: madeAt } = found;
	return { size, mark: `${ino} ${mtimeMs} ${ctimeMs}`, changedAt: Math.max(mtimeMs, ctimeMs), madeAt };
}

/** Undefined if the file is not a regular file, is too large to be read, or can't be read. */
async function digestOf(path: string): Promise<string | undefined> {
	try {
		await using file = await open(path, READ_FILE);
		const found = await file.stat();
		if (!found.isFile() || found.size > bounds.fileBytes) return undefined;
		return createHash("sha256")
			.update(await file.readFile())
			.digest("hex");
	} catch {
		return undefined;
	}
}
