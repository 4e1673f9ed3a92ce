import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { systemErrorCode } from "../errors/system-error.ts";

export interface CountedFiles {
	readonly files: number;
	/** True if counting stopped at the limit. */
	readonly isMore: boolean;
}

/**
 * How many files a folder has, including those in its subfolders. Links count, but are not followed. A folder that cannot be read counts as
 * empty, as does a subfolder that disappears during the count.
 * @param most where counting stops
 * @returns undefined if there is no such folder
 */
export async function countFiles(folder: string, most: number): Promise<CountedFiles | undefined> {
	const first = await entriesOf(folder);
	if (first === undefined) return undefined;
	let files = 0;
	const open = [{ folder, entries: first }];
	for (let next = open.pop(); next !== undefined; next = open.pop()) {
		for (const entry of next.entries) {
			if (!entry.isDirectory()) files += 1;
			if (files > most) return { files: most, isMore: true };
			if (!entry.isDirectory()) continue;
			const inner = join(next.folder, entry.name);
			open.push({ folder: inner, entries: (await entriesOf(inner)) ?? [] });
		}
	}
	return { files, isMore: false };
}

async function entriesOf(folder: string): Promise<readonly Dirent[] | undefined> {
	try {
		return await readdir(folder, { withFileTypes: true });
	} catch (error) {
		if (systemErrorCode(error) === undefined) throw error;
		return systemErrorCode(error) === "ENOENT" ? undefined : [];
	}
}
