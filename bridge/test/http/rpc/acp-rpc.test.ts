import { limits } from "@xworkmate/contracts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BridgeUnderTest, startBridge, submitParams } from "../bridge-under-test.ts";
import { errorCode, exchange, json, post, rawExchange, rpcBody, type WireResponse } from "../wire-client.ts";

let bridge: BridgeUnderTest;
beforeAll(async () => {
	bridge = await startBridge();
});
afterAll(() => bridge[Symbol.asyncDispose]());

const MIB = 1024 * 1024;
const capabilities = rpcBody("acp.capabilities");
const streams = { accept: "application/json, text/event-stream" };

describe("JSON answers", () => {
	it("[T4-13] answers a request at the unified entrypoint", async () => {
		const answer = await post(bridge, capabilities);
		expect(answer.status).toBe(200);
		expect(answer.headers["content-type"]).toMatch(/^application\/json/);
		expect(json(answer)).toMatchObject({ jsonrpc: "2.0", id: 1, result: { contractVersion: 1 } });
	});

	it("takes absent params as none, and any kind of id", async () => {
		for (const id of ["a", 0, -1.5, null]) {
			expect(json(await post(bridge, { jsonrpc: "2.0", id, method: "acp.capabilities" }))).toMatchObject({ id, result: {} });
		}
	});

	it("[T4-79] answers a submit as JSON with a running handle", async () => {
		const { result } = json(await post(bridge, rpcBody("session.start", submitParams({ turnId: "handle" }))));
		expect(result).toMatchObject({ status: "queued", success: false, lastSeq: 1 });
		expect(result).not.toHaveProperty("output");
	});

	it("answers a method that does not stream with JSON, whatever is accepted", async () => {
		const answer = await post(bridge, capabilities, streams);
		expect(answer.headers["content-type"]).toMatch(/^application\/json/);
	});

	it("hides the words of its own failures", async () => {
		bridge.runs.failWith = new Error("disk secret");
		const answer = await post(bridge, rpcBody("xworkmate.tasks.list"));
		expect(json(answer).error).toMatchObject({ code: -32603, data: { code: "INTERNAL", retryable: true } });
		expect(answer.body.toString()).not.toContain("secret");
	});
});

