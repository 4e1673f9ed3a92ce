import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { makeZip } from "client-zip";
import { pack } from "tar-stream";
import { exactBytes } from "../../files/exact-bytes.ts";
import type { OpenedFile } from "../../files/open-plain-file.ts";

/** A file and its name in the archive. */
export interface ArchiveEntry {
	readonly path: string;
	open(): Promise<OpenedFile>;
}

/**
 * A zip of these files, uncompressed; one file is open at a time. A file that cannot be read breaks the stream, because an incomplete
 * archive must not look complete.
 */
export function pipeZip(files: readonly ArchiveEntry[]): Readable {
	async function* entries() {
		for (const { path, open } of files) {
			const file = await open();
			const input = exactBytes(file.read(0, file.sizeBytes - 1), file.sizeBytes);
			yield { name: path, lastModified: new Date(file.modifiedMs), size: file.sizeBytes, input };
		}
	}
	return Readable.from(makeZip(entries()));
}

/** A tar of these files, under the same rules as the zip. */
export function pipeTar(files: readonly ArchiveEntry[]): Readable {
	const tar = pack();
	const fill = async () => {
		for (const { path, open } of files) {
			const file = await open();
			const header = { name: path, size: file.sizeBytes, mtime: new Date(file.modifiedMs), mode: 0o644 };
			await pipeline(file.read(0, file.sizeBytes - 1), tar.entry(header));
		}
		tar.finalize();
	};
	fill().catch((error: unknown) => tar.destroy(error instanceof Error ? error : new Error(String(error))));
	return Readable.from(tar);
}
