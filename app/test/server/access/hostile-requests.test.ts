import { truncateSync } from "node:fs";
import { get } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { archiveRoute, eventsRoute, fileRoute } from "../../../src/api/ui-routes.ts";
import { securityHeaders } from "../../../src/server/access/security-headers.ts";
import { deliver } from "../../support/deliver.ts";
import { UiScene } from "../../support/ui-scene.ts";

let ui: UiScene;
beforeAll(async () => {
	ui = await UiScene.open();
	await ui.signIn();
});
afterAll(() => ui[Symbol.asyncDispose]());

/** What the server answers to these lines, which no client would send. */
async function say(...lines: readonly string[]): Promise<string> {
	const socket = connect(Number(ui.port), "127.0.0.1");
	socket.write([...lines, "Connection: close", "", ""].join("\r\n"));
	return await text(socket);
}

describe("a request that no browser makes", () => {
	it.each(["GET /% HTTP/1.1", "GET /files/%E0%A4%A/r/<script> HTTP/1.1", "POST /api/%zz HTTP/1.1"])(
		"%s is refused without a word of it, under the same policy",
		async (line) => {
			const answer = await say(line, "Host: evil.example");
			expect(answer).toMatch(/^HTTP\/1\.1 400 /);
			for (const name of Object.keys(securityHeaders)) expect(answer).toContain(`\n${name}: `);
			expect(answer.split("\r\n\r\n")[1]).not.toMatch(/%|script|files/);
		},
	);

	it.each(["OPTIONS", "TRACE", "PUT", "DELETE", "HEAD"])("%s is for nothing here", async (method) => {
		const headers = { cookie: ui.cookie, origin: ui.url };
		for (const path of ["/api/gatewayQueue", "/api/changes", "/files/t/r/a.md"]) {
			const answer = await ui.request(method, path, headers);
			expect([path, answer.status]).toEqual([path, 404]);
			expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
		}
	});

	it("becomes no other protocol", async () => {
		const host = `Host: 127.0.0.1:${ui.port}`;
		const answer = await say("GET /api/queue HTTP/1.1", host, "Upgrade: websocket", "Sec-WebSocket-Key: eHh4eHh4eHh4eHh4eHh4eA==");
		expect(answer).not.toMatch(/^HTTP\/1\.1 101/);
	});

	it.each(['{"__proto__":{"a":1}}', '{"constructor":{"prototype":{"a":1}}}', "[]", '"x"', "[".repeat(100_000), ""])(
		"with the body %j is refused",
		async (body) => {
			const headers = { cookie: ui.cookie, origin: ui.url, "content-type": "application/json" };
			expect(await ui.request("POST", "/api/gatewayQueue", headers, body.slice(0, 100_000))).toMatchObject({ status: 400 });
			expect(ui.errors).toEqual([]);
		},
	);

	it("for a turn that is not there ends with the reason", async () => {
		const { threadId } = await ui.scene.send("words");
		expect((await ui.get(eventsRoute("none", "none"))).body).toContain("THREAD_NOT_FOUND");
		expect((await ui.get(eventsRoute(threadId, "none"))).body).toContain("TURN_NOT_FOUND");
	});
});

describe("every answer", () => {
	it.each([
		["the page", "/", 200],
		["an address of the page", "/new", 200],
		["what is not there", "/none.js", 404],
		["a used link", "/open/none", 410],
		["a call without a session", "/api/changes", 401],
		["a file that is none", "/files/t/r/a.md", 401],
		["a parameter that is too long", `/archives/${"x".repeat(5_000)}/r.zip`, 404],
	])("carries the policy: %s", async (_, path, status) => {
		const answer = await ui.request("GET", path);
		expect(answer.status).toBe(status);
		expect(answer.headers).toMatchObject(securityHeaders);
	});
});

describe("a file that is cut while it is sent", () => {
	it.each(["file", "zip", "tar"] as const)("breaks the answer at once, so that nobody waits for the rest: %s", async (as) => {
		const { threadId, folder, list } = await deliver(ui, { "a.bin": Buffer.alloc(16 * 1024 * 1024, "x") });
		const runId = (await list())[0]?.runId ?? "";
		const path = as === "file" ? fileRoute(threadId, runId, "a.bin", "download") : archiveRoute(threadId, runId, as);
		const { promise, resolve } = Promise.withResolvers<string>();
		get(ui.url + path, { headers: { cookie: ui.cookie } }, (response) => {
			response.once("data", () => truncateSync(join(folder, "a.bin"), 1_000));
			response.on("data", () => undefined);
			response.on("error", () => resolve("broken"));
			response.on("end", () => resolve("whole"));
		}).on("error", () => resolve("broken"));
		expect(await promise).toBe("broken");
	});
});
