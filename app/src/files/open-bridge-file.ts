import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { Artifact, RunId } from "@xworkmate/contracts";
import type { ArtifactSource } from "../bridge-client/index.ts";
import { AppError } from "../errors/app-error.ts";
import type { OpenedFile } from "./open-plain-file.ts";

/**
 * Opens a delivered file that is not on this disk from the bridge's own store, such as a file of a run that lacks a required file.
 * @throws BridgeTransportError, AppError if the bridge does not provide it
 */
export async function openBridgeFile(source: ArtifactSource, runId: RunId, artifact: Artifact): Promise<OpenedFile> {
	const stop = new AbortController();
	const stream = await source.openFile(runId, artifact.relativePath, stop.signal);
	const close = async () => {
		// A reader that disconnects early is not an error of the stream.
		stream.on("error", () => undefined).destroy();
		stop.abort();
	};
	return {
		sizeBytes: artifact.sizeBytes,
		from: "bridge",
		modifiedMs: Date.parse(artifact.modifiedAt),
		etag: `"${artifact.sha256}"`,
		read: (start, end) => Readable.from(checked(stream, artifact, start, end), { objectMode: false }).once("close", () => void close()),
		close,
	};
}

/**
 * The bytes from `start` to `end`, inclusive. When the whole file is read, its last bytes are held back until its hash is verified.
 */
async function* checked(stream: Readable, artifact: Artifact, start: number, end: number): AsyncGenerator<Buffer> {
	const isWhole = start === 0 && end === artifact.sizeBytes - 1;
	const hash = createHash("sha256");
	let at = 0;
	let held: Buffer | undefined;
	for await (const chunk of stream) {
		const bytes = Buffer.from(chunk);
		hash.update(bytes);
		const wanted = bytes.subarray(Math.max(0, start - at), Math.max(0, end + 1 - at));
		at += bytes.length;
		if (wanted.length > 0) {
			if (held !== undefined) yield held;
			held = wanted;
		}
		if (!isWhole && at > end) break;
	}
	if (isWhole && (at !== artifact.sizeBytes || hash.digest("hex") !== artifact.sha256)) {
		throw new AppError("FILE_NOT_FOUND", "The bridge's copy of the file is damaged.", "Ask the agent for the file again.");
	}
	if (held !== undefined) yield held;
}
