import { formatBytes, spanWords } from "@xworkmate/contracts";
import { ModelFailure } from "../../../../ports/models/model-client.ts";
import { EventHolder } from "./event-holder.ts";
import { serverWords } from "./failure-words.ts";
import { httpFailure } from "./http-failure.ts";

export interface ExchangeBounds {
	/** The maximum number of bytes of a whole reply, uncompressed. */
	readonly bytes: number;
	/** The longest time without a byte from the server. */
	readonly idleMs: number;
}

const exchangeBounds: ExchangeBounds = { bytes: 8 * 2 ** 20, idleMs: 120_000 };

const ERROR_BYTES = 64 * 1024;
/**
 * The headers that a request needs. All others are dropped, because the SDKs also take headers from the environment, such as another
 * credential or another client's name.
 */
const SENT = /^(?:accept|content-type|user-agent|anthropic-version|anthropic-beta|x-stainless-.*)$/;
/**
 * Matches the mark of a complete stream, at the start of a line. JSON escapes line breaks in strings, so text that a model writes can't
 * look like it.
 */
const DONE = /[\r\n]data: ?\[DONE\]/;
const DONE_UNITS = 16;

export interface ExchangeOptions {
	/** Empty: no credential is sent. */
	readonly secret: string;
	readonly signal: AbortSignal;
	/** True: if the server answers a request for a stream with a single JSON document, the document is read as a stream of one event. */
	readonly takesOneDocument?: boolean;
	readonly bounds?: ExchangeBounds;
}

/**
 * One request from an SDK and its response. Limits the response's size and time, sends only this credential, and ends when the signal
 * aborts.
 */
export class Exchange implements Disposable {
	readonly #options: ExchangeOptions;
	readonly #bounds: ExchangeBounds;
	readonly #ending = new AbortController();
	readonly #onAbort = () => this.#ending.abort(this.#options.signal.reason);
	#idle: NodeJS.Timeout | undefined;
	#host = "The server";
	#failure: ModelFailure | undefined;
	#asked = false;
	#answering = false;
	#bytes = 0;
	/** The end of the text so far. It begins with a line break, so that the mark is also found at the very start of the stream. */
	#tail = "\n";
	#sawDone = false;

