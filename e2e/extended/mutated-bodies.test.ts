import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { z } from "zod";
import { startBridge } from "../support/bridge/bridge-process.ts";
import { mutatedBody, type Sample } from "../support/hostile/body-mutator.ts";
import { KeepAlivePosts, type PostAnswer } from "../support/wire/keep-alive-posts.ts";
import { Refusal, RpcResponse } from "../support/wire/wire.ts";

const BODIES = 100_000;
const CONNECTIONS = 16;
const MAX_PROBLEMS = 10;
/** Codes for the transport's own errors, by HTTP status (docs/protocol.md#transport). */
const transportCodes: Readonly<Record<number, string>> = { 413: "PAYLOAD_TOO_LARGE", 415: "UNSUPPORTED_MEDIA_TYPE" };

const Fixtures = z.record(z.string(), z.object({ accepted: z.array(z.unknown()) }));
const fixtures = new URL("../../contracts/test/fixtures/requests.json", import.meta.url);

it(`answers ${BODIES} mutated bodies with well-formed JSON-RPC or the documented transport error`, { timeout: 600_000 }, async () => {
	const seed = Date.now() % 1_000_000_000;
	const samples = await readSamples();
	await using bridge = await startBridge({ env: { XWORKMATE_LOG_LEVEL: "error" } });
	const pid = bridge.pid;
	using posts = new KeepAlivePosts({ url: bridge.url, token: bridge.token, connections: CONNECTIONS });
	const problems: string[] = [];
	const kinds = new Map<string, number>();
	const numbers = Array.from({ length: BODIES }, (_, index) => index).values();
	const worker = async () => {
		for (const number of numbers) {
			if (problems.length >= MAX_PROBLEMS) return;
			const body = mutatedBody(samples, seed + number);
			const answer = await posts.post(body).catch(String);
			const kind = typeof answer === "string" ? { problem: answer } : judged(answer, bridge.token);
			if ("problem" in kind)
				problems.push(`mutatedBody(samples, ${seed + number}) ${JSON.stringify(body.toString("utf8").slice(0, 300))}: ${kind.problem}`);
			else kinds.set(kind.kind, (kinds.get(kind.kind) ?? 0) + 1);
		}
	};
	await Promise.all(Array.from({ length: CONNECTIONS }, worker));
	console.log(`seed ${seed}: ${[...kinds].map(([kind, count]) => `${count} ${kind}`).join(", ")}`);
	expect(problems, `seed ${seed}`).toEqual([]);
	expect((await bridge.client().http({ path: "/healthz" })).status).toBe(200);
	expect(bridge.pid).toBe(pid);
	expect(bridge.output).not.toContain(bridge.token);
});

/** What the contract accepts, method by method; the samples of its parts stand for the methods that take them. */
async function readSamples(): Promise<readonly Sample[]> {
	const read = Fixtures.parse(JSON.parse(await readFile(fixtures, "utf8")));
	const accepted = (name: string) => read[name]?.accepted ?? [];
	const named = Object.keys(read).flatMap((name) => {
		const method = /^(\S+) params$/.exec(name)?.[1];
		return method === undefined ? [] : accepted(name).map((params) => ({ method, params }));
	});
	const turns = ["session.start", "session.message"].flatMap((method) => accepted("SubmitParams").map((params) => ({ method, params })));
	const refs = ["xworkmate.tasks.get", "xworkmate.tasks.cancel"].flatMap((method) =>
		accepted("TaskRef").map((params) => ({ method, params })),
	);
	const samples = [...named, ...turns, ...refs];
	if (samples.length < 20) throw new Error(`only ${samples.length} samples were found`);
	return samples;
}

function judged({ status, headers, body }: PostAnswer, token: string): { kind: string } | { problem: string } {
	const text = body.toString("utf8");
	if (text.includes(token) || JSON.stringify(headers).includes(token)) return { problem: "the token is in the answer" };
	// Notifications alone have no answer.
	if (status === 204 || status === 202)
		return text === "" ? { kind: String(status) } : { problem: `${status} with a body: ${text.slice(0, 200)}` };
	const parsed = parseAnswer(text);
	if (typeof parsed === "string") return { problem: `HTTP ${status}, ${parsed}: ${text.slice(0, 300)}` };
	if (status !== 200) {
		const code = parsed[0]?.error?.data.code;
		return code !== undefined && code === transportCodes[status]
			? { kind: `${status} ${code}` }
			: { problem: `HTTP ${status} with ${text.slice(0, 300)}` };
	}
	const codes = new Set(parsed.map(({ error }) => error?.data.code ?? "result"));
	if (codes.has("INTERNAL")) return { problem: `INTERNAL: ${text.slice(0, 300)}` };
	return { kind: parsed.length === 1 ? [...codes].join() : "batch" };
}

/** The responses of an answer, or what is wrong with it. */
function parseAnswer(text: string): z.infer<typeof RpcResponse>[] | string {
	try {
		const json: unknown = JSON.parse(text);
		const responses = z
			.array(RpcResponse)
			.min(1)
			.parse(Array.isArray(json) ? json : [json]);
		for (const response of responses) {
			if ((response.error === undefined) === (response.result === undefined)) return "neither result nor error, or both";
			if (response.error !== undefined) Refusal.parse(response.error);
		}
		return responses;
	} catch (error) {
		return `malformed (${error instanceof Error ? error.message.slice(0, 200) : String(error)})`;
	}
}
