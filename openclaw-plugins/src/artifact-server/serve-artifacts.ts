import type { IncomingMessage, ServerResponse } from "node:http";
import type { OpenClawPluginErrorCode } from "@xworkmate/contracts";
import { errorMessage } from "@xworkmate/platform/errors";
import { findSealed } from "../export/export-xworkmate-artifacts.ts";
import type { SealedScopes } from "../export/sealed-scopes.ts";
import type { PluginLogger } from "../host/plugin-api.ts";
import { PluginError, refusalIn } from "../platform/plugin-error.ts";
import type { RunRegistry } from "../runs/run-registry.ts";
import { parseArtifactUrl } from "./artifact-address.ts";
import { ReaderGoneError } from "./buffer-pair.ts";
import { openSealedScope } from "./sealed-bytes.ts";
import { sendFile } from "./send-file.ts";
import { sendTar } from "./send-tar.ts";

const STALLED_MS = 120_000;

const STATUSES: Readonly<Record<OpenClawPluginErrorCode, number>> = {
	INVALID_PARAMS: 400,
	SCOPE_MISMATCH: 409,
	SCOPE_BLOCKED: 409,
	RUN_UNKNOWN: 404,
	RUN_BEGUN: 409,
	RUN_NOT_ENDED: 409,
	SESSION_BUSY: 409,
	NOT_COLLECTED: 409,
	NOT_FOUND: 404,
	APPROVAL_UNKNOWN: 404,
	ARTIFACT_CHANGED: 409,
	INTERNAL: 500,
};

export interface ArtifactSource {
	readonly registry: RunRegistry;
	readonly sealed: SealedScopes;
	readonly logger: PluginLogger;
}

/**
 * Serves the artifact route: a sealed scope as a tar, or one of its files. An error before the first byte is an HTTP status with
 * `{error:{code,message}}`; after that the connection is destroyed, which is the only way to tell the reader that the file is wrong.
 */
export async function serveArtifacts(request: IncomingMessage, response: ServerResponse, source: ArtifactSource): Promise<void> {
	response.setTimeout(STALLED_MS, () => response.destroy());
	try {
		await answer(request, response, source);
	} catch (error) {
		if (error instanceof ReaderGoneError) return;
		if (refusalIn(error) === undefined) source.logger.error(`xworkmate: files could not be sent: ${errorMessage(error)}`);
		if (response.headersSent) response.destroy();
		else refuse(response, error);
	}
}

async function answer(request: IncomingMessage, response: ServerResponse, { registry, sealed }: ArtifactSource): Promise<void> {
	if (request.method !== "GET" && request.method !== "HEAD") {
		response.setHeader("allow", "GET, HEAD");
		sendJson(response, 405, { error: { code: "INVALID_PARAMS", message: "only GET and HEAD are allowed" } });
		return;
	}
	const { run, relativePath } = parseArtifactUrl(request.url ?? "");
	const record = registry.require(run);
	const scope = sealed.require(record);
	using tree = openSealedScope(record.artifactDirectory);
	response.setHeader("cache-control", "private, no-store");
	response.setHeader("x-content-type-options", "nosniff");
	if (relativePath !== undefined) {
		const file = findSealed(scope, relativePath);
		if (file === undefined) throw new PluginError("NOT_FOUND", "the run has no such file");
		await sendFile(request, response, tree, file);
		return;
	}
	response.writeHead(200, { "content-type": "application/x-tar", etag: `"${scope.digest}"` });
	if (request.method === "HEAD") response.end();
	else await sendTar(response, tree, scope);
}

function refuse(response: ServerResponse, error: unknown): void {
	const { code = "INTERNAL", message = "the plugin failed; the gateway's log has the cause" } = refusalIn(error) ?? {};
	for (const name of response.getHeaderNames()) response.removeHeader(name);
	sendJson(response, STATUSES[code], { error: { code, message } });
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
	response.writeHead(status, { "content-type": "application/json" });
	response.end(JSON.stringify(body));
}