	constructor(options: ExchangeOptions) {
		this.#options = options;
		this.#bounds = options.bounds ?? exchangeBounds;
		if (options.signal.aborted) this.#onAbort();
		else options.signal.addEventListener("abort", this.#onAbort, { once: true });
	}

	/** The signal for the SDK's request. */
	get signal(): AbortSignal {
		return this.#ending.signal;
	}

	/** True if the server has said that its stream is complete. */
	get sawDone(): boolean {
		return this.#sawDone;
	}

	/** Replaces the global `fetch` for the SDK. */
	readonly fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
		const url = new URL(input instanceof Request ? input.url : input);
		this.#host = url.host;
		// The SDK may not send a second request, because no receipt would record that repeat.
		if (this.#asked) throw this.#note(this.#fail("broken", "would have received the request twice, so the request was not sent again"));
		this.#asked = true;
		this.#wait();
		const response = await fetch(url, { ...init, headers: this.#headers(init), redirect: "manual", signal: this.signal });
		this.#wait();
		if (!response.ok) throw this.#note(await this.#errorOf(response));
		this.#answering = true;
		return this.#bounded(response);
	};

	/**
	 * Throws if the exchange was cut short, because the SDKs end an aborted stream as if it were complete.
	 * @throws ModelFailure or the signal's reason
	 */
	check(): void {
		if (this.#options.signal.aborted) throw this.#options.signal.reason;
		if (this.#failure !== undefined) throw this.#failure;
	}

	/** Returns the error to report for an error of the SDK, of the connection, or in reading an event. */
	reasonOf(error: unknown): unknown {
		if (this.#options.signal.aborted) return this.#options.signal.reason;
		if (this.#failure !== undefined) return this.#failure;
		if (error instanceof ModelFailure) return error;
		if (!this.#answering) return this.#fail("network", `can't be reached${codeOf(error)}`);
		const words = serverWords(wordsOf(error), this.#options.secret);
		return this.#fail("broken", words === "" ? "did not complete its answer" : `did not complete its answer: ${words}`);
	}

	[Symbol.dispose](): void {
		clearTimeout(this.#idle);
		this.#options.signal.removeEventListener("abort", this.#onAbort);
		this.#ending.abort();
	}

	#headers(init: RequestInit): Headers {
		const headers = new Headers([...new Headers(init.headers)].filter(([name]) => SENT.test(name)));
		if (this.#options.secret !== "") headers.set("authorization", `Bearer ${this.#options.secret}`);
		return headers;
	}

	/** Restarts the idle timer. */
	#wait(): void {
		if (this.#idle !== undefined) return void this.#idle.refresh();
		this.#idle = setTimeout(() => {
			const kind = this.#answering ? "broken" : "network";
			this.#note(this.#fail(kind, `sent nothing for ${spanWords(this.#bounds.idleMs)}`));
			this.#ending.abort(this.#failure);
		}, this.#bounds.idleMs);
	}

	async #errorOf(response: Response): Promise<ModelFailure> {
		let body = "";
		const decoder = new TextDecoder();
		for await (const chunk of response.body ?? []) {
			body += decoder.decode(chunk, { stream: true });
			if (body.length > ERROR_BYTES) break;
			this.#wait();
		}
		return httpFailure({ status: response.status, headers: response.headers, body }, this.#host, this.#options.secret, Date.now());
	}

	async #bounded(response: Response): Promise<Response> {
		const { status, headers, body } = response;
		if (body === null) return new Response(null, { status, headers });
		const counted = this.#count(body);
		const isDocument = /^application\/json\b/i.test(headers.get("content-type") ?? "");
		if (this.#options.takesOneDocument !== true || !isDocument) return new Response(counted, { status, headers });
		const text = await new Response(counted).text();
		this.#sawDone = true;
		// JSON allows line breaks only between tokens, where a space means the same.
		return new Response(`data: ${text.replace(/[\r\n]+/g, " ")}\n\n`, { status, headers: { "content-type": "text/event-stream" } });
	}

	#count(body: ReadableStream<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
		const reader = body.getReader();
		const holder = new EventHolder();
		return new ReadableStream({
			pull: async (controller) => {
				for (;;) {
					const { done, value } = await reader.read();
					if (done) {
						const rest = holder.rest();
						if (rest.length > 0) controller.enqueue(rest);
						return controller.close();
					}
					const whole = holder.take(this.#counted(value));
					if (whole !== undefined) return controller.enqueue(whole);
				}
			},
			cancel: (reason) => reader.cancel(reason),
		});
	}

	#counted(bytes: Uint8Array): Uint8Array {
		this.#wait();
		this.#bytes += bytes.length;
		if (this.#bytes > this.#bounds.bytes) {
			const failure = this.#note(this.#fail("broken", `sent an answer of more than ${formatBytes(this.#bounds.bytes)}`));
			this.#ending.abort(failure);
			throw failure;
		}
		this.#look(bytes);
		return bytes;
	}

	/** Looks for the mark of a complete stream, which the SDK does not pass on. */
	#look(bytes: Uint8Array): void {
		const text = this.#tail + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
		this.#sawDone ||= DONE.test(text);
		this.#tail = text.slice(-DONE_UNITS);
	}

	#fail(kind: "network" | "broken", what: string): ModelFailure {
		return new ModelFailure(kind, `${this.#host} ${what.replace(/\.$/, "")}.`);
	}

	/** Keeps the first failure, which is the cause of those that follow. */
	#note(failure: ModelFailure): ModelFailure {
		this.#failure ??= failure;
		return this.#failure;
	}
}

/** What the server said about an error, taken from the SDK's error for an event of the stream. */
function wordsOf(error: unknown): unknown {
	if (typeof error !== "object" || error === null) return "";
	if ("error" in error && typeof error.error === "object" && error.error !== null) return error.error;
	if (error instanceof SyntaxError) return "it is not in the requested format";
	// A lost connection is a TypeError with one of Node's internal messages.
	return error instanceof Error && !(error instanceof TypeError) ? error.message : "";
}

/** The system's error code of a failed connection. The message is not used, because it may contain the address and any secret in it. */
function codeOf(error: unknown): string {
	for (let cause = error; cause instanceof Error; cause = cause.cause) {
		if ("code" in cause && typeof cause.code === "string" && /^[A-Z0-9_]{3,40}$/.test(cause.code)) return ` (${cause.code})`;
	}
	return "";
}
