import { readFileSync } from "node:fs";
import { request } from "node:https";
import { limits } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { startBridge, TOKEN } from "./bridge-under-test.ts";
import { errorCode, exchange, post, rawExchange, rpcBody } from "./wire-client.ts";

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

it("stops an address after 20 wrong tokens in a minute, the right one too, and lets it in again afterwards", async () => {
	await using bridge = await startBridge();
	for (let count = 0; count < limits.failedAuthPerMinute; count++) {
		expect((await exchange(bridge, { ...call, token: `guess ${count}`.replace(" ", "") })).status).toBe(401);
	}
	for (const token of ["guess", TOKEN]) {
		const answer = await exchange(bridge, { ...call, token });
		expect([answer.status, errorCode(answer)]).toEqual([429, "RATE_LIMITED"]);
	}
	expect((await exchange(bridge, { path: "/healthz", token: undefined })).status).toBe(200);
	bridge.advance(60_000);
	expect((await exchange(bridge, { ...call })).status).toBe(200);
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
