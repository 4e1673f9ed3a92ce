import { Agent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";

/** How long a kept connection stays open without a request, in milliseconds. */
const KEPT_MS = 4_000;

const kept = { "http:": new Agent({ keepAlive: true, timeout: KEPT_MS }), "https:": new HttpsAgent({ keepAlive: true, timeout: KEPT_MS }) };

export interface HttpRequest {
	/** Default: GET. */
	readonly method?: "GET" | "POST";
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string;
	/** Aborting the signal rejects the promise with the signal's reason, or ends the response that is being read with an error. */
	readonly signal?: AbortSignal;
	/** Uses a connection that an earlier request left open, and leaves it open for the next. Default: a new connection for this request. */
	readonly keepAlive?: true;
}

/**
 * Sends a request, and resolves with the response once its headers have arrived, whatever its status. A redirect is not followed: it could
 * send the token to another host. The caller reads or destroys the response.
 *
 * Not `fetch`: one of its open streams wakes the process twice a second, and its code takes 3 MB
 * (docs/decisions/0115-what-wakes-an-app-at-rest.md).
 * @throws the signal's reason; otherwise an error of node:http, node:https or the system, with its `code`
 */
export function sendRequest(
	url: URL,
	{ method = "GET", headers = {}, body, signal, keepAlive }: HttpRequest = {},
): Promise<IncomingMessage> {
	const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
	const isTls = url.protocol === "https:";
	const options = { method, headers, ...(signal && { signal }) };
	const request = isTls
		? requestHttps(url, { ...options, agent: keepAlive === true && kept["https:"] })
		: requestHttp(url, { ...options, agent: keepAlive === true && kept["http:"] });
	request.on("error", (error) => reject(signal?.aborted ? signal.reason : error));
	request.on("response", resolve);
	request.end(body);
	return promise;
}
