import type { IncomingMessage, ServerResponse } from "node:http";
import { type ByteRange, parseRange, safeMediaType } from "@xworkmate/contracts";
import type { ScopeTree } from "@xworkmate/platform/scope-tree";
import type { SealedFile } from "../export/sealed-scope.ts";
import { BufferPair } from "./buffer-pair.ts";
import { openSealed, requireUnchanged, sendRange, sendWhole } from "./sealed-bytes.ts";

/**
 * Sends one sealed file. Understands HEAD, Range and If-Range; the ETag is the file's sha256.
 * @throws PluginError ARTIFACT_CHANGED, ReaderGoneError
 */
export async function sendFile(request: IncomingMessage, response: ServerResponse, tree: ScopeTree, file: SealedFile): Promise<void> {
	using bytes = openSealed(tree, file);
	const etag = `"${file.sha256}"`;
	const range = wantedRange(request, file, etag);
	if (range === "unsatisfiable") {
		response.writeHead(416, { "content-range": `bytes */${file.sizeBytes}` }).end();
		return;
	}
	// Checked before the headers are sent, so that a change is reported by an HTTP status.
	if (request.method === "GET") await requireUnchanged(bytes);
	const { start, end } = range ?? { start: 0, end: file.sizeBytes };
	response.writeHead(range === undefined ? 200 : 206, {
		"content-type": safeMediaType(file.mediaType),
		"content-length": end - start,
		"content-disposition": "attachment",
		"accept-ranges": "bytes",
		etag,
		...(range !== undefined && { "content-range": `bytes ${start}-${end - 1}/${file.sizeBytes}` }),
	});
	if (request.method === "HEAD") {
		response.end();
		return;
	}
	const out = new BufferPair(response);
	if (range === undefined) await sendWhole(bytes, out);
	else await sendRange(bytes, range, out);
	await out.end();
}

function wantedRange({ method, headers }: IncomingMessage, file: SealedFile, etag: string): ByteRange | "unsatisfiable" | undefined {
	const ifRange = headers["if-range"];
	if (method !== "GET" || (ifRange !== undefined && ifRange !== etag)) return undefined;
	return parseRange(headers.range, file.sizeBytes);
}
