import { pipeline, type Readable } from "node:stream";
import { MANIFEST_PATH } from "@xworkmate/contracts";
import { errorMessage } from "@xworkmate/platform/errors";
import { extract, type Header, type Extract as Tar } from "tar-stream";
import { asBytes } from "./as-bytes.ts";
import type { BatchWriter } from "./batch-writer.ts";
import { FileProblem, type SyncProblem } from "./disk/sync-problem.ts";

type Entry = Tar extends AsyncIterable<infer Source> ? Source : never;

const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;

export interface TarPlan {
	/** The index of each file to be written, by its path. */
	readonly wanted: Map<string, number>;
	/** Every path in the manifest. Any other path is refused. */
	readonly known: ReadonlySet<string>;
}

export interface TarReceiver {
	readonly writer: BatchWriter;
	/** Reads the manifest, which is the first entry, and returns which files to write. */
	readonly plan: (manifest: string) => Promise<TarPlan>;
	readonly report: (problem: SyncProblem) => void;
}

/**
 * Unpacks a run's tar stream. Only regular files that the manifest names are written, each once; names are only compared, and never used as
 * paths. Stops early if nothing is to be written or the disk is full.
 * @throws FileProblem MANIFEST_REFUSED, or TRANSFER_FAILED with the original error as its cause: that of the stream, the writer or the disk
 */
export async function receiveTar(stream: Readable, { writer, plan, report }: TarReceiver): Promise<void> {
	const tar = extract();
	let broken: Error | undefined;
	pipeline(stream, tar, (error) => {
		broken = error ?? undefined;
	});
	let planned: TarPlan | undefined;
	try {
		for await (const entry of tar) {
			if (planned === undefined) {
				planned = await plan(await readManifest(entry));
				if (planned.wanted.size === 0) return;
				continue;
			}
			const file = claim(planned, entry.header, report);
			if (file === undefined) entry.resume();
			else await writeEntry(writer, file, entry);
			if (writer.diskFull) return;
		}
	} catch (error) {
		throw error instanceof FileProblem ? error : transferFailed(broken ?? error);
	} finally {
		stream.destroy();
	}
	if (planned === undefined) throw transferFailed(broken ?? new Error("the stream was empty"));
}

function claim({ wanted, known }: TarPlan, { name, type }: Header, report: TarReceiver["report"]): number | undefined {
	const file = wanted.get(name);
	const isPlain = type === "file" || type === "contiguous-file";
	if (file !== undefined && isPlain) {
		wanted.delete(name);
		return file;
	}
	if (!known.has(name) || !isPlain) {
		report({
			code: "UNEXPECTED_ENTRY",
			message: "the download contains something other than the listed files; it was not saved",
			path: name,
		});
	}
	return undefined;
}

async function writeEntry(writer: BatchWriter, file: number, entry: Entry): Promise<void> {
	const size = entry.header.size;
	let seen = 0;
	if (size === 0) {
		entry.resume();
		await writer.add(file, new Uint8Array(), true, true);
		return;
	}
	for await (const chunk of entry) {
		const piece = asBytes(chunk);
		await writer.add(file, piece, seen === 0, seen + piece.length >= size);
		seen += piece.length;
	}
}

async function readManifest(entry: Entry): Promise<string> {
	if (entry.header.name !== MANIFEST_PATH) throw new FileProblem("MANIFEST_REFUSED", "the download did not begin with its list of files");
	const pieces: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of entry) {
		const piece = asBytes(chunk);
		size += piece.length;
		if (size > MAX_MANIFEST_BYTES) throw new FileProblem("MANIFEST_REFUSED", "the list of files was too large");
		pieces.push(piece);
	}
	return Buffer.concat(pieces).toString("utf8");
}

function transferFailed(error: unknown): Error {
	return new FileProblem("TRANSFER_FAILED", `the download was interrupted: ${errorMessage(error)}`, error);
}
