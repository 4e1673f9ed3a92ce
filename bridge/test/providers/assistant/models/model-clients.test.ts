import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { ModelClient, ModelCredential, ModelFailure, ModelReply, ModelRequest } from "../../../../src/ports/models/model-client.ts";
import { AnthropicClient } from "../../../../src/providers/assistant/models/anthropic/anthropic-client.ts";
import type { ExchangeBounds } from "../../../../src/providers/assistant/models/exchange/exchange.ts";
import { OpenAiClient } from "../../../../src/providers/assistant/models/openai/openai-client.ts";
import { asking, failure, key, never, secret, useFakeModel } from "./model-rig.ts";

const bounds: ExchangeBounds = { bytes: 1_000_000, idleMs: 5_000 };
const wires: readonly (readonly [string, (url: string, bounds: ExchangeBounds, model?: string) => ModelClient])[] = [
	["anthropic", (url, bounds, model) => new AnthropicClient({ url, bounds, ...(model === undefined ? {} : { model }) })],
	[
		"openai chat",
		(url, bounds, model) => new OpenAiClient({ url: `${url}/v1`, wire: "chat", bounds, ...(model === undefined ? {} : { model }) }),
	],
	[
		"openai responses",
		(url, bounds, model) => new OpenAiClient({ url: `${url}/v1`, wire: "responses", bounds, ...(model === undefined ? {} : { model }) }),
	],
];

const fake = useFakeModel();

afterEach(() => vi.unstubAllEnvs());

