/** A client for HTTP services, bound to one call. */
export type Http = (url: string, init?: RequestInit) => Promise<Response>;

export interface HttpOptions {
	/** Aborted when the call is cancelled. */
	readonly signal: AbortSignal;
	/** The value of a secret that the tool names. */
	readonly secret: (name: string) => string;
	readonly idempotencyKey: string;
}

export function createHttp({ signal }: HttpOptions): Http {
	return (url, init) => fetch(url, { signal, redirect: "error", ...init });
}
