import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { makeZip } from "client-zip";
import { pack } from "tar-stream";
import type { OpenedFile } from "../files/open-plain-file.ts";
import { exactBytes } from "./exact-bytes.ts";

type Open = (path: string) => Promise<OpenedFile>;

/** A zip of these files, stored as they are, one open at a time. A file that cannot be read breaks the stream: half an archive is none. */
export function pipeZip(paths: readonly string[], open: Open): Readable {
	async function* entries() {
		for (const path of paths) {
			const file = await open(path);
			const input = exactBytes(file.read(0, file.sizeBytes - 1), file.sizeBytes);
			yield { name: path, lastModified: new Date(file.modifiedMs), size: file.sizeBytes, input };
		}
	}
	return Readable.from(makeZip(entries()));
}

/** The same as a tar. */
export function pipeTar(paths: readonly string[], open: Open): Readable {
	const tar = pack();
	const fill = async () => {
		for (const path of paths) {
			const file = await open(path);
			const header = { name: path, size: file.sizeBytes, mtime: new Date(file.modifiedMs), mode: 0o644 };
			await pipeline(file.read(0, file.sizeBytes - 1), tar.entry(header));
		}
		tar.finalize();
	};
	fill().catch((error: unknown) => tar.destroy(error instanceof Error ? error : new Error(String(error))));
	return Readable.from(tar);
}
