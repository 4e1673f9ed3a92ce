import { createHash } from "node:crypto";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { copyFile, lstat, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ifAbsent } from "@xworkmate/platform/errors";
import type { Repository } from "./find-repository.ts";
import type { GitSettings } from "./git-bounds.ts";
import { GitError } from "./git-error.ts";
import { ignorePatterns } from "./ignore-patterns.ts";
import { type GitAnswer, type GitCall, runGit } from "./run-git.ts";

/** The mode and the object id of a path in a tree. */
export interface TreeEntry {
	readonly mode: string;
	readonly id: string;
}

export interface OwnCall extends Partial<Pick<GitCall, "input" | "timeMs" | "outputBytes" | "cuts" | "accepts" | "environment">> {
	readonly args: readonly string[];
	readonly workTree?: string;
	/** The index to work with. If absent, the index that tracks the work tree is used. */
	readonly index?: string;
}

const MAX_CONFIG_BYTES = 1024 * 1024;
const MAX_INDEX_BYTES = 256 * 2 ** 20;

/**
 * The bridge's own repository, for inspecting the files of another one. Its configuration is the bridge's, so git never reads the other
 * repository's. Calls read the other repository's objects, and write to this one's folder unless they name another index or object folder.
 */
export class OwnRepository {
	readonly bounds: GitSettings;
	/** The repository's folder, which is inside the home. */
	readonly folder: string;
	readonly #format: string;
	#patterns = "";

	private constructor(folder: string, format: string, bounds: GitSettings) {
		this.folder = folder;
		this.#format = format;
		this.bounds = bounds;
	}

	/**
	 * Opens the repository, and creates it if it does not exist.
	 * @throws GitError
	 */
	static async open(folder: string, source: Repository, bounds: GitSettings): Promise<OwnRepository> {
		const format = await objectFormat(source.common);
		const own = new OwnRepository(folder, format, bounds);
		if (!existsSync(join(folder, "objects", "info", "alternates"))) await own.#make(source);
		else await own.#mend(source);
		await own.#takePatterns(source);
		rmSync(join(folder, "index.lock"), { force: true });
		return own;
	}

	get index(): string {
		return join(this.folder, "index");
	}

	/** A value that changes with the patterns by which the user's git ignores files, apart from those in `.gitignore` files. */
	get patterns(): string {
		return this.#patterns;
	}

	/** True if this repository has the object itself, and not only through the other repository. */
	holds(id: string): boolean {
		return existsSync(join(this.folder, "objects", id.slice(0, 2), id.slice(2)));
	}

	/** The id of the empty tree. */
	get emptyTree(): string {
		return this.#format === "sha256"
			? "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"
			: "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
	}

