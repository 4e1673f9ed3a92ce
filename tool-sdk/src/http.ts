import { OutcomeUnknown, ToolFailed } from "./errors.ts";
import { ExchangeFailed, exchange, type Received } from "./exchange.ts";

/** A header whose value is a secret, referred to by name, so that the value appears in no URL, error or log. */
export interface SecretHeader {
	readonly secret: string;
	/** Text before the value, such as `Bearer `. */
	readonly prefix?: string;
	/** Sends this user name with the secret as the password (HTTP basic authentication). */
	readonly user?: string;
}

type Headers = Readonly<Record<string, string | SecretHeader>>;

export interface HttpRequest {
	/** Absolute, or relative to the base URL of `at`. */
	readonly url: string;
	/** Default GET. */
	readonly method?: string;
	/** Values that are undefined are left out. */
	readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
	readonly headers?: Headers;
	/** Sent as JSON. */
	readonly json?: unknown;
	/** Sent unchanged. */
	readonly body?: string;
	/** Sent as `Idempotency-Key`, for services that support it. */
	readonly idempotencyKey?: string;
	/**
	 * Whether the server may change something. Default: true for any method but GET, HEAD, OPTIONS, PROPFIND and REPORT. Set it to false for
	 * a query that is sent by POST.
	 */
	readonly acts?: boolean;
	/**
	 * Throws for a status of 300 or more, unless it is a redirect that is followed. If false or absent, every status is returned as an
	 * answer.
	 */
	readonly okOnly?: boolean;
	/** In milliseconds, for the whole request, redirects included. Default: 30,000. */
	readonly timeoutMs?: number;
	/** The maximum number of bytes that the answer's body may have. Default: 10,000,000. */
	readonly maxBytes?: number;
}

export interface HttpAnswer {
	readonly status: number;
	/** By name, in lower case. */
	readonly headers: Readonly<Record<string, string>>;
	readonly text: string;
	/**
	 * @throws if the body is not JSON: OutcomeUnknown if the request acts and the status is below 300, or 500 or more; otherwise ToolFailed
	 */
	json(): unknown;
}

export interface Http {
	/**
	 * @throws ToolFailed if nothing was sent, if the request does not act (`acts`), or with `okOnly` for a status from 300 to 499
	 * @throws OutcomeUnknown if the request acts, may have arrived, and has no usable answer, or with `okOnly` a status of 500 or more
	 */
	request(request: HttpRequest): Promise<HttpAnswer>;
	/** A client for one server: relative URLs start at `baseUrl`, each request has these headers, and secrets are sent to no other server. */
	at(baseUrl: string, headers?: Headers): Http;
}

export interface HttpOptions {
	/** Returns the value of a secret. Throws if the tool does not list it or the user has not set it. */
	readonly secret: (name: string) => string | Promise<string>;
	/** Ends all requests. */
	readonly signal?: AbortSignal;
}

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "PROPFIND", "REPORT"]);
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 5;
const TIMEOUT_MS = 30_000;
const MAX_BYTES = 10_000_000;
/** How many characters of a refusal's body an error shows. */
const SHOWN_CHARACTERS = 300;

/** The client that a handler gets as `ctx.http`. It never repeats a request. */
export function createHttp(options: HttpOptions): Http {
	return client(options, undefined, {});
}

function client(options: HttpOptions, baseUrl: URL | undefined, headers: Headers): Http {
	return {
		request: (request) => perform({ ...request, headers: { ...headers, ...request.headers } }, options, baseUrl),
		at: (base, more = {}) => client(options, webUrl(base, baseUrl), { ...headers, ...more }),
	};
}

