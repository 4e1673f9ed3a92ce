import { type Artifact, type ByteRange, ContractError, parseRange, type RunId, safeMediaType } from "@xworkmate/contracts";
import { create as disposition } from "content-disposition";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { StoredFile } from "../../ports/artifacts/artifact-store.ts";
import type { RunResults } from "../../ports/runs/run-results.ts";
import { boundIdle, hijackReply } from "../reply/hijack-reply.ts";
import { sendPieces } from "../reply/send-pieces.ts";

/** Files up to this size are read whole, so that their hash is known before the first byte is sent. */
export const SMALL_FILE_BYTES = 1024 * 1024;

/** One file of a run: Range, HEAD, ETag = sha256 (docs/protocol.md#artifacts). */
export async function sendArtifact(
	request: FastifyRequest,
	reply: FastifyReply,
	results: RunResults,
	runId: RunId,
	relativePath: string,
): Promise<void> {
	const files = await results.files(runId);
	const artifact = await files.find(relativePath);
	const etag = `"${artifact.sha256}"`;
	describeFile(reply, artifact, etag);
	if (request.headers["if-none-match"] === etag) {
		await reply.code(304).send();
		return;
	}
	const range = wantedRange(request, reply, artifact, etag);
	await using file = await files.open(artifact);
	// The recorded hash covers the whole file, so the whole file is checked before a part is sent.
	if (range !== undefined) await file.verify();
	await sendBytes(request, reply, file, artifact, range);
}

function describeFile(reply: FastifyReply, artifact: Artifact, etag: string): void {
	reply.headers({
		"content-type": safeMediaType(artifact.mediaType),
		"content-disposition": disposition(artifact.relativePath.split("/").at(-1)),
		"content-security-policy": "sandbox; default-src 'none'",
		"accept-ranges": "bytes",
		"cache-control": "private, no-cache",
		etag,
	});
}

/** @throws ContractError RANGE_NOT_SATISFIABLE */
function wantedRange(request: FastifyRequest, reply: FastifyReply, artifact: Artifact, etag: string): ByteRange | undefined {
	const ifRange = request.headers["if-range"];
	if (request.method !== "GET" || (ifRange !== undefined && ifRange !== etag)) return undefined;
	const range = parseRange(request.headers.range, artifact.sizeBytes);
	if (range !== "unsatisfiable") return range;
	for (const name of ["etag", "content-disposition", "accept-ranges"]) reply.removeHeader(name);
	reply.header("content-range", `bytes */${artifact.sizeBytes}`);
	throw new ContractError("RANGE_NOT_SATISFIABLE", { detail: `The file's size in bytes is ${artifact.sizeBytes}.` });
}

async function sendBytes(
	request: FastifyRequest,
	reply: FastifyReply,
	file: StoredFile,
	artifact: Artifact,
	range: ByteRange | undefined,
): Promise<void> {
	const { sizeBytes } = artifact;
	if (request.method === "GET" && range === undefined && sizeBytes <= SMALL_FILE_BYTES) {
		await reply.send(await file.readWhole());
		return;
	}
	const { start, end } = range ?? { start: 0, end: sizeBytes };
	if (range !== undefined) reply.code(206).header("content-range", `bytes ${start}-${end - 1}/${sizeBytes}`);
	reply.header("content-length", end - start);
	const raw = hijackReply(reply);
	if (request.method === "HEAD") {
		raw.end();
		return;
	}
	boundIdle(raw);
	try {
		if (await sendPieces(raw, file.pieces({ start, end }, true))) raw.end();
	} catch (error) {
		// The damage was found after the headers were sent, so only a broken connection can tell the receiver that the file is wrong.
		request.log.error({ err: error }, "a stored artifact could not be sent");
		raw.destroy();
	}
}
