import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { OPENCLAW_ARTIFACT_ROUTE, type OpenClawRunRef } from "@xworkmate/contracts";
import { errorMessage } from "@xworkmate/platform/errors";
import { GatewayDisconnected, GatewayRefusal } from "../gateway/gateway-error.ts";

export interface ArtifactSourceOptions {
	/** The gateway's address: http or https, with the path it is served under. */
	readonly baseUrl: URL;
	readonly token?: string;
	/** A request that receives nothing for this long is aborted. */
	readonly stallMs: number;
}

/** The bytes of sealed scopes, from the plugin's HTTP route (contracts, OPENCLAW_ARTIFACT_ROUTE). */
export class ArtifactSource {
	readonly #options: ArtifactSourceOptions;

	constructor(options: ArtifactSourceOptions) {
		this.#options = options;
	}

	/** The whole scope as a tar stream. The caller reads it to its end or destroys it. */
	tar(ref: OpenClawRunRef, signal: AbortSignal): Promise<IncomingMessage> {
		return this.#get(ref, "", {}, [200], signal);
	}

	/** One file from byte `from` on; if the gateway does not support ranges, the returned `from` is 0. */
	async file(ref: OpenClawRunRef, relativePath: string, from: number, signal: AbortSignal) {
		const path = `/${relativePath.split("/").map(encodeURIComponent).join("/")}`;
		const range = from === 0 ? {} : { range: `bytes=${from}-` };
		const body = await this.#get(ref, path, range, from === 0 ? [200] : [200, 206], signal);
		return { body, from: body.statusCode === 206 ? from : 0 };
	}

	/** @throws GatewayDisconnected if the request may be repeated; AbortError if `signal` aborted; otherwise GatewayRefusal */
	async #get(
		{ runId, sessionKey, artifactScope }: OpenClawRunRef,
		path: string,
		range: { readonly range?: string },
		wanted: readonly number[],
		signal: AbortSignal,
	): Promise<IncomingMessage> {
		const { baseUrl, token, stallMs } = this.#options;
		const url = new URL(baseUrl);
		url.pathname = `${url.pathname.replace(/\/$/, "")}${OPENCLAW_ARTIFACT_ROUTE}/${runId}${path}`;
		url.search = new URLSearchParams({ sessionKey, artifactScope }).toString();
		const headers = { ...range, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
		const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
		const send = url.protocol === "https:" ? httpsRequest : httpRequest;
		const outgoing = send(url, { headers, signal, agent: false, timeout: stallMs }, resolve);
		outgoing.on("timeout", () => outgoing.destroy(new GatewayDisconnected(`the gateway sent nothing for ${stallMs / 1_000} s`)));
		outgoing.on("error", (error) => reject(signal.aborted ? error : disconnected(error)));
		outgoing.end();
		const response = await promise;
		const status = response.statusCode ?? 0;
		if (wanted.includes(status)) return response;
		response.destroy();
		if (status >= 500 || status === 429) throw new GatewayDisconnected(`the gateway's artifact route answered with ${status}`);
		throw new GatewayRefusal(`the gateway's artifact route answered with ${status}`, { code: `HTTP_${status}`, retryable: false });
	}
}

/** Converts any error of the connection to one that allows the request to be repeated. */
export function disconnected(error: unknown): GatewayDisconnected {
	if (error instanceof GatewayDisconnected) return error;
	const words = errorMessage(error);
	return new GatewayDisconnected(`the connection to the gateway's artifact route was lost: ${words}`, { cause: error });
}
