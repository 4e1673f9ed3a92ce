import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { OpenClawArtifact } from "@xworkmate/contracts";
import { ifAbsent } from "@xworkmate/platform/errors";

/**
 * The folder beside a run's artifact directory where its files arrive. It keeps what an earlier attempt downloaded. Until the delivery is
 * complete, the artifact directory is empty, so it never contains part of a delivery.
 */
export class StagingFolder {
	readonly #artifactDirectory: string;
	readonly #directory: string;
	/** Folders that are known to exist. */
	readonly #made = new Set<string>();

	private constructor(artifactDirectory: string) {
		this.#artifactDirectory = artifactDirectory;
		// Cannot collide with a run's folder, because run ids contain no dot.
		this.#directory = `${artifactDirectory}.arriving`;
	}

	/** Opens the folder, with what an earlier attempt left in it, even a complete delivery. */
	static async open(artifactDirectory: string): Promise<StagingFolder> {
		const stage = new StagingFolder(artifactDirectory);
		if (!(await isDirectory(stage.#directory)) && (await isDirectory(artifactDirectory))) await rename(artifactDirectory, stage.#directory);
		await mkdir(stage.#directory, { recursive: true, mode: 0o700 });
		await mkdir(artifactDirectory, { recursive: true, mode: 0o700 });
		return stage;
	}

	/** Where a file of the delivery belongs. `relativePath` is an ArtifactPath. */
	path(relativePath: string): string {
		return join(this.#directory, relativePath);
	}

	/** Writes a complete file to its place. */
	async write(relativePath: string, bytes: Buffer): Promise<void> {
		const path = this.path(relativePath);
		const folder = dirname(path);
		if (!this.#made.has(folder)) await mkdir(folder, { recursive: true, mode: 0o700 });
		this.#made.add(folder);
		await using file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW, 0o600);
		await file.writeFile(bytes);
	}

	/** Removes everything that is not part of the delivery: files with other names, and anything but files and folders. */
	async keepOnly(items: readonly OpenClawArtifact[]): Promise<void> {
		const files = new Set(items.map(({ relativePath }) => relativePath));
		const folders = new Set(items.flatMap(({ relativePath }) => parentsOf(relativePath)));
		await this.#prune("", files, folders);
	}

	/** Replaces the artifact directory with the complete delivery. */
	async publish(): Promise<void> {
		await rm(this.#artifactDirectory, { recursive: true, force: true });
		await rename(this.#directory, this.#artifactDirectory);
	}

	async #prune(folder: string, files: ReadonlySet<string>, folders: ReadonlySet<string>): Promise<void> {
		for (const entry of await readdir(join(this.#directory, folder), { withFileTypes: true })) {
			const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
			if (entry.isDirectory() && folders.has(path)) await this.#prune(path, files, folders);
			else if (!entry.isFile() || !files.has(path)) await rm(join(this.#directory, path), { recursive: true, force: true });
		}
	}
}

function parentsOf(path: string): string[] {
	const segments = path.split("/").slice(0, -1);
	return segments.map((_segment, index) => segments.slice(0, index + 1).join("/"));
}

async function isDirectory(path: string): Promise<boolean> {
	return (await lstat(path).catch(ifAbsent))?.isDirectory() ?? false;
}
