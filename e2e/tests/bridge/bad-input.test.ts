import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type BridgeProcess, startBridge } from "../../support/bridge/bridge-process.ts";
import { writeReport } from "../../support/bridge/scripts.ts";
import { settle, timeless } from "../../support/bridge/settle.ts";
import { within } from "../../support/machine/wait-until.ts";
import { BareClient, type HttpCall } from "../../support/wire/bare-client.ts";
import { refused } from "../../support/wire/refused.ts";
import { turn } from "../../support/wire/turn.ts";
import { type Refusal, RpcResponse, type TaskSnapshot } from "../../support/wire/wire.ts";

let bridge: BridgeProcess;
let client: BareClient;
let before: TaskSnapshot;

beforeAll(async () => {
	bridge = await startBridge();
	client = bridge.client();
	before = (await settle(client, turn({ prompt: writeReport, providerId: "script" }))).snapshot;
});
// After every attack: the same process answers, and nothing was lost.
afterEach(async () => {
	expect(timeless(await client.snapshot({ runId: before.runId }))).toBe(timeless(before));
	process.kill(bridge.pid, 0);
});
afterAll(() => bridge[Symbol.asyncDispose]());

async function refusalOf(call: HttpCall, via: BareClient = client): Promise<Refusal & { readonly status: number }> {
	const answer = await via.http(call);
	const { error } = RpcResponse.parse(JSON.parse(answer.body.toString("utf8")));
	if (error === undefined) throw new Error(`answered with ${answer.status} ${answer.body.toString("utf8").slice(0, 200)}`);
	expect(error.data.fix, "every refusal says what to do").toBeTruthy();
	return { ...error, status: answer.status };
}

const post = (body: string | Buffer, headers: Record<string, string> = {}): HttpCall => ({
	method: "POST",
	path: "/acp/rpc",
	body,
	headers,
});
const call = (method: unknown, params: unknown = {}) => post(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
const nested = (depth: number) => `{"jsonrpc":"2.0","id":1,"method":"acp.capabilities","params":${"[".repeat(depth)}${"]".repeat(depth)}}`;
const good = turn({ prompt: "return 1", providerId: "script" });

it.each<[string, HttpCall, string, number]>([
	["no JSON", post("{"), "PARSE_ERROR", 200],
	["an empty body", post(""), "PARSE_ERROR", 200],
	["bytes that are not UTF-8", post(Buffer.from([0x7b, 0xff, 0xfe, 0x7d])), "PARSE_ERROR", 200],
	["a number", post("7"), "INVALID_REQUEST", 200],
	["null", post("null"), "INVALID_REQUEST", 200],
	["an empty batch", post("[]"), "INVALID_REQUEST", 200],
	["no jsonrpc", post('{"id":1,"method":"acp.capabilities"}'), "INVALID_REQUEST", 200],
	["a method that is a number", call(7), "INVALID_REQUEST", 200],
	["nesting beyond 64", post(nested(70)), "INVALID_REQUEST", 200],
	["nesting without end", post(nested(200_000)), "INVALID_REQUEST", 200],
	["an unknown method", call("session.explode"), "METHOD_NOT_FOUND", 200],
	["a method in capitals", call("XWORKMATE.PLANS.LIST"), "METHOD_NOT_FOUND", 200],
	["a method of Object", call("constructor"), "METHOD_NOT_FOUND", 200],
	["a method of a prototype", call("__proto__"), "METHOD_NOT_FOUND", 200],
	["params that are an array", call("acp.capabilities", [1]), "INVALID_PARAMS", 200],
	["an unknown param", call("acp.capabilities", { more: 1 }), "INVALID_PARAMS", 200],
	["a param of the wrong type", call("xworkmate.tasks.get", { runId: 7 }), "INVALID_PARAMS", 200],
	["a run id with a path in it", call("xworkmate.tasks.get", { runId: "../../token" }), "INVALID_PARAMS", 200],
	["a run nobody knows", call("xworkmate.tasks.get", { runId: "nobody" }), "NOT_FOUND", 200],
	["a limit beyond the bound", call("xworkmate.tasks.list", { limit: 100_000 }), "INVALID_PARAMS", 200],
	["a damaged cursor", call("xworkmate.tasks.list", { cursor: "AAAA" }), "INVALID_PARAMS", 200],
	["no routing", call("session.start", { ...good, routing: undefined }), "ROUTING_REQUIRED", 200],
	[
		"an unknown provider",
		call("session.start", { ...good, routing: { executionTarget: "agent", providerId: "nobody" } }),
		"PROVIDER_NOT_FOUND",
		200,
	],
	["an empty prompt", call("session.start", { ...good, prompt: " \n" }), "INVALID_PARAMS", 200],
	["a thread id with a control character", call("session.start", { ...good, threadId: "a\u0000b" }), "INVALID_PARAMS", 200],
	["an attachment whose name is a path", call("session.start", { ...good, attachments: [attached("../x")] }), "INVALID_PARAMS", 200],
	[
		"a required glob that climbs",
		call("session.start", turn({ prompt: "1", providerId: "script", required: ["../*"] })),
		"INVALID_PARAMS",
		200,
	],
	["a body that says it is text", post("{}", { "content-type": "text/plain" }), "UNSUPPORTED_MEDIA_TYPE", 415],
	["GET on the endpoint", { path: "/acp/rpc" }, "METHOD_NOT_ALLOWED", 405],
	["a path with a climb", { path: "/acp/../healthz" }, "NOT_FOUND", 404],
])("refuses %s", async (_, request, code, status) => {
	const refusal = await refusalOf(request);
	expect(refusal).toMatchObject({ status, data: { code } });
});

it.each(["/gateway/openclaw", "/acp-server/codex", "/acp", "/"])("[T4-93] does not serve %s", async (path) => {
	expect(await refusalOf({ ...call("acp.capabilities"), path })).toMatchObject({ status: 404, data: { code: "NOT_FOUND" } });
});

function attached(name: string) {
	return { name, mediaType: "text/plain", sizeBytes: 0, sha256: "0".repeat(64), base64: "" };
}

it("refuses an attachment whose bytes are not what it says", async () => {
	const refusal = await refused(client.rpc("session.start", { ...good, attachments: [{ ...attached("a.txt"), sizeBytes: 0 }] }));
	expect(refusal.data.code).toBe("INVALID_PARAMS");
});

it("names the parameter, and repeats no secret", async () => {
	const refusal = await refused(client.rpc("session.start", { ...good, turnId: 9, prompt: "a secret prompt" }));
	expect(refusal.data.detail).toContain("turnId");
	expect(JSON.stringify(refusal)).not.toContain("a secret prompt");
});

it("serves a batch of JSON answers, and refuses a notification with effects", async () => {
	const one = { jsonrpc: "2.0", id: 1, method: "acp.capabilities", params: {} };
	const answer = await client.http(post(JSON.stringify([one, { ...one, id: 2, method: "nope" }])));
	const answers = RpcResponse.array().parse(JSON.parse(answer.body.toString("utf8")));
	expect(answers.find(({ id }) => id === 1)?.result).toBeDefined();
	expect(answers.find(({ id }) => id === 2)?.error?.data.code).toBe("METHOD_NOT_FOUND");
	const silent = turn({ prompt: "return 1", providerId: "script" });
	await client.http(post(JSON.stringify({ jsonrpc: "2.0", method: "session.start", params: silent })));
	expect((await refused(client.snapshot({ threadId: silent.threadId, turnId: silent.turnId }))).data.code).toBe("NOT_FOUND");
});

it.each([
	["that says so", {}],
	["that does not say its size", { "transfer-encoding": "chunked" }],
])("refuses a body of 100 MB %s", async (_, headers) => {
	// A sender that asks for the connection's end may lose the answer with it, so it does not.
	const refusal = await refusalOf(post(Buffer.alloc(100 * 1024 * 1024, "1"), { ...headers, connection: "keep-alive" }));
	expect(refusal).toMatchObject({ status: 413, data: { code: "PAYLOAD_TOO_LARGE" } });
});

it("does not wait for a body that is too large to be read", async () => {
	const socket = connect({ host: "127.0.0.1", port: bridge.port });
	socket.write(`POST /acp/rpc HTTP/1.1\r\nHost: 127.0.0.1:${bridge.port}\r\nAuthorization: Bearer ${bridge.token}\r\n`);
	socket.write("Content-Type: application/json\r\nContent-Length: 104857600\r\n\r\n");
	const [answer] = await within("the answer", 5_000, once(socket, "data")).finally(() => socket.destroy());
	expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /);
});

