import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { buffer } from "node:stream/consumers";

export interface PostAnswer {
	readonly status: number;
	readonly headers: IncomingHttpHeaders;
	readonly body: Buffer;
}

const BOUND_MS = 30_000;

/** POSTs to `/acp/rpc` of a bridge over kept-alive connections, for those who send a hundred thousand. */
export class KeepAlivePosts implements Disposable {
	readonly #agent: Agent;
	readonly #url: URL;
	readonly #token: string;

	constructor({ url, token, connections }: { url: string; token: string; connections: number }) {
		this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
		this.#url = new URL("/acp/rpc", url);
		this.#token = token;
	}

	/** The whole answer. @throws Error when there is none */
	post(body: Buffer, accept = "application/json"): Promise<PostAnswer> {
		const { promise, resolve, reject } = Promise.withResolvers<PostAnswer>();
		const headers = {
			authorization: `Bearer ${this.#token}`,
			accept,
			"content-type": "application/json",
			"content-length": String(body.length),
		};
		const sent = request(this.#url, { method: "POST", agent: this.#agent, headers, timeout: BOUND_MS }, (response) => {
			buffer(response).then((read) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: read }), reject);
		});
		sent.once("timeout", () => sent.destroy(new Error(`no answer within ${BOUND_MS} ms`)));
		sent.once("error", reject);
		sent.end(body);
		return promise;
	}

	[Symbol.dispose](): void {
		this.#agent.destroy();
	}
}
