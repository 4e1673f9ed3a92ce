import type { RunId } from "@xworkmate/contracts";
import type { ArtifactSource } from "../bridge-client/artifact-download.ts";
import { asBytes } from "./as-bytes.ts";
import type { BatchWriter } from "./batch-writer.ts";
import type { WantedFile } from "./disk/sync-disk.ts";

/** How many files are transferred at once. A few are enough, because one large file uses the whole bandwidth. */
const AT_ONCE = 4;

export interface FileFetch {
	readonly source: ArtifactSource;
	readonly runId: RunId;
	readonly writer: BatchWriter;
	readonly signal: AbortSignal;
}

/**
 * Fetches a few files individually, several at once. A file that fails does not stop the others. Returns the files that failed, with the
 * reasons.
 */
export async function receiveFiles(
	files: readonly (readonly [number, WantedFile])[],
	fetch: FileFetch,
): Promise<ReadonlyMap<number, unknown>> {
	const queue = files.values();
	const failed = new Map<number, unknown>();
	const workers = Array.from({ length: AT_ONCE }, async () => {
		for (const [file, wanted] of queue) {
			if (fetch.writer.diskFull || fetch.signal.aborted) return;
			try {
				await receiveFile(file, wanted, fetch);
			} catch (error) {
				failed.set(file, error);
			}
		}
	});
	await Promise.all(workers);
	return failed;
}

async function receiveFile(file: number, { relativePath }: WantedFile, { source, runId, writer, signal }: FileFetch): Promise<void> {
	const stream = await source.openFile(runId, relativePath, signal);
	let held: Uint8Array | undefined;
	let first = true;
	try {
		for await (const piece of stream) {
			// One chunk is always held back, because the last chunk has to be marked as the last when it is added.
			if (held !== undefined) {
				await writer.add(file, held, first, false);
				first = false;
			}
			held = asBytes(piece);
		}
		await writer.add(file, held ?? new Uint8Array(), first, true);
	} finally {
		stream.destroy();
	}
}
