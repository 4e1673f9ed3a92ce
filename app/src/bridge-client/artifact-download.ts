import { type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { Readable } from "node:stream";
import { artifactRef, type PlanId, type RunId } from "@xworkmate/contracts";
import { BodyTooLarge, readText } from "@xworkmate/platform/http";
import { formatSpan } from "../text/format-measure.ts";
import type { BridgeEndpoint } from "./bridge-endpoint.ts";
import { closed, fromNetwork, httpStatus } from "./wire/bridge-errors.ts";
import { errorBody } from "./wire/rpc-answer.ts";

/** Reads a run's accepted files. The caller consumes or destroys the stream it opened. */
export interface ArtifactSource {
	/**
	 * `application/x-tar`, with the manifest first.
	 * @throws BridgeTransportError, AppError
	 */
	openTar(runId: RunId, signal: AbortSignal): Promise<Readable>;
	/**
	 * The bytes of one file.
	 * @throws BridgeTransportError, AppError
	 */
	openFile(runId: RunId, relativePath: string, signal: AbortSignal): Promise<Readable>;
}

/** One run or one plan; without either, all receipts. */
export interface ReceiptsOf {
	readonly runId?: RunId;
	readonly planId?: PlanId;
}

const MAX_ERROR_BYTES = 64 * 1024;

/**
 * Downloads artifacts and receipts. `idleMs` limits every wait for bytes: before the headers and between two chunks.
 */
export class ArtifactDownload implements ArtifactSource {
	readonly #endpoint: () => Promise<BridgeEndpoint>;
	readonly #idleMs: number;

	constructor(endpoint: () => Promise<BridgeEndpoint>, idleMs: number) {
		this.#endpoint = endpoint;
		this.#idleMs = idleMs;
	}

	openTar(runId: RunId, signal: AbortSignal): Promise<Readable> {
		return this.#open(`/artifacts/${runId}`, signal);
	}

	openFile(runId: RunId, relativePath: string, signal: AbortSignal): Promise<Readable> {
		return this.#open(artifactRef(runId, relativePath), signal);
	}

	/**
	 * The bridge's export of the receipts of one run, of one plan, or of all.
	 * @throws BridgeTransportError, AppError
	 */
	openReceipts({ runId, planId }: ReceiptsOf, signal: AbortSignal): Promise<Readable> {
		const query = new URLSearchParams({ ...(runId && { runId }), ...(planId && { planId }) }).toString();
		return this.#open(`/receipts/export${query === "" ? "" : `?${query}`}`, signal);
	}

	async #open(path: string, signal: AbortSignal): Promise<Readable> {
		const { url, token } = await this.#endpoint();
		const target = new URL(path, url);
		const send = target.protocol === "https:" ? requestHttps : requestHttp;
		const request = send(target, { headers: { authorization: `Bearer ${token}` }, signal });
		const response = await answerOf(request, this.#idleMs);
		if (response.statusCode === 200) return response;
		const status = response.statusCode ?? 0;
		const body = errorBody(await readError(response));
		throw httpStatus(status, body?.message ?? `The bridge answered with HTTP status ${status}.`, body?.code);
	}
}

function answerOf(request: ClientRequest, idleMs: number): Promise<IncomingMessage> {
	const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
	let response: IncomingMessage | undefined;
	let bytesRead = 0;
	let heardAt = performance.now();
	const watchdog = setInterval(() => {
		const now = request.socket?.bytesRead ?? 0;
		// If bytes are waiting to be read, this side is the slow one, and the bridge is not considered silent.
		const waiting = response !== undefined && (response.readableLength > 0 || response.complete);
		if (now !== bytesRead || waiting) heardAt = performance.now();
		bytesRead = now;
		if (performance.now() - heardAt < idleMs) return;
		(response ?? request).destroy(closed(`The download stalled: nothing arrived for ${formatSpan(idleMs)}.`));
	}, idleMs / 4);
	request.on("close", () => clearInterval(watchdog));
	request.on("error", (error) => reject(fromNetwork(error)));
	request.on("response", (answer) => {
		response = answer;
		resolve(answer);
	});
	request.end();
	return promise;
}

async function readError(response: IncomingMessage): Promise<unknown> {
	const text = await readText(response, MAX_ERROR_BYTES).catch((error: unknown) => {
		if (error instanceof BodyTooLarge) return "";
		throw error;
	});
	try {
		return JSON.parse(text);
	} catch {
		// Not JSON, such as a proxy's error page: the status code is enough.
		return undefined;
	}
}