it("asks for its token, and takes it from nowhere but the header", async () => {
	const request = call("acp.capabilities");
	expect(await refusalOf({ ...request, authorized: false })).toMatchObject({ status: 401, data: { code: "UNAUTHENTICATED" } });
	const wrong = new BareClient({ url: bridge.url, token: "x".repeat(43) });
	expect(await refusalOf(request, wrong)).toMatchObject({ status: 401, data: { code: "UNAUTHENTICATED" } });
	for (const query of ["token", "access_token", "Authorization"]) {
		const inUrl = { ...request, path: `/acp/rpc?${query}=${bridge.token}`, authorized: false };
		expect(await refusalOf(inUrl)).toMatchObject({ status: 401, data: { code: "UNAUTHENTICATED" } });
	}
	expect((await client.http({ path: "/healthz", authorized: false })).body.toString("utf8")).toBe('{"status":"ok"}');
	for (const path of ["/metrics", "/openrpc.json", `/artifacts/${before.runId}`]) {
		expect((await client.http({ path, authorized: false })).status, path).toBe(401);
		expect((await client.http({ path })).status, path).toBe(200);
	}
});

it.each([
	["a foreign Host", { host: "evil.example" }, "FORBIDDEN_HOST"],
	["a Host that only begins like ours", { host: "127.0.0.1.evil.example" }, "FORBIDDEN_HOST"],
	["a foreign Origin", { origin: "https://evil.example" }, "FORBIDDEN_ORIGIN"],
	["the Origin of a file", { origin: "null" }, "FORBIDDEN_ORIGIN"],
])("refuses %s before it looks at the token", async (_, headers, code) => {
	for (const authorized of [true, false]) {
		const refusal = await refusalOf({ ...call("acp.capabilities"), headers, authorized });
		expect(refusal).toMatchObject({ status: 403, data: { code } });
	}
	expect((await client.http({ path: "/healthz", headers })).status).toBe(403);
});

it("limits guessing, and says so", async () => {
	await using guarded = await startBridge();
	const guesser = new BareClient({ url: guarded.url, token: "y".repeat(43) });
	const codes = [];
	for (let guess = 0; guess < 25; guess++) codes.push((await refusalOf(call("acp.capabilities"), guesser)).data.code);
	expect(codes.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => "UNAUTHENTICATED"));
	expect(codes.at(-1)).toBe("RATE_LIMITED");
	expect(guarded.output).not.toContain("y".repeat(43));
});

it("writes neither token nor prompt to its log", async () => {
	const secret = "the person's own words";
	await settle(
		client,
		turn({ prompt: `return '${secret.replace("'", "")}'`, providerId: "script", more: { workspaceContext: "private context" } }),
	);
	expect(bridge.output).not.toContain(bridge.token);
	expect(bridge.output).not.toContain("own words");
	expect(bridge.output).not.toContain("private context");
});
