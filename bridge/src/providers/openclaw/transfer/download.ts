import { hash } from "node:crypto";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { OpenClawArtifact, OpenClawRunRef } from "@xworkmate/contracts";
import { extract } from "tar-stream";
import { type ArtifactSource, disconnected } from "./artifact-source.ts";
import { StagedFile } from "./staged-file.ts";
import type { StagingFolder } from "./staging-folder.ts";

export interface DownloadParts {
	readonly source: ArtifactSource;
	readonly ref: OpenClawRunRef;
	readonly stage: StagingFolder;
	readonly signal: AbortSignal;
}

/** How many files of a stream are written at once. */
const PARALLEL_WRITES = 8;

/** A file differed from the manifest even after it was downloaded again from the beginning. */
export class WrongBytes extends Error {
	override readonly name = "WrongBytes";
	readonly code = "WRONG_BYTES";
}

/**
 * Downloads one file, continuing where an earlier attempt stopped.
 * @throws GatewayDisconnected if the connection broke (received bytes are kept); GatewayRefusal; WrongBytes
 */
export async function downloadFile({ source, ref, stage, signal }: DownloadParts, item: OpenClawArtifact): Promise<void> {
	await using file = await StagedFile.open(stage.path(item.relativePath), item);
	for (let attempt = 1; !file.whole; attempt++) {
		if (attempt > 2) throw new WrongBytes(`${item.relativePath} does not match what the gateway listed`);
		if (attempt > 1) await file.clear();
		if (item.sizeBytes === 0) continue;
		const { body, from } = await source.file(ref, item.relativePath, file.size, signal);
		if (from !== file.size) await file.clear();
		await fill(file, body);
	}
}

/**
 * Downloads files as one stream, which costs less than a request for each. Returns the files that the stream lacked, or that differed from
 * the manifest: they have to be downloaded individually.
 * @throws GatewayDisconnected if the connection broke, GatewayRefusal; complete files are kept
 */
export async function downloadTar(
	{ source, ref, stage, signal }: DownloadParts,
	items: readonly OpenClawArtifact[],
): Promise<readonly OpenClawArtifact[]> {
	const missing = new Map(items.map((item) => [item.relativePath, item]));
	const response = await source.tar(ref, signal);
	const entries = extract();
	const reading = pipeline(response, entries, { signal }).catch((error: unknown) => {
		signal.throwIfAborted();
		throw disconnected(error);
	});
	reading.catch(() => {});
	const writing = new Set<Promise<void>>();
	try {
		for await (const entry of entries) {
			const item = entry.header.type === "file" ? missing.get(entry.header.name) : undefined;
			const bytes = item === undefined ? undefined : await wholeEntry(item, entry);
			if (item === undefined || bytes === undefined) {
				entry.resume();
				continue;
			}
			missing.delete(item.relativePath);
			const written: Promise<void> = stage.write(item.relativePath, bytes).finally(() => writing.delete(written));
			writing.add(written);
			if (writing.size >= PARALLEL_WRITES) await Promise.race(writing);
		}
	} catch (error) {
		await Promise.allSettled(writing);
		await reading;
		throw error;
	}
	await Promise.all(writing);
	await reading;
	return [...missing.values()];
}

/** Reads an entry, and returns its bytes if they match the manifest. Keeps no more than the listed size in memory. */
async function wholeEntry(item: OpenClawArtifact, entry: AsyncIterable<unknown>): Promise<Buffer | undefined> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of entry) {
		if (!Buffer.isBuffer(chunk)) continue;
		size += chunk.length;
		if (size <= item.sizeBytes) chunks.push(chunk);
	}
	if (size !== item.sizeBytes) return undefined;
	const bytes = Buffer.concat(chunks);
	return hash("sha256", bytes) === item.sha256 ? bytes : undefined;
}

async function fill(file: StagedFile, body: Readable): Promise<void> {
	for await (const chunk of received(body)) {
		if (await file.append(chunk)) continue;
		await file.clear();
		return;
	}
}

/** Yields the stream's chunks. Every error here comes from the gateway's connection; write errors are handled elsewhere. */
async function* received(body: Readable): AsyncGenerator<Buffer> {
	try {
		for await (const chunk of body) yield chunk;
	} catch (error) {
		throw disconnected(error);
	} finally {
		body.destroy();
	}
}
