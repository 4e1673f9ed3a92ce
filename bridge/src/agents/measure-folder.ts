import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

const MOST_ENTRIES = 200_000;

/**
 * The total size of the files below a folder that npm is changing, with a limit on the entries that are read. Files that disappear
 * before they are measured do not count.
 */
export async function measureFolder(folder: string): Promise<number> {
	let bytes = 0;
	let entries = 0;
	const left = [folder];
	for (let next = left.pop(); next !== undefined && entries < MOST_ENTRIES; next = left.pop()) {
		const here = next;
		const found = await readdir(here, { withFileTypes: true }).catch(() => []);
		entries += found.length;
		left.push(...found.filter((entry) => entry.isDirectory()).map(({ name }) => join(here, name)));
		const files = found.filter((entry) => entry.isFile());
		const sizes = await Promise.all(
			files.map(({ name }) =>
				lstat(join(here, name)).then(
					({ size }) => size,
					() => 0,
				),
			),
		);
		for (const size of sizes) bytes += size;
	}
	return bytes;
}
