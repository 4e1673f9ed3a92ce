import { once } from "node:events";
import { lstatSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { type Artifact, ContractError, MANIFEST_PATH, type Manifest, type RunId, type Snapshot } from "@xworkmate/contracts";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Pack, pack as packTar } from "tar-stream";
import { type ArtifactSource, artifactPages, servableRun } from "./artifact-source.ts";
import { boundIdle, hijackReply } from "./hijack-reply.ts";
import { openStored, readPieces, readVerified, SMALL_FILE_BYTES } from "./stored-file.ts";

/** All files of a run as one tar stream, its manifest first (CONTRACT, Artifacts over HTTP). */
export async function sendArtifactTar(request: FastifyRequest, reply: FastifyReply, source: ArtifactSource, runId: RunId): Promise<void> {
	const snapshot = await servableRun(source, runId);
	const items = await checkedItems(source, runId);
	reply.headers({ "content-type": "application/x-tar", "content-disposition": `attachment; filename="${runId}.tar"` });
	const raw = hijackReply(reply);
	if (request.method === "HEAD") {
		raw.end();
		return;
	}
	boundIdle(raw);
	await sendTar(raw, source, toManifest(snapshot, items)).catch((error: unknown) => {
		// The connection is broken by now. A reader that went away is no fault.
		if (error instanceof ContractError) request.log.error({ err: error, runId }, "a stored artifact could not be sent");
	});
}

/** Damage that shows in a file's size is told before the first byte. @throws ContractError ARTIFACT_CHANGED */
async function checkedItems(source: ArtifactSource, runId: RunId): Promise<Artifact[]> {
	const items: Artifact[] = [];
	for await (const page of artifactPages(source, runId)) {
		for (const artifact of page) {
			const stats = lstatSync(source.vault.path(runId, artifact.relativePath), { throwIfNoEntry: false });
			if (stats?.isFile() !== true || stats.size !== artifact.sizeBytes) {
				throw new ContractError("ARTIFACT_CHANGED", { detail: `${artifact.relativePath}: the stored bytes do not match the manifest` });
			}
			items.push(artifact);
		}
	}
	return items;
}

function toManifest(snapshot: Snapshot, items: Artifact[]): Manifest {
	const { runId, sessionId, threadId, turnId, artifactScope, artifacts } = snapshot;
	const createdAt = snapshot.endedAt ?? snapshot.createdAt;
	const { count, totalBytes, digest } = artifacts;
	return { schemaVersion: 1, runId, sessionId, threadId, turnId, artifactScope, createdAt, items, count, totalBytes, digest };
}

async function sendTar(raw: ServerResponse, source: ArtifactSource, manifest: Manifest): Promise<void> {
	const tar = packTar();
	const sent = pipeline(tar, raw);
	try {
		await addBytes(tar, MANIFEST_PATH, manifest.createdAt, Buffer.from(JSON.stringify(manifest)));
		for (const artifact of manifest.items) await addFile(tar, source.vault.path(manifest.runId, artifact.relativePath), artifact);
		tar.finalize();
	} catch (error) {
		tar.destroy(error instanceof Error ? error : new Error(String(error)));
		await sent.catch(() => {});
		throw error;
	}
	await sent;
}

async function addFile(tar: Pack, path: string, artifact: Artifact): Promise<void> {
	await using handle = await openStored(path, artifact);
	const { relativePath, modifiedAt, sizeBytes } = artifact;
	if (sizeBytes <= SMALL_FILE_BYTES) {
		await addBytes(tar, relativePath, modifiedAt, await readVerified(handle, artifact));
		return;
	}
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	const header = { name: relativePath, size: sizeBytes, mtime: new Date(modifiedAt), type: "file" as const };
	const entry = tar.entry(header, (error) => (error ? reject(error) : resolve()));
	// Settled below, or by the destruction of the stream, whichever the loop meets first.
	promise.catch(() => {});
	for await (const piece of readPieces(handle, artifact, { start: 0, end: sizeBytes }, false)) {
		if (!entry.write(piece)) await Promise.race([once(entry, "drain"), promise]);
	}
	entry.end(null);
	await promise;
}

function addBytes(tar: Pack, name: string, modifiedAt: string, bytes: Buffer): Promise<void> {
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	tar.entry({ name, size: bytes.length, mtime: new Date(modifiedAt), type: "file" }, bytes, (error) => (error ? reject(error) : resolve()));
	return promise;
}
