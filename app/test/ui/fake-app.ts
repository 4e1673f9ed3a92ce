import { vi } from "vitest";

export interface Called {
	readonly method: string;
	readonly params: Readonly<Record<string, unknown>>;
}

/** A refusal of the app, as its server answers it. */
export class Refused {
	readonly code: string;
	readonly message: string;
	readonly fix: string | undefined;

	constructor(code: string, message: string, fix?: string) {
		this.code = code;
		this.message = message;
		this.fix = fix;
	}
}

interface Sent {
	readonly body?: string;
	readonly signal?: AbortSignal;
}

/** The app behind the page: what each method answers, and what was called. A function is asked again for each call. */
export function fakeApp(answers: Readonly<Record<string, unknown>>): readonly Called[] {
	const calls: Called[] = [];
	vi.stubGlobal("fetch", async (path: string, { body, signal }: Sent) => {
		const [address = "", query] = path.split("?");
		const method = address.split("/").at(-1) ?? "";
		const params = (body === undefined ? Object.fromEntries(new URLSearchParams(query)) : JSON.parse(body)) as Called["params"];
		calls.push({ method, params });
		const given = answers[method];
		const answer: unknown = typeof given === "function" ? await given(params) : given;
		// What a stream ends with, or the whole of it.
		if (answer instanceof ReadableStream) return new Response(endedBy(answer, signal));
		if (body === undefined) return new Response(`${JSON.stringify(lastLine(answer))}\n`);
		if (answer instanceof Refused) {
			const { code, message, fix } = answer;
			return Response.json({ error: { code, message, ...(fix !== undefined && { fix }) } }, { status: 400 });
		}
		if (answer === undefined) return Response.json({ error: { code: "INTERNAL", message: `nothing answers ${method}` } }, { status: 400 });
		return Response.json({ result: answer });
	});
	return calls;
}

/** Breaks off as a browser does when the page no longer wants it. */
function endedBy(answer: ReadableStream<Uint8Array>, signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
	const through = new TransformStream<Uint8Array, Uint8Array>({
		start: (out) => signal?.addEventListener("abort", () => out.error(signal.reason)),
	});
	return answer.pipeThrough(through);
}

function lastLine(answer: unknown): object {
	if (answer instanceof Refused) return { type: "refused", failure: { code: answer.code, message: answer.message } };
	return { type: "ended", result: answer };
}
