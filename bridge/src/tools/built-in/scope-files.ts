import { randomUUID } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { lstat, mkdir, mkdtemp, open, readdir, realpath, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { artifactPathProblem, caseFold, compareBytes, type RejectionReason } from "@xworkmate/contracts";
import { isDiskFullCode, systemErrorCode } from "@xworkmate/platform/errors";
import { ToolRefusal } from "../define-tool.ts";

const RESERVED = ".xworkmate";
const MAX_LISTED = 100_000;
/** How many file and folder names one program may use in its writes. They are kept in memory. */
const MAX_NAMES = 100_000;
const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

export type ScopeFileCode =
	| "PATH_UNSAFE"
	| "PATH_RESERVED"
	| "NAME_COLLISION"
	| "OUTSIDE_SCOPE"
	| "NOT_FOUND"
	| "NOT_A_FILE"
	| "TOO_LARGE"
	| "TOO_MANY"
	| "NOT_TEXT"
	| "STOPPED"
	| "DISK_FULL"
	| "IO_ERROR";

/** Why a file of the scope was not written, read or listed. Never contains a path of this machine. */
export class ScopeFileError extends ToolRefusal {
	override readonly name = "ScopeFileError";
	declare readonly code: ScopeFileCode;
	/** The reason that the list of rejected artifacts gives for the refused write. */
	readonly reason: RejectionReason;

	constructor(code: ScopeFileCode, message: string, reason: RejectionReason = "write_refused") {
		super(code, message);
		this.reason = reason;
	}
}

export interface ScopeFile {
	readonly path: string;
	readonly sizeBytes: number;
}

/**
 * The files of one run's artifact directory, for an untrusted program. Unsafe paths are refused, never corrected; no symbolic link is
 * followed; files are written atomically.
 */
export class ScopeFiles {
	readonly #root: string;
	/** Every name that a write uses or has used, including folders, by its case-folded form. `uses` counts these writes. */
	readonly #names = new Map<string, { readonly name: string; uses: number }>();
	#staging: Promise<string> | undefined;

	private constructor(root: string) {
		this.#root = root;
	}

	/** @param artifactDirectory absolute path of an existing directory */
	static async open(artifactDirectory: string): Promise<ScopeFiles> {
		return new ScopeFiles(await realpath(artifactDirectory));
	}

	/**
	 * Writes a file.
	 * @throws ScopeFileError; the scope is then unchanged, except for new folders
	 */
	async write(path: string, content: Uint8Array, signal: AbortSignal): Promise<ScopeFile> {
		this.#check(path);
		this.#claim(namesIn(path));
		const target = join(this.#root, path);
		/** The names to give back if the write fails. */
		let unused = namesIn(path);
		return failing(async () => {
			let staged: string | undefined;
			try {
				staged = join(await this.#stagingFolder(), randomUUID());
				await store(staged, content, signal);
				// Folders are created from here on and remain, so only the file's name is given back.
				unused = [path];
				await this.#ensureFolders(path);
				await this.#expectReplaceable(target);
				signal.throwIfAborted();
				await rename(staged, target);
			} catch (error) {
				this.#release(unused);
				if (staged !== undefined) await rm(staged, { force: true });
				throw signal.aborted ? new ScopeFileError("STOPPED", "the run was stopped before the file was written") : error;
			}
			return { path, sizeBytes: content.length };
		});
	}

	/**
	 * Reads UTF-8 text of at most `maxBytes`.
	 * @throws ScopeFileError
	 */
	async read(path: string, maxBytes: number): Promise<{ path: string; text: string; sizeBytes: number }> {
		this.#check(path);
		return failing(async () => {
			await this.#expectInside(dirname(join(this.#root, path)));
			await using file = await open(join(this.#root, path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
			const stats = await file.stat();
			if (!stats.isFile() || stats.nlink > 1)
				throw new ScopeFileError("NOT_A_FILE", "this is not a regular file, or it has more than one hard link");
			if (stats.size > maxBytes)
				throw new ScopeFileError("TOO_LARGE", `the file has ${count(stats.size)} bytes, but at most ${count(maxBytes)} can be read`);
			const buffer = Buffer.alloc(Math.min(stats.size, maxBytes));
			const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
			return { path, text: decoded(buffer.subarray(0, bytesRead)), sizeBytes: bytesRead };
		});
	}

	/**
	 * Lists every regular file, in byte order of the paths. Symbolic links, special files and unsafe paths are left out.
	 * @throws ScopeFileError
	 */
	async list(): Promise<ScopeFile[]> {
		return failing(async () => {
			const files: ScopeFile[] = [];
			const folders = [""];
			for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
				await this.#expectInside(join(this.#root, folder));
				for (const entry of await readdir(join(this.#root, folder), { withFileTypes: true })) {
					const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
					if (artifactPathProblem(path) !== undefined) continue;
					if (entry.isDirectory()) folders.push(path);
					if (entry.isFile()) files.push({ path, sizeBytes: (await lstat(join(this.#root, path))).size });
					if (files.length > MAX_LISTED) throw new ScopeFileError("TOO_LARGE", `there are more than ${count(MAX_LISTED)} files`);
				}
			}
			return files.sort((left, right) => compareBytes(left.path, right.path));
		});
	}

	/** Removes the staging folder, with anything that unfinished writes left in it. */
	async close(): Promise<void> {
		if (this.#staging === undefined) return;
		const staging = await this.#staging.catch(() => undefined); // The write that requested the folder has received the error.
		if (staging === undefined) return;
		await rm(staging, { recursive: true, force: true });
		await rmdir(dirname(staging)).catch((error: unknown) => {
			if (systemErrorCode(error) !== "ENOTEMPTY" && systemErrorCode(error) !== "ENOENT") throw error;
		});
	}

	#check(path: string): void {
		const problem = artifactPathProblem(path);
		if (problem === "reserved_name") throw new ScopeFileError("PATH_RESERVED", "this name is reserved", problem);
		if (problem !== undefined) throw new ScopeFileError("PATH_UNSAFE", "this is not a safe relative path", problem);
	}

	/** Refuses a name that some disks treat as equal to a different name that another write uses or has used. */
	#claim(names: readonly string[]): void {
		for (const name of names) {
			const taken = this.#names.get(caseFold(name))?.name ?? name;
			if (taken !== name)
				throw new ScopeFileError("NAME_COLLISION", `this name differs from "${taken}" only in case or Unicode form`, "name_collision");
		}
		const added = names.filter((name) => !this.#names.has(caseFold(name))).length;
		if (added > 0 && this.#names.size + added > MAX_NAMES)
			throw new ScopeFileError("TOO_MANY", `the program can't use more than ${count(MAX_NAMES)} file and folder names`, "too_many");
		for (const name of names) {
			const key = caseFold(name);
			this.#names.set(key, { name, uses: (this.#names.get(key)?.uses ?? 0) + 1 });
		}
	}

	/** Gives back the names of a write that failed. */
	#release(names: readonly string[]): void {
		for (const name of names) {
			const key = caseFold(name);
			const taken = this.#names.get(key);
			if (taken !== undefined && taken.uses > 1) taken.uses -= 1;
			else this.#names.delete(key);
		}
	}

	/** The staging folder, created with the first write. If that fails, the next write tries again. */
	async #stagingFolder(): Promise<string> {
		this.#staging ??= this.#makeStaging();
		try {
			return await this.#staging;
		} catch (error) {
			this.#staging = undefined;
			throw error;
		}
	}

	/**
	 * Creates the staging folder. It is in the scope, so that a rename stays on one disk, and has a reserved name, so that nothing in it can
	 * become an artifact.
	 */
	async #makeStaging(): Promise<string> {
		const reserved = join(this.#root, RESERVED);
		await makeFolder(reserved);
		await this.#expectInside(reserved);
		return mkdtemp(join(reserved, "staging-"));
	}

	async #ensureFolders(path: string): Promise<void> {
		const parent = dirname(join(this.#root, path));
		try {
			await this.#expectInside(parent);
		} catch (error) {
			if (systemErrorCode(error) !== "ENOENT") throw error;
			let folder = this.#root;
			for (const segment of path.split("/").slice(0, -1)) {
				folder = join(folder, segment);
				await makeFolder(folder);
			}
			await this.#expectInside(parent);
		}
	}

	/** Checks that a folder's path equals its real path, so no part of it is a symbolic link. */
	async #expectInside(folder: string): Promise<void> {
		if ((await realpath(folder)) !== join(folder)) throw new ScopeFileError("OUTSIDE_SCOPE", "a folder in this path is a symbolic link");
	}

	async #expectReplaceable(target: string): Promise<void> {
		const stats = await existing(target);
		if (stats !== undefined && !stats.isFile())
			throw new ScopeFileError("NOT_A_FILE", "this name is already taken by something that is not a regular file");
	}
}

/** The path, and every folder in it. */
function namesIn(path: string): readonly string[] {
	return path.split("/").map((_, index, segments) => segments.slice(0, index + 1).join("/"));
}

async function store(path: string, content: Uint8Array, signal: AbortSignal): Promise<void> {
	await using file = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o644);
	await file.writeFile(content, { signal });
}

async function makeFolder(folder: string): Promise<void> {
	try {
		await mkdir(folder);
	} catch (error) {
		if (systemErrorCode(error) !== "EEXIST") throw error;
		if (!(await lstat(folder)).isDirectory()) throw new ScopeFileError("OUTSIDE_SCOPE", "a part of this path is not a folder");
	}
}

async function existing(path: string): Promise<Stats | undefined> {
	try {
		return await lstat(path);
	} catch (error) {
		if (systemErrorCode(error) === "ENOENT") return undefined;
		throw error;
	}
}

function count(number: number): string {
	return number.toLocaleString("en");
}

function decoded(bytes: Uint8Array): string {
	try {
		return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
	} catch {
		throw new ScopeFileError("NOT_TEXT", "the file is not UTF-8 text");
	}
}

async function failing<T>(work: () => Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		if (error instanceof ScopeFileError) throw error;
		const code = systemErrorCode(error);
		if (code === "ENOENT") throw new ScopeFileError("NOT_FOUND", "there is no such file");
		if (code === "ELOOP") throw new ScopeFileError("OUTSIDE_SCOPE", "this is a symbolic link");
		if (code === "ENOTDIR") throw new ScopeFileError("OUTSIDE_SCOPE", "a part of this path is a file, not a folder");
		if (code === undefined) throw error;
		if (isDiskFullCode(code)) throw new ScopeFileError("DISK_FULL", "the disk is full");
		throw new ScopeFileError("IO_ERROR", `the operating system reported ${code}`);
	}
}
