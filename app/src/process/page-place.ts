import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ifAbsent, systemErrorCode } from "@xworkmate/platform/errors";

/** The file in a page's folder that says which sources the page was built from. It is written last, so a folder with it is complete. */
export const STAMP = ".built-from";

/** The stamp of the page in a folder; empty if there is no complete page. */
export async function stampIn(folder: string): Promise<string> {
	return await readFile(join(folder, STAMP), "utf8").catch(() => "");
}

/** The folder beside the page in which this process builds a new one. */
export function freshPage(page: string): string {
	return `${page}.${process.pid}`;
}

/** Replaces the page with a new one. A process that is killed between the two renames leaves both folders beside the page's path. */
export async function takePlace(fresh: string, page: string): Promise<void> {
	const old = `${fresh}.old`;
	await mkdir(dirname(page), { recursive: true });
	await rename(page, old).catch(ifAbsent);
	await put(fresh, page);
	await rm(old, { recursive: true, force: true });
}

/** Finishes what killed processes left beside the page: puts a complete page in its place if there is none, and removes the rest. */
export async function recoverPage(page: string, stamp: string): Promise<void> {
	const left = await leftovers(page);
	if (!existsSync(page)) {
		const complete = await Promise.all(left.map(async (folder) => ({ folder, built: await stampIn(folder) })));
		const best = complete.find(({ built }) => built === stamp) ?? complete.find(({ built }) => built !== "");
		if (best !== undefined) await put(best.folder, page).catch(ifAbsent);
	}
	for (const folder of left) await rm(folder, { recursive: true, force: true });
}

/**
 * Moves a page into place, unless another start was faster. The page of that start is from the same sources, or the next start replaces it.
 */
async function put(folder: string, page: string): Promise<void> {
	try {
		await rename(folder, page);
	} catch (error) {
		if (!["ENOTEMPTY", "EEXIST"].includes(systemErrorCode(error) ?? "")) throw error;
	}
}

/**
 * The folders of processes that no longer run. A folder with this process's ID is from an earlier process, because this process recovers
 * the page before it builds one. In a container, each start often gets the same ID.
 */
async function leftovers(page: string): Promise<readonly string[]> {
	const names = await readdir(dirname(page)).catch(() => []);
	return names
		.filter((name) => {
			const [, pid] = /^\.(\d+)(?:\.old)?$/.exec(name.startsWith(basename(page)) ? name.slice(basename(page).length) : "") ?? [];
			return pid !== undefined && (Number(pid) === process.pid || !isRunning(Number(pid)));
		})
		.map((name) => join(dirname(page), name));
}

function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return systemErrorCode(error) === "EPERM";
	}
}