describe("refusals", () => {
	const cases: [string, unknown, number, string][] = [
		["malformed JSON", "{", -32700, "PARSE_ERROR"],
		["an empty body", "", -32700, "PARSE_ERROR"],
		["bytes that are no UTF-8", Buffer.from([0x22, 0xff, 0x22]), -32700, "PARSE_ERROR"],
		["a string", '"text"', -32600, "INVALID_REQUEST"],
		["null", "null", -32600, "INVALID_REQUEST"],
		["an empty batch", [], -32600, "INVALID_REQUEST"],
		["another version", { jsonrpc: "1.0", id: 1, method: "acp.capabilities" }, -32600, "INVALID_REQUEST"],
		["a method that is no string", { jsonrpc: "2.0", id: 1, method: 7 }, -32600, "INVALID_REQUEST"],
		["an id that is an object", { jsonrpc: "2.0", id: {}, method: "acp.capabilities" }, -32600, "INVALID_REQUEST"],
		["a response", { jsonrpc: "2.0", id: 1, result: {} }, -32600, "INVALID_REQUEST"],
		["an unknown method", rpcBody("xworkmate.nope"), -32601, "METHOD_NOT_FOUND"],
		["a method in capitals", rpcBody("XWORKMATE.PLANS.LIST"), -32601, "METHOD_NOT_FOUND"],
		["a method of Object", rpcBody("__proto__"), -32601, "METHOD_NOT_FOUND"],
		["params in an array", rpcBody("acp.capabilities", []), -32602, "INVALID_PARAMS"],
		["params that are a string", rpcBody("acp.capabilities", "x"), -32600, "INVALID_REQUEST"],
		["an unknown parameter", rpcBody("acp.capabilities", { extra: 1 }), -32602, "INVALID_PARAMS"],
		["an own __proto__", '{"jsonrpc":"2.0","id":1,"method":"acp.capabilities","params":{"__proto__":{}}}', -32602, "INVALID_PARAMS"],
		["a missing routing", rpcBody("session.start", submitParams({ routing: undefined })), -32602, "ROUTING_REQUIRED"],
		["a subscribe without a stream", rpcBody("xworkmate.tasks.subscribe", { runId: "r" }), -32602, "STREAM_REQUIRED"],
	];
	it.each(cases)("refuses %s", async (_name, body, number, code) => {
		const answer = await post(bridge, body);
		expect(answer.status).toBe(200);
		expect(json(answer)).toMatchObject({ jsonrpc: "2.0", error: { code: number, data: { code } } });
	});

	it("names the path of a wrong parameter", async () => {
		const answer = await post(bridge, rpcBody("session.start", submitParams({ turnId: 7 })));
		expect(json(answer).error?.data.detail).toMatch(/^turnId: /);
	});

	it("takes a body nested 64 deep and refuses one nested deeper, brackets in strings aside", async () => {
		const nested = (depth: number) =>
			`{"jsonrpc":"2.0","id":1,"method":"x","params":${"[".repeat(depth - 1)}"[[{\\"["${"]".repeat(depth - 1)}}`;
		expect(errorCode(await post(bridge, nested(limits.bodyDepth)))).toBe("METHOD_NOT_FOUND");
		const answer = await post(bridge, nested(limits.bodyDepth + 1));
		expect(json(answer)).toMatchObject({ error: { code: -32600, data: { code: "INVALID_REQUEST" } } });
		expect(errorCode(await post(bridge, "[".repeat(5_000_000)))).toBe("INVALID_REQUEST");
	});

	it("refuses a body of more members than allowed before it parses it, and takes what any request needs", async () => {
		const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));
		const refused = await post(bridge, rpcBody("x", keys(limits.bodyMembers + 1)));
		expect(json(refused)).toMatchObject({ error: { data: { code: "INVALID_REQUEST", detail: expect.stringContaining("50000") } } });
		const attachments = Array.from({ length: 50 }, (_, index) => ({ name: `${index}.txt`, mimeType: "text/plain", base64: "AAAA" }));
		const batch = Array.from({ length: limits.batchItems }, () => ({
			jsonrpc: "2.0",
			id: 1,
			method: "x",
			params: submitParams({ attachments }),
		}));
		expect((await post(bridge, JSON.stringify(batch))).body.toString()).not.toContain("INVALID_REQUEST");
		const newlines = submitParams({ prompt: "\n".repeat(limits.promptBytes) });
		expect(errorCode(await post(bridge, rpcBody("x", newlines)))).toBe("METHOD_NOT_FOUND");
	});

	it("refuses a string that is longer than any request needs before it parses it, and takes the longest attachment", async () => {
		// Not JSON: a parser would have refused it.
		const refused = await post(bridge, `{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":"${"x".repeat(limits.bodyStringBytes + 1)}"`);
		expect(refused.status).toBe(413);
		expect(json(refused)).toMatchObject({
			error: { data: { code: "PAYLOAD_TOO_LARGE", detail: "A string in the body is longer than 20 MB." } },
		});
		const base64 = Buffer.alloc(limits.attachmentBytes).toString("base64");
		expect(errorCode(await post(bridge, rpcBody("x", { base64 })))).toBe("METHOD_NOT_FOUND");
	});

	it("refuses a body of 100 MB with 413 and lives on", async () => {
		const answer = await post(bridge, Buffer.alloc(100_000_000, 0x20));
		expect(answer.status).toBe(413);
		expect(json(answer)).toMatchObject({ error: { code: -32013, data: { code: "PAYLOAD_TOO_LARGE" } } });
		expect((await post(bridge, capabilities)).status).toBe(200);
	});

	it("refuses a chunked body over the limit with 413", async () => {
		const answer = await exchange(bridge, {
			method: "POST",
			headers: { "content-type": "application/json" },
			chunks: Array.from({ length: limits.bodyBytes / MIB + 1 }, () => Buffer.alloc(MIB, 0x20)),
		});
		expect(answer.status).toBe(413);
	});

	it.each(["text/plain", "application/x-www-form-urlencoded", ""])("refuses the media type %j with 415", async (type) => {
		const answer = await post(bridge, capabilities, { "content-type": type });
		expect(answer.status).toBe(415);
		expect(errorCode(answer)).toBe("UNSUPPORTED_MEDIA_TYPE");
	});

	it("refuses a compressed body with 415", async () => {
		expect((await post(bridge, capabilities, { "content-encoding": "gzip" })).status).toBe(415);
	});

	it.each(["GET", "PUT", "DELETE", "PATCH", "OPTIONS"])("refuses %s with 405", async (method) => {
		const answer = await exchange(bridge, { method });
		expect(answer.status).toBe(405);
		expect(answer.headers.allow).toBe("POST");
		expect(errorCode(answer)).toBe("METHOD_NOT_ALLOWED");
	});

	it.each(["/", "/acp", "/acp/rpc/", "/gateway/openclaw", "/acp-server/codex", "/%zz", "/../etc/passwd"])(
		"[T4-93] has nothing at %s",
		async (path) => {
			const answer = await exchange(bridge, { path, method: "POST", body: "{}" });
			expect([403, 404]).toContain(answer.status);
			expect(json(answer).error).toBeDefined();
		},
	);

	it.each([
		["what is not there", "/nope"],
		["a method that is not served", "/acp/rpc"],
		["a path that cannot be decoded", "/%zz"],
		["a name that is too long", `/runs/${"x".repeat(500)}/output`],
	])("of %s is neither stored nor taken for another type", async (_, path) => {
		const { headers } = await exchange(bridge, { path });
		expect([headers["x-content-type-options"], headers["cache-control"]]).toEqual(["nosniff", "no-store"]);
	});

	it.each([
		["bytes that are no HTTP", "\0\0 garbage\r\n\r\n"],
		["an expectation", "GET /healthz HTTP/1.1\r\nExpect: x\r\n\r\n"],
		["CONNECT", "CONNECT example.org:443 HTTP/1.1\r\n\r\n"],
	])("of %s is neither stored nor taken for another type", async (_, bytes) => {
		const [head = ""] = (await rawExchange(bridge, bytes)).toLowerCase().split("\r\n\r\n");
		expect(head.split("\r\n")).toEqual(expect.arrayContaining(["x-content-type-options: nosniff", "cache-control: no-store"]));
	});

	it("answers bytes that are no HTTP", async () => {
		const answer = await rawExchange(bridge, "\0\0 garbage\r\n\r\n");
		expect(answer).toMatch(/^HTTP\/1.1 400 [\s\S]*"code":"INVALID_REQUEST"/);
	});

	it("answers an expectation it does not meet and CONNECT with a body that says so", async () => {
		const expectation = await rawExchange(bridge, "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: x\r\n\r\n");
		expect(expectation).toMatch(/^HTTP\/1.1 417 [\s\S]*"code":"INVALID_REQUEST"/);
		const proxied = await rawExchange(bridge, "CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n");
		expect(proxied).toMatch(/^HTTP\/1.1 405 [\s\S]*"code":"METHOD_NOT_ALLOWED"/);
		const continued = { headers: { "content-type": "application/json", expect: "100-continue" }, body: JSON.stringify(capabilities) };
		expect((await exchange(bridge, { method: "POST", ...continued })).status).toBe(200);
	});

	it("refuses an attachment over the size as too large", async () => {
		const file = { name: "a.bin", mediaType: "x/y", sizeBytes: limits.attachmentBytes + 1, sha256: "0".repeat(64), base64: "" };
		expect(errorCode(await post(bridge, rpcBody("session.start", submitParams({ attachments: [file] }))))).toBe("PAYLOAD_TOO_LARGE");
	});

	it("reads an attachment of 10 MiB", async () => {
		const base64 = Buffer.alloc(limits.attachmentBytes, 7).toString("base64");
		const file = { name: "a.bin", mediaType: "x/y", sizeBytes: limits.attachmentBytes, sha256: "0".repeat(64), base64 };
		const answer = await post(bridge, rpcBody("session.start", submitParams({ turnId: "big", attachments: [file] })));
		expect(json(answer).error).toBeUndefined();
	});
});

