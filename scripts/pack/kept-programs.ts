import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { folderOf } from "../programs.mjs";
import { repositoryRoot } from "../repository.ts";
import { hashOfSources } from "./program-sources.ts";

const run = promisify(execFile);

const KEPT = join(repositoryRoot, ".cache", "programs");
const BUILD_MS = 180_000;
/** A build that nothing was started from for so long is not needed any more. */
const KEPT_MS = 24 * 60 * 60_000;
/** A folder of programs, or what is left of one. */
const FOLDER = /^[0-9a-f]{16}(?:\.|$)/;
const MAX_PROCESSES_BYTES = 64 * 1024 * 1024;

/** Programs of the sources as they are now: built, or kept from an earlier time that had the same. */
export interface KeptPrograms {
	readonly folder: string;
	/** Of the contents of the sources. */
	readonly hash: string;
}

/**
 * @throws the error of the build, which also fails if the sources change during it; the signal's reason if that aborts. Neither leaves any
 * files behind.
 */
export async function keepPrograms(signal?: AbortSignal): Promise<KeptPrograms> {
	const hash = await hashOfSources(repositoryRoot);
	const folder = folderOf(repositoryRoot, hash);
	if (!existsSync(folder)) await build(folder, hash, signal);
	await utimes(folder, new Date(), new Date());
	await removeUnused();
	return { folder, hash };
}

/** Builds in a folder of its own and renames it when it is complete, because another process may be building the same programs. */
async function build(folder: string, hash: string, signal: AbortSignal | undefined): Promise<void> {
	signal?.throwIfAborted();
	const fresh = `${folder}.${process.pid}`;
	await mkdir(fresh, { recursive: true });
	try {
		const builder = fileURLToPath(new URL("build-for-checkout.ts", import.meta.url));
		const building = run(process.execPath, [builder, fresh], { timeout: BUILD_MS });
		const end = () => building.child.kill("SIGKILL");
		signal?.addEventListener("abort", end);
		// No event follows if the signal was aborted while the folder was made.
		if (signal?.aborted) end();
		// Settles once the process has ended, which then writes nothing more into the folder that is removed.
		await building
			.finally(() => signal?.removeEventListener("abort", end))
			.catch((error: unknown) => {
				signal?.throwIfAborted();
				throw error;
			});
		if ((await hashOfSources(repositoryRoot)) !== hash) throw new Error("the sources changed while the programs were built from them");
		await rename(fresh, folder).catch((error: unknown) => {
			if (!existsSync(folder)) throw error;
		});
	} finally {
		await rm(fresh, { recursive: true, force: true });
	}
}

/** A process loads some of its programs late, so those of a running one stay, however old. */
async function removeUnused(): Promise<void> {
	const old: string[] = [];
	for (const name of await readdir(KEPT)) {
		const used = FOLDER.test(name) ? await stat(join(KEPT, name)).catch(() => undefined) : undefined;
		if (used !== undefined && Date.now() - used.mtimeMs > KEPT_MS) old.push(join(KEPT, name));
	}
	if (old.length === 0) return;
	// Where processes can't be listed, nothing is removed.
	const running = await run("ps", ["-A", "-ww", "-o", "args="], { maxBuffer: MAX_PROCESSES_BYTES }).catch(() => undefined);
	for (const folder of old) if (running?.stdout.includes(folder) === false) await rm(folder, { recursive: true, force: true });
}