describe.each(wires)("%s", (_, connect) => {
	const ask = (
		request: ModelRequest,
		more: { credential?: ModelCredential; onText?: (text: string) => void; signal?: AbortSignal; bounds?: ExchangeBounds } = {},
	) => connect(fake().url, more.bounds ?? bounds).ask(request, more.credential ?? key, more.onText ?? (() => {}), more.signal ?? never());

	it("streams a text in pieces, which together are the reply", async () => {
		const pieces: string[] = [];
		const reply = await ask(asking("FAKE:SAY a text that is longer than a piece"), { onText: (text) => pieces.push(text) });
		expect(pieces.length).toBeGreaterThan(1);
		expect(pieces.join("")).toBe("a text that is longer than a piece");
		expect(reply).toEqual({
			parts: [{ kind: "text", text: "a text that is longer than a piece" }],
			stop: "ended",
			usage: { inputTokens: 123, outputTokens: 45 },
		} satisfies ModelReply);
	});

	it("gives calls with their input, and shows their results to the model", async () => {
		const user = { role: "user", text: 'FAKE:TOOL execute {"program":"return 1 // ein Häuschen 家"} ;; SAY thanks' } as const;
		const first = await ask(asking("", { messages: [user] }));
		const [, call] = first.parts;
		expect(first.stop).toBe("calls");
		expect(call).toMatchObject({ kind: "call", tool: "execute", input: { program: "return 1 // ein Häuschen 家" } });
		const callId = call?.kind === "call" ? call.callId : "";
		const results = { role: "tools", results: [{ callId, text: "it returned 1", isError: false }] } as const;
		const second = await ask(asking("", { messages: [user, { role: "assistant", parts: first.parts }, results] }));
		expect(second.parts).toEqual([{ kind: "text", text: "thanks" }]);
		expect(JSON.stringify((await fake().requests()).at(-1)?.body)).toContain("it returned 1");
	});

	it("says that an input was no JSON, and can show it to the model again", async () => {
		const user = { role: "user", text: 'FAKE:RAW execute {"program": "retu ;; SAY mended' } as const;
		const { parts } = await ask(asking("", { messages: [user] }));
		expect(parts[1]).toMatchObject({ kind: "call", input: '{"program": "retu', unreadable: true });
		const callId = parts[1]?.kind === "call" ? parts[1].callId : "";
		const results = { role: "tools", results: [{ callId, text: "not JSON", isError: true }] } as const;
		const again = await ask(asking("", { messages: [user, { role: "assistant", parts }, results] }));
		expect(again.parts).toEqual([{ kind: "text", text: "mended" }]);
	});

	it("takes an answer without a word for what it is", async () => {
		expect((await ask(asking("FAKE:NOTHING"))).parts).toEqual([]);
	});

	it.each<readonly [string, object, Partial<ModelFailure>]>([
		["401", { status: 401, type: "authentication_error" }, { kind: "auth" }],
		["403", { status: 403 }, { kind: "auth" }],
		["402", { status: 402 }, { kind: "billing" }],
		["400 without credit", { status: 400, message: "Your credit balance is too low to access the API." }, { kind: "billing" }],
		["429 without quota", { status: 429, type: "insufficient_quota" }, { kind: "billing" }],
		["429", { status: 429, headers: { "retry-after": "7" } }, { kind: "rate_limited", retryAfterMs: 7_000 }],
		[
			"429 that names billing",
			{ status: 429, message: "Rate limit reached. Add a payment method in your billing settings." },
			{ kind: "rate_limited" },
		],
		["429 with a time that is past", { status: 429, headers: { "retry-after": "-5" } }, { kind: "rate_limited", retryAfterMs: undefined }],
		["529", { status: 529 }, { kind: "overloaded" }],
		["503", { status: 503, headers: { "x-should-retry": "true" } }, { kind: "overloaded" }],
		["404", { status: 404, message: "no model fake-model" }, { kind: "refused" }],
		["413", { status: 413 }, { kind: "refused" }],
		["422", { status: 422 }, { kind: "refused" }],
		["307", { status: 307, headers: { location: "http://127.0.0.1:9/elsewhere" } }, { kind: "refused" }],
		["an error in the stream", { stream: "error", message: "it is overloaded" }, { kind: "broken" }],
		[
			"a stream that is cut",
			{ stream: "cut" },
			{ kind: "broken", message: expect.stringMatching(/^127\.0\.0\.1:\d+ did not complete its answer\.$/) },
		],
		["a stream that ends half-way", { stream: "end" }, { kind: "broken" }],
	])("%s", async (_name, behaviour, expected) => {
		await fake().tell({ secret, ...behaviour });
		const before = (await fake().requests()).length;
		expect(await failure(ask(asking("FAKE:SAY whole")))).toMatchObject(expected);
		const made = (await fake().requests()).slice(before).filter(({ headers }) => headers !== undefined);
		expect(made).toHaveLength(1);
	});

	it("says what the server said, in one line, bounded, and never the secret", async () => {
		const said = `the key ${secret} is bad\n\u202e${"x".repeat(10_000)}`;
		await fake().tell({ secret, status: 400, message: said });
		const { kind, message } = await failure(ask(asking("hello")));
		expect(kind).toBe("refused");
		expect(message).toContain("the key [redacted] is bad \\u{202e}xxx");
		expect(message.length).toBeLessThan(800);
		await fake().tell({ secret, stream: "error", message: said });
		const broken = await failure(ask(asking("hello")));
		expect(broken.message).toContain("[redacted]");
		expect(broken.message).not.toContain(secret);
	});

	it("takes bytes of no protocol for a broken answer", async () => {
		expect(await failure(ask(asking("FAKE:GARBAGE")))).toMatchObject({ kind: "broken" });
	});

	it("knows a server that is gone", async () => {
		const server = createServer().listen(0, "127.0.0.1");
		await new Promise((resolve) => server.once("listening", resolve));
		const { port } = server.address() as AddressInfo;
		await new Promise((resolve) => server.close(resolve));
		const gone = await failure(connect(`http://127.0.0.1:${port}`, bounds).ask(asking("hello"), key, () => {}, never()));
		expect(gone).toMatchObject({ kind: "network", message: `127.0.0.1:${port} can't be reached (ECONNREFUSED).` });
	});

	it("waits for a byte only so long, before an answer and within it", async () => {
		const brief = { ...bounds, idleMs: 300 };
		await fake().tell({ secret, stream: "silent" });
		expect(await failure(ask(asking("hello"), { bounds: brief }))).toMatchObject({
			kind: "broken",
			message: expect.stringContaining("0.3 s"),
		});
		const server = createServer(() => {}).listen(0, "127.0.0.1");
		await new Promise((resolve) => server.once("listening", resolve));
		const { port } = server.address() as AddressInfo;
		const silent = await failure(connect(`http://127.0.0.1:${port}`, brief).ask(asking("hello"), key, () => {}, never()));
		server.closeAllConnections();
		server.close();
		expect(silent).toMatchObject({ kind: "network" });
	});

	it("reads no more than the bound", async () => {
		await fake().tell({ secret, stream: "flood" });
		expect(await failure(ask(asking("hello")))).toMatchObject({
			kind: "broken",
			message: expect.stringContaining("more than 1 MB"),
		});
	});

	it("ends at once when it is stopped, with the reason", async () => {
		const reason = new Error("stopped by a person");
		const stop = new AbortController();
		const stopped = ask(asking("FAKE:SLOW 60"), { signal: stop.signal, onText: () => stop.abort(reason) });
		await expect(stopped).rejects.toBe(reason);
		await expect(ask(asking("hello"), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
		await vi.waitFor(async () => expect((await fake().requests()).at(-1)).toMatchObject({ abortedByCaller: true }));
	});

	it("gives an error of its caller as it is", async () => {
		const own = new Error("the log is closed");
		const thrown = ask(asking("FAKE:SAY words"), {
			onText: () => {
				throw own;
			},
		});
		await expect(thrown).rejects.toBe(own);
	});

	it("[T1-51] takes its credential from its caller alone, and imitates no client", async () => {
		const foreign = "sk-foreign-000000000000000000000000";
		for (const name of [
			"ANTHROPIC_API_KEY",
			"ANTHROPIC_AUTH_TOKEN",
			"OPENAI_API_KEY",
			"OPENAI_ORG_ID",
			"OPENAI_PROJECT_ID",
			"OPENAI_ADMIN_KEY",
		]) {
			vi.stubEnv(name, foreign);
		}
		const headers = `Authorization: Bearer ${foreign}\nx-api-key: ${foreign}\ncookie: ${foreign}`;
		vi.stubEnv("ANTHROPIC_CUSTOM_HEADERS", headers);
		vi.stubEnv("OPENAI_CUSTOM_HEADERS", headers);
		vi.stubEnv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9");
		vi.stubEnv("OPENAI_BASE_URL", "http://127.0.0.1:9");
		await ask(asking("FAKE:SAY hello"));
		const sent = (await fake().requests()).findLast((request) => request.headers !== undefined);
		expect(sent?.headers).toMatchObject({
			authorization: `Bearer ${secret}`,
			"user-agent": expect.stringMatching(/^(?:Anthropic|OpenAI)\/JS /),
		});
		expect(JSON.stringify(sent)).not.toContain(foreign);
		expect(JSON.stringify(sent?.body)).not.toMatch(/claude code/i);
	});

	it("lists the models, the chosen one first", async () => {
		expect(await connect(fake().url, bounds).models(key, never())).toEqual(["fake-model", "fake-small"]);
		expect(await connect(fake().url, bounds, "fake-small").models(key, never())).toEqual(["fake-small", "fake-model"]);
		await fake().tell({ secret, status: 401 });
		expect(await failure(connect(fake().url, bounds, "fake-small").models(key, never()))).toMatchObject({ kind: "auth" });
	});

	it("sends names and texts that a server takes back", async () => {
		const parts = [{ kind: "call", callId: "call_1", tool: "no such tool; 家", input: ["a list"] }] as const;
		const results = { role: "tools", results: [{ callId: "call_1", text: "half a pair \ud800", isError: true }] } as const;
		const reply = await ask(asking("", { messages: [{ role: "user", text: "hello" }, { role: "assistant", parts }, results] }));
		expect(reply.stop).toBe("ended");
		const body = JSON.stringify((await fake().requests()).at(-1)?.body);
		expect(body).toContain("no_such_tool___");
		expect(body).not.toContain("d800");
	});
});
