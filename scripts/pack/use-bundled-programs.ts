import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { repositoryRoot } from "../repository.ts";
import { hashOfSources } from "./program-sources.ts";

const BUILT = join(repositoryRoot, ".cache", "programs");
const BUILD_MS = 180_000;
/** A build that was not used for so long is no test run's any more. */
const KEPT_MS = 24 * 60 * 60_000;

/**
 * Lets end-to-end tests start bundled programs instead of the sources, which takes half the processor time. They are built from the
 * sources as they are now, or kept from an earlier run that had the same.
 *
 * With `XWORKMATE_TEST_PROGRAMS=sources` they start the sources, as mutants do: a patch would not be in the bundle.
 */
export default async function useBundledPrograms(): Promise<void> {
	if (process.env.XWORKMATE_TEST_PROGRAMS === "sources") return;
	process.env.XWORKMATE_TEST_PACKAGE ??= await bundledPrograms();
}

/** The folder of the programs of these sources. */
async function bundledPrograms(): Promise<string> {
	const folder = join(BUILT, (await hashOfSources(repositoryRoot)).slice(0, 16));
	if (!existsSync(folder)) await build(folder);
	await utimes(folder, new Date(), new Date());
	await removeUnused();
	return folder;
}

/** It is put in its place once it is whole: another run may be building the same. */
async function build(folder: string): Promise<void> {
	const fresh = `${folder}.${process.pid}`;
	await mkdir(fresh, { recursive: true });
	try {
		const builder = fileURLToPath(new URL("build-for-tests.ts", import.meta.url));
		await promisify(execFile)(process.execPath, [builder, fresh], { timeout: BUILD_MS });
		await rename(fresh, folder).catch((error: unknown) => {
			if (!existsSync(folder)) throw error;
		});
	} finally {
		await rm(fresh, { recursive: true, force: true });
	}
}

async function removeUnused(): Promise<void> {
	for (const name of await readdir(BUILT)) {
		const path = join(BUILT, name);
		const used = await stat(path).catch(() => undefined);
		if (used !== undefined && Date.now() - used.mtimeMs > KEPT_MS) await rm(path, { recursive: true, force: true });
	}
}