describe("batches and notifications", () => {
	it("answers a batch in order, leaving out notifications", async () => {
		const notification = { jsonrpc: "2.0", method: "acp.capabilities" };
		const answer = await post(bridge, [rpcBody("acp.capabilities", {}, "a"), notification, rpcBody("nope", {}, "b"), 7]);
		const responses = json<WireResponse[]>(answer);
		expect(responses.map(({ id, error }) => [id, error?.data.code])).toEqual([
			["a", undefined],
			["b", "METHOD_NOT_FOUND"],
			[null, "INVALID_REQUEST"],
		]);
	});

	it("answers a batch of one with a batch", async () => {
		expect(json<WireResponse[]>(await post(bridge, [capabilities]))).toHaveLength(1);
	});

	it("refuses a batch that asks for a stream, and does none of it", async () => {
		const before = bridge.runs.submits.length;
		const answer = await post(bridge, [rpcBody("session.start", submitParams({ turnId: "in a batch" }))], streams);
		expect(json(answer)).toMatchObject({ error: { code: -32600 } });
		expect(errorCode(await post(bridge, [capabilities], { accept: "text/event-stream" }))).toBe("INVALID_REQUEST");
		expect(bridge.runs.submits).toHaveLength(before);
	});

	it("answers a batch as JSON when the client would take a stream and none of it streams", async () => {
		expect(json<WireResponse[]>(await post(bridge, [capabilities, capabilities], streams))).toHaveLength(2);
	});

	it("refuses a batch over the limit", async () => {
		const batch = Array.from({ length: limits.batchItems + 1 }, () => capabilities);
		expect(errorCode(await post(bridge, batch))).toBe("INVALID_REQUEST");
	});

	it("answers a notification without effects with nothing", async () => {
		const answer = await post(bridge, { jsonrpc: "2.0", method: "acp.capabilities" });
		expect(answer.status).toBe(204);
		expect(answer.body).toHaveLength(0);
	});

	it("refuses a notification of a method with effects, alone and in a batch", async () => {
		const notification = { jsonrpc: "2.0", method: "session.start", params: submitParams({ turnId: "unheard" }) };
		const before = bridge.runs.submits.length;
		expect(json(await post(bridge, notification))).toMatchObject({ id: null, error: { data: { code: "INVALID_REQUEST" } } });
		expect(json<WireResponse[]>(await post(bridge, [notification]))).toHaveLength(1);
		expect(bridge.runs.submits).toHaveLength(before);
	});
});