	get noObject(): string {
		return "0".repeat(this.#format === "sha256" ? 64 : 40);
	}

	async run({ args, workTree, index, environment, ...call }: OwnCall): Promise<GitAnswer> {
		return await runGit({
			searchPath: this.bounds.searchPath,
			timeMs: this.bounds.callMs,
			outputBytes: this.bounds.outputBytes,
			...call,
			args: ["-c", "core.bare=false", "-c", "core.quotePath=false", ...args],
			folder: workTree ?? this.folder,
			environment: {
				GIT_DIR: this.folder,
				GIT_INDEX_FILE: index ?? this.index,
				...(workTree !== undefined && { GIT_WORK_TREE: workTree }),
				...environment,
			},
		});
	}

	/** The output of a call that prints one line. */
	async line(call: OwnCall): Promise<string> {
		return (await this.run(call)).output.toString("utf8").trim();
	}

	/** Calls `work` with a temporary index, which is removed afterwards. */
	async withIndex<T>(work: (index: string) => Promise<T>): Promise<T> {
		const index = join(this.folder, `index-${crypto.randomUUID()}`);
		try {
			return await work(index);
		} finally {
			rmSync(index, { force: true });
			rmSync(`${index}.lock`, { force: true });
		}
	}

	/** Returns the id of a tree that differs from `tree` in these paths; a path without an entry is removed. */
	async treeWith(tree: string, changes: readonly { readonly path: string; readonly entry: TreeEntry | undefined }[]): Promise<string> {
		return await this.withIndex(async (index) => {
			await this.run({ args: ["read-tree", tree], index });
			await this.run({ args: ["update-index", "-z", "--index-info"], index, input: this.indexInfo(changes) });
			return await this.line({ args: ["write-tree"], index });
		});
	}

	/** The input of `update-index --index-info`. Removals come first, so that a file can take the place of a folder. */
	indexInfo(changes: readonly { readonly path: string; readonly entry: TreeEntry | undefined }[]): Buffer {
		const removed = changes.map(({ path }) => `0 ${this.noObject}\t${path}\0`);
		const added = changes.flatMap(({ path, entry }) => (entry === undefined ? [] : [`${entry.mode} ${entry.id}\t${path}\0`]));
		return Buffer.from([...removed, ...added].join(""), "latin1");
	}

	async #make(source: Repository): Promise<void> {
		rmSync(this.folder, { recursive: true, force: true });
		mkdirSync(this.folder, { recursive: true, mode: 0o700 });
		const args = ["init", "--quiet", "--bare", "--template=", `--object-format=${this.#format}`, this.folder];
		const { callMs: timeMs, outputBytes, searchPath } = this.bounds;
		await runGit({ args, folder: this.folder, timeMs, outputBytes, searchPath });
		await this.#takeIndex(join(source.gitDirectory, "index"));
		mkdirSync(join(this.folder, "objects", "info"), { recursive: true });
		// Written last, because it marks the rest as complete.
		await writeFile(join(this.folder, "objects", "info", "alternates"), `${join(source.common, "objects")}\n`);
	}

	/**
	 * Creates folders and an index that a copy of the repository may lack. Earlier backups left out empty folders, and git does not recognize
	 * a repository without them.
	 */
	async #mend({ gitDirectory }: Repository): Promise<void> {
		for (const name of ["refs", join("objects", "pack")]) mkdirSync(join(this.folder, name), { recursive: true });
		// Without an index, files that are both tracked and ignored would seem deleted.
		if (!existsSync(this.index)) await this.#takeIndex(join(gitDirectory, "index"));
	}

	/** Takes the patterns as they are now: the user may change them at any time. */
	async #takePatterns(source: Repository): Promise<void> {
		const patterns = await ignorePatterns(source, this.bounds, this.folder);
		this.#patterns = createHash("sha256").update(patterns).digest("hex");
		mkdirSync(join(this.folder, "info"), { recursive: true });
		// The bridge's own files come last, so that no pattern of the user's includes them.
		await writeFile(join(this.folder, "info", "exclude"), Buffer.concat([patterns, Buffer.from(".xworkmate/\n")]));
	}

	/** Copies git's own index, so that git does not have to read every file. */
	async #takeIndex(from: string): Promise<void> {
		const found = await lstat(from).catch(ifAbsent);
		if (found === undefined || !found.isFile() || found.size > MAX_INDEX_BYTES) return;
		await copyFile(from, this.index);
		// git reads a file again unless the index is newer than the file. If the copy appeared newer than the original, git could miss a change
		// made right after the original was written.
		await utimes(this.index, Math.floor(found.mtimeMs / 1000), Math.floor(found.mtimeMs / 1000));
	}
}

/** The hash algorithm of object ids, from the one line of the configuration that sets it; sha1 if no line does. */
async function objectFormat(common: string): Promise<string> {
	const path = join(common, "config");
	const found = await stat(path).catch(ifAbsent);
	if (found === undefined || !found.isFile()) return "sha1";
	if (found.size > MAX_CONFIG_BYTES) throw new GitError("large", `${path} is over 1 MB`);
	const lines = (await readFile(path, "utf8")).split("\n").map((line) => line.replaceAll(/[ \t\r]/g, "").toLowerCase());
	return lines.includes("objectformat=sha256") ? "sha256" : "sha1";
}
