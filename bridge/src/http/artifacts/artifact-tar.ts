import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { type Artifact, ContractError, MANIFEST_PATH, type Manifest, type RunId, type Snapshot } from "@xworkmate/contracts";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Pack, pack as packTar } from "tar-stream";
import type { RunFiles, RunResults } from "../../ports/runs/run-results.ts";
import { boundIdle, hijackReply } from "../reply/hijack-reply.ts";
import { SMALL_FILE_BYTES } from "./artifact-file.ts";

/** All files of a run as one tar stream, its manifest first (docs/protocol.md#artifacts). */
export async function sendArtifactTar(request: FastifyRequest, reply: FastifyReply, results: RunResults, runId: RunId): Promise<void> {
	const files = await results.files(runId);
	const items = await checkedItems(files);
	reply.headers({ "content-type": "application/x-tar", "content-disposition": `attachment; filename="${runId}.tar"` });
	const raw = hijackReply(reply);
	if (request.method === "HEAD") {
		raw.end();
		return;
	}
	boundIdle(raw);
	await sendTar(raw, files, toManifest(files.snapshot, items)).catch((error: unknown) => {
		// The connection is already broken, so the error can only be logged. A reader that disconnected is not a fault.
		const level = error instanceof ContractError ? "error" : "debug";
		request.log[level]({ err: error, runId }, "a run's artifacts could not be sent");
	});
}

/**
 * Lists the run's files. Before the first byte is sent, checks that each is stored and has the right size, because an error can't be
 * reported later.
 * @throws ContractError ARTIFACT_CHANGED
 */
async function checkedItems(files: RunFiles): Promise<Artifact[]> {
	const items: Artifact[] = [];
	for await (const page of files.pages()) {
		for (const artifact of page) {
			if (!files.isStored(artifact)) {
				throw new ContractError("ARTIFACT_CHANGED", { detail: `${artifact.relativePath}: the stored file does not match the manifest` });
			}
			items.push(artifact);
		}
	}
	return items;
}

function toManifest(snapshot: Snapshot, items: Artifact[]): Manifest {
	const {
		runId,
		sessionId,
		threadId,
		turnId,
		artifactScope,
		artifacts,
		rejectedArtifacts,
		rejectedCount = rejectedArtifacts.length,
	} = snapshot;
	const createdAt = snapshot.endedAt ?? snapshot.createdAt;
	const { count, totalBytes, digest } = artifacts;
	const sums = { count, totalBytes, digest, rejectedCount };
	return { schemaVersion: 1, runId, sessionId, threadId, turnId, artifactScope, createdAt, items, ...sums };
}

async function sendTar(raw: ServerResponse, files: RunFiles, manifest: Manifest): Promise<void> {
	const tar = packTar();
	const sent = pipeline(tar, raw);
	// The rejection is handled below; a reader may disconnect before that, and an unhandled rejection ends the process.
	sent.catch(() => {});
	try {
		await addBytes(tar, MANIFEST_PATH, manifest.createdAt, Buffer.from(JSON.stringify(manifest)));
		for (const artifact of manifest.items) await addFile(tar, files, artifact);
		tar.finalize();
	} catch (error) {
		tar.destroy(error instanceof Error ? error : new Error(String(error)));
		await Promise.allSettled([sent]);
		throw error;
	}
	await sent;
}

async function addFile(tar: Pack, files: RunFiles, artifact: Artifact): Promise<void> {
	await using file = await files.open(artifact);
	const { relativePath, modifiedAt, sizeBytes } = artifact;
	if (sizeBytes <= SMALL_FILE_BYTES) {
		await addBytes(tar, relativePath, modifiedAt, await file.readWhole());
		return;
	}
	const { entry, added } = addEntry(tar, { name: relativePath, size: sizeBytes, mtime: new Date(modifiedAt) });
	for await (const piece of file.pieces({ start: 0, end: sizeBytes }, false)) {
		if (!entry.write(piece)) await Promise.race([once(entry, "drain"), added]);
	}
	entry.end(null);
	await added;
}

function addBytes(tar: Pack, name: string, modifiedAt: string, bytes: Buffer): Promise<void> {
	return addEntry(tar, { name, size: bytes.length, mtime: new Date(modifiedAt) }, bytes).added;
}

interface EntryHead {
	readonly name: string;
	readonly size: number;
	readonly mtime: Date;
}

function addEntry(tar: Pack, head: EntryHead, bytes?: Buffer) {
	const { promise: added, resolve, reject } = Promise.withResolvers<void>();
	const done = (error?: Error | null) => (error ? reject(error) : resolve());
	const header = { ...head, type: "file" as const };
	const entry = bytes === undefined ? tar.entry(header, done) : tar.entry(header, bytes, done);
	// A destroyed stream emits its error here as well, and an unhandled error event ends the process.
	entry.on("error", () => {});
	added.catch(() => {});
	return { entry, added };
}