async function perform(request: HttpRequest, options: HttpOptions, baseUrl: URL | undefined): Promise<HttpAnswer> {
	const method = (request.method ?? "GET").toUpperCase();
	const acts = request.acts ?? !SAFE_METHODS.has(method);
	const url = webUrl(request.url, baseUrl);
	for (const [name, value] of Object.entries(request.query ?? {})) if (value !== undefined) url.searchParams.append(name, String(value));
	const { headers, secrets } = await headersOf(request, options);
	const failure = (message: string, isInDoubt: boolean) => {
		const text = withoutSecrets(message, secrets);
		return isInDoubt ? new OutcomeUnknown(text) : new ToolFailed(text);
	};
	if (secrets.length > 0 && baseUrl !== undefined && url.origin !== baseUrl.origin)
		throw failure(`${method} ${placeOf(url)} was not sent: secrets for ${baseUrl.origin} are not sent to other servers.`, false);
	if (secrets.some((secret) => url.href.includes(secret) || url.href.includes(encodeURIComponent(secret))))
		throw failure(`${method} was not sent: a secret is in the URL. Send it in a header.`, false);

	const time = AbortSignal.timeout(request.timeoutMs ?? TIMEOUT_MS);
	const sent = {
		method,
		headers,
		body: request.json === undefined ? request.body : JSON.stringify(request.json),
		maxBytes: request.maxBytes ?? MAX_BYTES,
		signal: options.signal === undefined ? time : AbortSignal.any([time, options.signal]),
	};
	const isBound = secrets.length > 0 || "authorization" in headers || "cookie" in headers;
	let at = url;
	for (let redirects = 0; ; redirects++) {
		const received = await exchange({ ...sent, url: at }).catch((error: unknown) => {
			if (!(error instanceof ExchangeFailed)) throw error;
			const isInDoubt = error.isSent && acts;
			const rest = !error.isSent ? "Nothing was sent" : acts ? "It may have acted" : "Nothing was changed";
			throw failure(`${method} ${placeOf(at)} failed: ${error.message}. ${rest}.`, isInDoubt);
		});
		const target = REDIRECTS.has(received.status) && !acts ? received.headers.location : undefined;
		if (target === undefined) return answerOf(received, request.okOnly === true);
		at = redirected(target);
		if (redirects === MAX_REDIRECTS) throw failure(`${method} ${placeOf(url)} was redirected more than ${MAX_REDIRECTS} times.`, false);
	}

	function redirected(location: string): URL {
		const next = webUrl(location, at);
		if (isBound && next.origin !== at.origin)
			throw failure(`${method} ${placeOf(at)} was redirected to ${next.origin}, and credentials are not sent there.`, false);
		return next;
	}

	function answerOf(received: Received, okOnly: boolean): HttpAnswer {
		const { status, text } = received;
		const json = () => {
			try {
				const value: unknown = JSON.parse(text);
				return value;
			} catch {
				throw failure(`${method} ${placeOf(at)} answered ${status} with text that is not JSON.`, acts && (status < 300 || status >= 500));
			}
		};
		// With 4xx, the server refused the request. With 5xx, it may have acted before it failed.
		if (okOnly && status >= 300)
			throw failure(`${method} ${placeOf(at)} answered ${status}: ${shown(withoutSecrets(text, secrets))}`, acts && status >= 500);
		return { ...received, json };
	}
}

/** @throws ToolFailed for a URL that is not valid, for another protocol, or for a user or password in the URL */
function webUrl(text: string, base: URL | undefined): URL {
	const url = URL.parse(text, base?.href);
	if (url === null) throw new ToolFailed("The URL is not valid. Use an absolute URL, or one relative to the server's URL.");
	if (url.protocol !== "http:" && url.protocol !== "https:") throw new ToolFailed(`URLs begin with https: or http:, not ${url.protocol}`);
	if (url.username !== "" || url.password !== "")
		throw new ToolFailed(`The URL of ${url.host} has a user or password in it. Send them in a header.`);
	url.hash = "";
	return url;
}

async function headersOf(request: HttpRequest, options: HttpOptions): Promise<{ headers: Record<string, string>; secrets: string[] }> {
	const headers: Record<string, string> = { accept: "*/*", "user-agent": "xworkmate-tool", "accept-encoding": "identity" };
	const secrets: string[] = [];
	if (request.json !== undefined) headers["content-type"] = "application/json";
	else if (request.body !== undefined) headers["content-type"] = "text/plain; charset=utf-8";
	if (request.idempotencyKey !== undefined) headers["idempotency-key"] = request.idempotencyKey;
	for (const [name, value] of Object.entries(request.headers ?? {})) {
		if (typeof value === "string") {
			headers[name.toLowerCase()] = value;
			continue;
		}
		const secret = await options.secret(value.secret);
		const basic = value.user === undefined ? undefined : Buffer.from(`${value.user}:${secret}`).toString("base64");
		headers[name.toLowerCase()] = basic === undefined ? `${value.prefix ?? ""}${secret}` : `Basic ${basic}`;
		secrets.push(...(basic === undefined ? [secret] : [secret, basic]).filter((text) => text !== ""));
	}
	return { headers, secrets };
}

/** Leaves out the query, which may contain private data. */
function placeOf({ origin, pathname }: URL): string {
	return `${origin}${pathname}`;
}

function shown(body: string): string {
	const text = body.replace(/\s+/g, " ").trim();
	return text === "" ? "no explanation" : text.slice(0, SHOWN_CHARACTERS);
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
	return secrets.reduce((rest, secret) => rest.replaceAll(secret, "[secret]"), text);
}
