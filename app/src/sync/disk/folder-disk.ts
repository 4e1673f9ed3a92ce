import { join } from "node:path";
import type { DiskOperations } from "./disk-operations.ts";
import { publishFile } from "./publish-file.ts";
import { StagedFile, stageWhole } from "./staged-file.ts";
import type { Batch, BatchResult, FileResult, PublishResult, Segment, SyncDisk, SyncPlace, WantedFile } from "./sync-disk.ts";
import { FileProblem, fileProblem } from "./sync-problem.ts";
import { ensureFolders, readPlainFile, refuseFile } from "./thread-disk.ts";

const stagingFolder = [".xworkmate", "staging"];

/**
 * Stages and publishes files in one thread's folder, synchronously. Staged files are named by number, and are on the same file system as
 * the target, so that publishing a file is a rename.
 */
export class FolderDisk implements SyncDisk {
	readonly #disk: DiskOperations;
	readonly #place: SyncPlace;
	readonly #open = new Map<number, StagedFile>();
	readonly #staged = new Set<number>();
	#wanted: readonly WantedFile[] = [];
	#staging = "";
	#full = false;

	constructor(disk: DiskOperations, place: SyncPlace) {
		this.#disk = disk;
		this.#place = place;
	}

	begin(wanted: readonly WantedFile[]): PublishResult {
		const { folder, runId } = this.#place;
		this.#wanted = wanted;
		try {
			this.#disk.removeTree(ensureFolders(this.#disk, folder, stagingFolder, refuseFile));
			this.#staging = ensureFolders(this.#disk, folder, [...stagingFolder, runId], refuseFile);
		} catch (error) {
			// Nothing can be staged, for example on a read-only disk, but files from an earlier sync may be in the folder.
			const { published } = this.#eachFile(wanted.keys(), (file) => this.#isThere(file));
			const lacking = [...wanted.keys()].filter((file) => !published.includes(file));
			return { published, problems: lacking.map((file) => this.#result(file, error)) };
		}
		return this.#eachFile(wanted.keys(), (file) => this.#isThere(file));
	}

	write({ bytes, segments }: Batch): BatchResult {
		const staged: number[] = [];
		const problems: FileResult[] = [];
		for (const segment of segments) {
			try {
				if (this.#stage(segment, bytes.subarray(segment.start, segment.end))) staged.push(segment.file);
			} catch (error) {
				this.#drop(segment.file);
				problems.push(this.#result(segment.file, error));
			}
		}
		return { bytes, staged, problems };
	}

	publish(): PublishResult {
		const staged = [...this.#staged].sort((a, b) => a - b);
		try {
			this.#disk.flush(staged.map((file) => this.#stagedPath(file)));
		} catch (error) {
			// Files whose bytes are not on stable storage are not published.
			return { published: [], problems: staged.map((file) => this.#result(file, error)) };
		}
		const touched = new Set<string>();
		const result = this.#eachFile(staged, (file) => {
			publishFile(this.#disk, { ...this.#place, wanted: this.#at(file), staged: this.#stagedPath(file), touched });
			this.#staged.delete(file);
			return true;
		});
		this.#disk.flush([...touched]);
		return result;
	}

	/** Closes open files and removes the staging area, and `.xworkmate` too if it is then empty. */
	discard(): void {
		for (const file of this.#open.keys()) this.#drop(file);
		if (this.#staging === "") return;
		const { folder } = this.#place;
		try {
			this.#disk.removeTree(ensureFolders(this.#disk, folder, stagingFolder, refuseFile));
			this.#disk.removeEmpty(join(folder, ".xworkmate"));
		} catch (error) {
			// The app did not create what is in the staging area's place, so it is left there.
			if (!(error instanceof FileProblem)) throw error;
		}
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.discard();
	}

	/** Returns true if this segment completed the file. */
	#stage({ file, first, last }: Segment, bytes: Uint8Array): boolean {
		if (first && this.#open.has(file)) this.#drop(file);
		if (first && this.#full) throw new FileProblem("DISK_FULL", "the disk was full");
		if (first && last) {
			stageWhole(this.#disk, this.#stagedPath(file), this.#at(file), bytes);
		} else {
			if (first) this.#open.set(file, new StagedFile(this.#disk, this.#stagedPath(file), this.#at(file)));
			const under = this.#open.get(file);
			// An earlier segment of the file failed, which has been reported; the rest is dropped.
			if (under === undefined) return false;
			under.append(bytes);
			if (!last) return false;
			under.close();
			this.#open.delete(file);
			under.verify();
		}
		this.#staged.add(file);
		return true;
	}

	/** Removes the part of a file that was staged. */
	#drop(file: number): void {
		this.#open.get(file)?.close();
		this.#open.delete(file);
		this.#staged.delete(file);
		const path = this.#stagedPath(file);
		if (this.#disk.lstat(path) !== undefined) this.#disk.unlink(path);
	}

	#isThere(file: number): boolean {
		const { relativePath, sizeBytes, sha256 } = this.#at(file);
		const problem = this.#disk.nameProblem(relativePath);
		if (problem !== undefined) throw new FileProblem("NAME_REFUSED", problem);
		const found = readPlainFile(this.#disk, this.#place.folder, relativePath.split("/"), sizeBytes);
		return found?.sha256 === sha256;
	}

	#eachFile(files: Iterable<number>, act: (file: number) => boolean): PublishResult {
		const published: number[] = [];
		const problems: FileResult[] = [];
		for (const file of files) {
			try {
				if (act(file)) published.push(file);
			} catch (error) {
				problems.push(this.#result(file, error));
			}
		}
		return { published, problems };
	}

	#result(file: number, error: unknown): FileResult {
		const { code, message } = fileProblem(error);
		if (code === "DISK_FULL") this.#full = true;
		return { file, problem: { code, message, path: this.#at(file).relativePath } };
	}

	#at(file: number): WantedFile {
		const wanted = this.#wanted[file];
		if (wanted === undefined) throw new RangeError(`no file ${file} was announced`);
		return wanted;
	}

	#stagedPath(file: number): string {
		return join(this.#staging, String(file));
	}
}
