export interface HttpOptions {
	/** The value of a secret that the tool names. */
	readonly secret: (name: string) => string | Promise<string>;
	/** Ends all requests. */
	readonly signal?: AbortSignal;
}

/** A client for HTTP services, bound to one call. */
export interface Http {
	request(request: { readonly url: string; readonly method?: string }): Promise<{ readonly status: number; readonly text: string }>;
}

export function createHttp({ signal }: HttpOptions): Http {
	return {
		request: async ({ url, method = "GET" }) => {
			const answer = await fetch(url, { method, redirect: "error", ...(signal === undefined ? {} : { signal }) });
			return { status: answer.status, text: await answer.text() };
		},
	};
}
