import { readFileSync } from "node:fs";
import { request } from "node:https";
import { limits } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { startBridge, submitParams, TOKEN } from "../bridge-under-test.ts";
import { type Answer, errorCode, exchange, post, rawExchange, respond, rpcBody } from "../wire-client.ts";

const capabilities = JSON.stringify(rpcBody("acp.capabilities"));
const call = { method: "POST", body: capabilities };

it.each([undefined, "", "wrong", `${TOKEN}x`, TOKEN.slice(1)])("refuses the token %j", async (token) => {
	await using bridge = await startBridge();
	const answer = await exchange(bridge, { ...call, token });
	expect([answer.status, errorCode(answer)]).toEqual([401, "UNAUTHENTICATED"]);
	expect(answer.headers["www-authenticate"]).toBe("Bearer");
});

it("asks for the token on every path but /healthz, also on those that do not exist", async () => {
	await using bridge = await startBridge();
	for (const path of ["/metrics", "/openrpc.json", "/artifacts/r", "/runs/r/output", "/nope"]) {
		expect((await exchange(bridge, { path, token: undefined })).status, path).toBe(401);
	}
	const health = await exchange(bridge, { path: "/healthz", token: undefined });
	expect([health.status, health.body.toString()]).toEqual([200, '{"status":"ok"}']);
});

it("reads no body of one who is not let in", async () => {
	await using bridge = await startBridge();
	expect((await exchange(bridge, { ...call, token: "wrong", body: "{".repeat(1_000_000) })).status).toBe(401);
});

it.each(["evil.example", "127.0.0.1.evil.example", "localhost.", "[::2]:80", "a b", "localhost:80:80", "::1"])(
	"refuses the Host %j, on /healthz too",
	async (host) => {
		await using bridge = await startBridge();
		for (const path of ["/acp/rpc", "/healthz"]) {
			const answer = await exchange(bridge, { method: "GET", path, headers: { host } });
			expect([answer.status, errorCode(answer)]).toEqual([403, "FORBIDDEN_HOST"]);
		}
	},
);

it("takes the hosts of loopback and those that are configured, on any port", async () => {
	await using bridge = await startBridge({ allowedHosts: ["bridge.example"] });
	for (const host of ["localhost", "LOCALHOST:1", "127.0.0.1:8787", "[::1]:8787", "bridge.example", "Bridge.Example:443"]) {
		expect((await exchange(bridge, { ...call, headers: { host } })).status, host).toBe(200);
	}
});

it("answers a request without a Host", async () => {
	await using bridge = await startBridge();
	const answer = await rawExchange(bridge, "GET /healthz HTTP/1.0\r\n\r\n");
	expect(answer).toMatch(/403[\s\S]*FORBIDDEN_HOST/);
});

it("refuses every Origin that is not configured", async () => {
	await using bridge = await startBridge({ allowedOrigins: ["https://app.example"] });
	for (const origin of ["https://evil.example", "null", "http://app.example", "https://app.example:444", "http://127.0.0.1:8787"]) {
		const answer = await exchange(bridge, { ...call, headers: { origin } });
		expect([answer.status, errorCode(answer)], origin).toEqual([403, "FORBIDDEN_ORIGIN"]);
	}
	expect((await exchange(bridge, { ...call, headers: { origin: "https://app.example" } })).status).toBe(200);
});

