import { createWriteStream } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";

/** What npm gives every file of a package: a fixed time makes two archives of the same files the same bytes. */
const MODIFIED = new Date("1985-10-26T08:15:00Z");
const EXECUTABLE = 0o755;
const PLAIN = 0o644;

/** Writes a folder as a package that npm installs. @param executable paths in the folder whose files are programs */
export async function writePackage(folder: string, into: string, executable: readonly string[] = []): Promise<void> {
	const tar = pack();
	const written = pipeline(tar, createGzip({ level: 9 }), createWriteStream(into));
	for (const path of await filesUnder(folder)) {
		const name = relative(folder, path);
		const mode = executable.includes(name) ? EXECUTABLE : PLAIN;
		tar.entry({ name: `package/${name}`, mode, mtime: MODIFIED }, await readFile(path));
	}
	tar.finalize();
	await written;
}

async function filesUnder(path: string): Promise<readonly string[]> {
	if (!(await stat(path)).isDirectory()) return [path];
	const inside = await Promise.all((await readdir(path)).sort().map((name) => filesUnder(join(path, name))));
	return inside.flat();
}
