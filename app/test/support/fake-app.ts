/** What a page's call was. */
export interface AppCall {
	readonly method: string;
	readonly params: Readonly<Record<string, unknown>>;
}

/** A stream of lines that a page follows. */
export class LineStream {
	readonly path: string;
	#controller: ReadableStreamDefaultController<Uint8Array> | undefined;
	closed = false;
	readonly response: Response;

	constructor(path: string, signal: AbortSignal | undefined) {
		this.path = path;
		const body = new ReadableStream<Uint8Array>({
			start: (controller) => {
				this.#controller = controller;
			},
			cancel: () => {
				this.closed = true;
			},
		});
		signal?.addEventListener("abort", () => this.break());
		this.response = new Response(body);
	}

	/** Bytes as they come over the wire; a line may come in pieces. */
	write(text: string): void {
		if (!this.closed) this.#controller?.enqueue(new TextEncoder().encode(text));
	}

	line(value: object): void {
		this.write(`${JSON.stringify(value)}\n`);
	}

	end(): void {
		if (!this.closed) this.#controller?.close();
		this.closed = true;
	}

	/** The connection is gone. */
	break(): void {
		if (!this.closed) this.#controller?.error(new Error("the connection is gone"));
		this.closed = true;
	}
}

type Answer = (params: AppCall["params"]) => unknown;

/** The app as a page reaches it, in place of `fetch`, until it is disposed of. */
export class FakeApp implements Disposable {
	readonly calls: AppCall[] = [];
	readonly streams: LineStream[] = [];
	/** By method; what a call is answered with, or throws. */
	readonly answers = new Map<string, Answer>([
		["cancelTurn", () => ({ applied: true })],
		["listTools", () => ({ integrations: [] })],
	]);
	/** False = no one answers. */
	isThere = true;
	/** Calls arrive, and nothing answers them. */
	dropsAnswers = false;
	/** Calls of these methods do not arrive, whatever else does. */
	readonly lost = new Set<string>();
	/** A status other than 200 for whatever is asked. */
	status = 200;
	readonly #real = globalThis.fetch;

	constructor() {
		globalThis.fetch = (input, init) => this.#fetch(String(input), init);
	}

	/** Calls of one method. */
	of(method: string): readonly AppCall["params"][] {
		return this.calls.filter((call) => call.method === method).map(({ params }) => params);
	}

	get stream(): LineStream | undefined {
		return this.streams.at(-1);
	}

	[Symbol.dispose](): void {
		globalThis.fetch = this.#real;
		for (const stream of this.streams) stream.end();
	}

	async #fetch(path: string, { method = "GET", body, signal }: RequestInit = {}): Promise<Response> {
		signal?.throwIfAborted();
		if (!this.isThere) throw new TypeError("nobody answers");
		if (this.status !== 200) return refusal(this.status, { code: "UNAUTHENTICATED", message: "this browser has no session" });
		if (method === "GET") {
			const stream = new LineStream(path, signal ?? undefined);
			this.streams.push(stream);
			return stream.response;
		}
		const call = { method: path.replace("/api/", ""), params: JSON.parse(String(body)) };
		this.calls.push(call);
		if (this.lost.has(call.method)) throw new TypeError("the connection is gone");
		if (this.dropsAnswers) throw new TypeError("the connection is gone");
		try {
			return Response.json({ result: (await this.answers.get(call.method)?.(call.params)) ?? null });
		} catch (error) {
			return refusal(400, { code: error instanceof Error ? error.name : "INTERNAL", message: String(error) });
		}
	}
}

function refusal(status: number, error: object): Response {
	return Response.json({ error }, { status });
}