describe("a page of an allowed origin", () => {
	const origin = "https://app.example";
	const preflight = {
		method: "OPTIONS",
		token: undefined,
		headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "authorization,content-type" },
	};
	const corsHeaders = (answer: Answer) => Object.keys(answer.headers).filter((name) => name.startsWith("access-control-"));

	it("may ask without a token what it may send, of any path and as often as it likes", async () => {
		await using bridge = await startBridge({ allowedOrigins: [origin] });
		for (let count = 0; count <= limits.failedAuthPerMinute; count++) {
			const answer = await exchange(bridge, { ...preflight, path: count % 2 === 0 ? "/acp/rpc" : "/nope" });
			expect([answer.status, answer.body.length]).toEqual([204, 0]);
			expect(answer.headers).toMatchObject({
				"access-control-allow-origin": origin,
				"access-control-allow-methods": expect.stringContaining("POST"),
				"access-control-allow-headers": expect.stringMatching(/authorization.*content-type/),
				vary: "origin",
			});
		}
		expect((await exchange(bridge, { ...call, headers: { origin } })).status).toBe(200);
	});

	it("may read answers, files, streams and refusals, and needs the token for them", async () => {
		await using bridge = await startBridge({ allowedOrigins: [origin] });
		const runId = await bridge.withArtifacts({ "a.txt": "a", "large.bin": Buffer.alloc(2_000_000) });
		const reads = [
			{ ...call, status: 200 },
			{ path: `/artifacts/${runId}/a.txt`, status: 200 },
			{ path: `/artifacts/${runId}/large.bin`, status: 200 },
			{ path: `/artifacts/${runId}`, status: 200 },
			{ path: `/artifacts/${runId}/a.txt`, token: undefined, status: 401 },
			{ method: "OPTIONS", token: undefined, status: 401 },
		];
		for (const { status, ...read } of reads) {
			const answer = await exchange(bridge, { ...read, headers: { origin } });
			expect([answer.status, answer.headers["access-control-allow-origin"], answer.headers.vary]).toEqual([status, origin, "origin"]);
			expect(answer.headers["access-control-expose-headers"]).toContain("content-range");
		}
		const body = JSON.stringify(rpcBody("session.start", submitParams()));
		const stream = await respond(bridge, { method: "POST", body, headers: { origin, accept: "text/event-stream" } });
		expect([stream.statusCode, stream.headers["access-control-allow-origin"]]).toEqual([200, origin]);
		stream.destroy();
	});

	it("is the only one that is told so", async () => {
		await using bridge = await startBridge({ allowedOrigins: [origin] });
		const foreign = await exchange(bridge, { ...preflight, headers: { ...preflight.headers, origin: "https://evil.example" } });
		expect([foreign.status, errorCode(foreign), corsHeaders(foreign)]).toEqual([403, "FORBIDDEN_ORIGIN", []]);
		const elsewhere = await exchange(bridge, { ...preflight, headers: { ...preflight.headers, host: "evil.example" } });
		expect([elsewhere.status, errorCode(elsewhere), corsHeaders(elsewhere)]).toEqual([403, "FORBIDDEN_HOST", []]);
		expect(corsHeaders(await exchange(bridge, call))).toEqual([]);
	});
});

it("refuses a token in the URL, even beside a right header, and logs no token ever", async () => {
	await using bridge = await startBridge();
	for (const query of [`token=${TOKEN}`, "access_token=x", `anything=${TOKEN}`, `a=1&TOKEN=${TOKEN}`]) {
		const answer = await exchange(bridge, { ...call, path: `/acp/rpc?${query}` });
		expect([answer.status, errorCode(answer)], query).toEqual([401, "UNAUTHENTICATED"]);
		expect((await exchange(bridge, { ...call, path: `/acp/rpc?${query}`, token: undefined })).status).toBe(401);
	}
	await exchange(bridge, { ...call, token: `${TOKEN}-wrong` });
	expect(bridge.logged.length).toBeGreaterThan(0);
	expect(bridge.logged.join("")).not.toContain(TOKEN);
});

it("logs no prompt and no context", async () => {
	await using bridge = await startBridge();
	const params = { prompt: "private words", workspaceContext: "private context" };
	bridge.runs.failWith = new Error("boom");
	await post(
		bridge,
		rpcBody("session.start", { sessionId: "s", threadId: "s", turnId: "t", routing: { executionTarget: "agent" }, ...params }),
	);
	await post(bridge, `{"prompt":"private words"`);
	expect(bridge.logged.join("")).toContain("internal");
	expect(bridge.logged.join("")).not.toContain("private");
});

it("stops the wrong tokens of an address after 20 in a minute, never the right one", async () => {
	await using bridge = await startBridge();
	for (let count = 0; count < limits.failedAuthPerMinute; count++) {
		expect((await exchange(bridge, { ...call, token: `guess ${count}`.replace(" ", "") })).status).toBe(401);
	}
	for (let round = 0; round < 5; round++) {
		for (const token of ["guess", undefined]) {
			const answer = await exchange(bridge, { ...call, token });
			expect([answer.status, errorCode(answer)]).toEqual([429, "RATE_LIMITED"]);
		}
		expect((await exchange(bridge, { ...call, token: TOKEN })).status).toBe(200);
	}
	expect((await exchange(bridge, { path: "/healthz", token: undefined })).status).toBe(200);
	bridge.advance(60_000);
	expect((await exchange(bridge, { ...call, token: "guess" })).status).toBe(401);
});

it("stops requests without a token too, which lock nobody out", async () => {
	await using bridge = await startBridge();
	for (let count = 0; count < limits.failedAuthPerMinute; count++) await exchange(bridge, { ...call, token: undefined });
	expect((await exchange(bridge, { ...call, token: undefined })).status).toBe(429);
	expect((await exchange(bridge, { ...call })).status).toBe(200);
});

it("serves https with a certificate", async () => {
	const pem = (name: string) => readFileSync(new URL(`./fixtures/localhost.${name}.pem`, import.meta.url), "utf8");
	const tls = { cert: pem("cert"), key: pem("key") };
	await using bridge = await startBridge({ tls });
	const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
	request({ port: bridge.port, host: "127.0.0.1", path: "/healthz", ca: tls.cert, agent: false }, (response) => {
		response.resume();
		resolve(response.statusCode);
	})
		.once("error", reject)
		.end();
	expect(await promise).toBe(200);
});
