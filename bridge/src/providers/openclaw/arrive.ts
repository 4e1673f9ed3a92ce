import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { OpenClawArtifact, OpenClawRunRef } from "@xworkmate/contracts";
import { extract } from "tar-stream";
import { type ArtifactSource, disconnected } from "./artifact-source.ts";
import type { Stage } from "./stage.ts";
import { StageFile } from "./stage-file.ts";

export interface ArrivalDeps {
	readonly source: ArtifactSource;
	readonly ref: OpenClawRunRef;
	readonly stage: Stage;
	readonly signal: AbortSignal;
}

/** What came is not what was listed, twice. */
export class WrongBytes extends Error {
	override readonly name = "WrongBytes";
	readonly code = "WRONG_BYTES";
}

/**
 * Brings one file, from where an earlier attempt stopped.
 * @throws GatewayDisconnected when it broke off: what came is kept; GatewayRefusal; WrongBytes
 */
export async function arriveFile({ source, ref, stage, signal }: ArrivalDeps, item: OpenClawArtifact): Promise<void> {
	await using file = await StageFile.open(stage.path(item.relativePath), item);
	for (let attempt = 1; !file.whole; attempt++) {
		if (attempt > 2) throw new WrongBytes(`${item.relativePath} is not what the gateway had listed`);
		if (attempt > 1) await file.clear();
		if (item.sizeBytes === 0) continue;
		const { body, from } = await source.file(ref, item.relativePath, file.size, signal);
		if (from !== file.size) await file.clear();
		await fill(file, body);
	}
}

/**
 * Brings files as one stream, which costs less than a request for each. Files that the stream does not have, or has
 * otherwise, are left to be brought singly.
 * @throws GatewayDisconnected when it broke off: what is whole is kept
 */
export async function arriveTogether({ source, ref, stage, signal }: ArrivalDeps, items: readonly OpenClawArtifact[]): Promise<void> {
	const wanted = new Map(items.map((item) => [item.relativePath, item]));
	const response = await source.tar(ref, signal);
	const entries = extract();
	const reading = pipeline(response, entries, { signal }).catch((error: unknown) => {
		signal.throwIfAborted();
		throw disconnected(error);
	});
	reading.catch(() => {});
	try {
		for await (const entry of entries) {
			const item = entry.header.type === "file" ? wanted.get(entry.header.name) : undefined;
			if (item === undefined) entry.resume();
			else await arriveEntry(stage, item, entry);
		}
	} catch (error) {
		await reading;
		throw error;
	}
	await reading;
}

async function arriveEntry(stage: Stage, item: OpenClawArtifact, entry: AsyncIterable<unknown>): Promise<void> {
	await using file = await StageFile.open(stage.path(item.relativePath), item);
	await file.clear();
	let fits = true;
	for await (const chunk of entry) fits = fits && Buffer.isBuffer(chunk) && (await file.append(chunk));
	if (!file.whole) await file.clear();
}

async function fill(file: StageFile, body: Readable): Promise<void> {
	for await (const chunk of received(body)) {
		if (await file.append(chunk)) continue;
		await file.clear();
		return;
	}
}

/** What breaks off here is the gateway's connection; what breaks where it is written is not. */
async function* received(body: Readable): AsyncGenerator<Buffer> {
	try {
		for await (const chunk of body) yield chunk;
	} catch (error) {
		throw disconnected(error);
	} finally {
		body.destroy();
	}
}
