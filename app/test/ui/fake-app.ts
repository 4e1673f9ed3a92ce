import { vi } from "vitest";

export interface Called {
	readonly method: string;
	readonly params: Readonly<Record<string, unknown>>;
}

/** A refusal of the app, as its server answers it. */
export class Refused {
	readonly code: string;
	readonly message: string;

	constructor(code: string, message: string) {
		this.code = code;
		this.message = message;
	}
}

/** The app behind the page: what each method answers, and what was called. A function is asked anew for each call. */
export function fakeApp(answers: Readonly<Record<string, unknown>>): readonly Called[] {
	const calls: Called[] = [];
	vi.stubGlobal("fetch", async (path: string, { body }: { readonly body: string }) => {
		const method = path.split("/").at(-1) ?? "";
		const params = JSON.parse(body) as Called["params"];
		calls.push({ method, params });
		const given = answers[method];
		const answer: unknown = typeof given === "function" ? await given(params) : given;
		if (answer instanceof Refused) return Response.json({ error: { code: answer.code, message: answer.message } }, { status: 400 });
		if (answer === undefined) return Response.json({ error: { code: "INTERNAL", message: `nothing answers ${method}` } }, { status: 400 });
		return Response.json({ result: answer });
	});
	return calls;
}
