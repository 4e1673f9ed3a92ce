import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { createWebhookServer, type WebhookLimits } from "../../../src/http/webhooks/webhook-server.ts";
import { signature, statusCall } from "./signed.ts";

const secrets = { appSecret: "an-app-secret", verifyToken: "a-verify-token" };

async function openDoor(terms: { limits?: Partial<WebhookLimits>; secrets?: Partial<typeof secrets>; take?: () => Promise<void> } = {}) {
	const taken: unknown[] = [];
	const errors: unknown[] = [];
	const server = createWebhookServer({
		whatsapp: {
			secrets: () => terms.secrets ?? secrets,
			take: async (body) => {
				await terms.take?.();
				taken.push(body);
			},
		},
		onError: (error) => errors.push(error),
		...(terms.limits && { limits: terms.limits }),
	});
	const port = await server.listen({ host: "127.0.0.1", port: 0 });
	const url = `http://127.0.0.1:${port}/webhooks/whatsapp`;
	const post = (body: string | Buffer, headers: Record<string, string> = { "x-hub-signature-256": signature(body, secrets.appSecret) }) =>
		fetch(url, { method: "POST", headers, body: new Uint8Array(Buffer.from(body)) });
	return { taken, errors, port, url, post, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

const call = statusCall("wamid.1", "failed", { errors: [{ code: 131047, title: "Re-engagement/é" }] });

describe("a call", () => {
	it("that is signed over its bytes is taken before it is answered", async () => {
		await using door = await openDoor();
		const response = await door.post(call);
		expect([response.status, await response.text()]).toEqual([200, ""]);
		expect(door.taken).toEqual([JSON.parse(call)]);
	});

	it.each([
		["unsigned", (): Record<string, string> => ({})],
		["with an empty signature", () => ({ "x-hub-signature-256": "" })],
		["signed by sha1 alone", () => ({ "x-hub-signature": signature(call, secrets.appSecret, "sha1") })],
		["with sha1 as sha256", () => ({ "x-hub-signature-256": signature(call, secrets.appSecret, "sha1") })],
		["signed by another secret", () => ({ "x-hub-signature-256": signature(call, "another") })],
		["signed by no secret", () => ({ "x-hub-signature-256": signature(call, "") })],
		["signed over what was parsed", () => ({ "x-hub-signature-256": signature(JSON.stringify(JSON.parse(call)), secrets.appSecret) })],
		["with a signature in capitals", () => ({ "x-hub-signature-256": signature(call, secrets.appSecret).toUpperCase() })],
		["with half a signature", () => ({ "x-hub-signature-256": signature(call, secrets.appSecret).slice(0, 39) })],
	])("%s is refused, and nothing of it is taken", async (_what, headers) => {
		await using door = await openDoor();
		const response = await door.post(call, headers());
		expect([response.status, await response.text()]).toEqual([401, ""]);
		expect(door.taken).toEqual([]);
	});

	it("is refused while no secret is set", async () => {
		await using door = await openDoor({ secrets: {} });
		expect((await door.post(call)).status).toBe(401);
		await using empty = await openDoor({ secrets: { appSecret: "", verifyToken: "" } });
		expect((await empty.post(call, { "x-hub-signature-256": signature(call, "") })).status).toBe(401);
		expect((await fetch(`${empty.url}?hub.mode=subscribe&hub.verify_token=&hub.challenge=1`)).status).toBe(403);
	});

	it("that can't be stored is not answered as taken, so that it is told again", async () => {
		await using door = await openDoor({ take: () => Promise.reject(new Error("the disk is full")) });
		expect((await door.post(call)).status).toBe(503);
		expect(door.errors).toHaveLength(1);
		expect(JSON.stringify(door.errors.map(String))).not.toContain(secrets.appSecret);
	});

	it("that is signed and is no JSON is refused", async () => {
		await using door = await openDoor();
		expect((await door.post("{")).status).toBe(400);
	});

	it("may have 3 MB, and not one byte more, whether it says its size or not", async () => {
		await using door = await openDoor({ limits: { bodyBytes: 1_000 } });
		const body = JSON.stringify("x".repeat(998));
		expect((await door.post(body)).status).toBe(200);
		expect((await door.post(`${body} `)).status).toBe(413);
		await using usual = await openDoor();
		const large = Buffer.alloc(10 * 1024 * 1024, 32);
		const end = await usual.post(large).then(
			({ status }) => status,
			// The bridge does not wait for the rest of it.
			() => 413,
		);
		expect(end).toBe(413);
		const pieces = await spoken(
			usual.port,
			`POST /webhooks/whatsapp HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${chunk(4 * 1024 * 1024)}`,
		);
		expect(pieces).toMatch(/^HTTP\/1.1 413 /);
		expect(usual.taken).toEqual([]);
	});
});

describe("the question whether the listener is ours", () => {
	const ask = (url: string, query: Record<string, string>) => fetch(`${url}?${new URLSearchParams(query)}`);
	const right = { "hub.mode": "subscribe", "hub.verify_token": secrets.verifyToken, "hub.challenge": "1158201444" };

	it("is answered to who knows the token", async () => {
		await using door = await openDoor();
		const response = await ask(door.url, right);
		expect([response.status, await response.text(), response.headers.get("content-type")]).toEqual([
			200,
			"1158201444",
			"text/plain; charset=utf-8",
		]);
	});

	it.each([
		["a wrong token", { ...right, "hub.verify_token": "a-verify-tokeN" }, 403],
		["a token that is longer", { ...right, "hub.verify_token": `${secrets.verifyToken}x` }, 403],
		["no token", { "hub.mode": "subscribe", "hub.challenge": "1" }, 403],
		["another mode", { ...right, "hub.mode": "unsubscribe" }, 403],
		["no challenge", { "hub.mode": "subscribe", "hub.verify_token": secrets.verifyToken }, 403],
		["a challenge that is a page", { ...right, "hub.challenge": "<script>" }, 400],
	] as const)("is refused with %s", async (_what, query, status) => {
		await using door = await openDoor();
		const response = await ask(door.url, query);
		expect([response.status, await response.text()]).toEqual([status, ""]);
	});
});

describe("the listener", () => {
	it.each([
		"/",
		"/acp/rpc",
		"/healthz",
		"/webhooks",
		"/webhooks/whatsapp/",
		"//webhooks/whatsapp",
		"/webhooks/whatsapp%2f",
		"/webhooks/discord",
	])("has nothing at %s, whoever asks", async (path) => {
		await using door = await openDoor();
		const url = `http://127.0.0.1:${door.port}${path}`;
		const signed = { "x-hub-signature-256": signature(call, secrets.appSecret), authorization: "Bearer a-token" };
		for (const response of [await fetch(url), await fetch(url, { method: "POST", headers: signed, body: call })])
			expect([response.status, await response.text()]).toEqual([404, ""]);
		expect(door.taken).toEqual([]);
	});

	it.each(["PUT", "DELETE", "OPTIONS", "PATCH"])("does not know %s", async (method) => {
		await using door = await openDoor();
		expect((await fetch(door.url, { method })).status).toBe(404);
	});

	it("says nothing to what is not HTTP", async () => {
		await using door = await openDoor();
		expect(await spoken(door.port, "\x16\x03\x01\x02\x00\r\n\r\n")).toBe("");
	});

	it("ends connections that dawdle, and keeps answering others", { timeout: 20_000 }, async () => {
		await using door = await openDoor({ limits: { headMs: 300, requestMs: 600 } });
		const slowHead = spoken(door.port, "POST /webhooks/whatsapp HTTP/1.1\r\nHost: a\r\nX-");
		const slowBody = spoken(door.port, "POST /webhooks/whatsapp HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{");
		expect((await door.post(call)).status).toBe(200);
		expect(await slowHead).toBe("");
		expect(await slowBody).not.toMatch(/ 200 /);
		expect(door.taken).toHaveLength(1);
	});

	it("has room for so many connections, and for others once they are gone", async () => {
		await using door = await openDoor({ limits: { connections: 2 } });
		const held = [await connected(door.port), await connected(door.port)];
		await expect(door.post(call)).rejects.toThrow();
		for (const socket of held) {
			const closed = once(socket, "close");
			socket.destroy();
			await closed;
		}
		await expect
			.poll(
				() =>
					door.post(call).then(
						({ status }) => status,
						() => 0,
					),
				{ timeout: 5_000 },
			)
			.toBe(200);
	});
});

it("a call that is being stored when the bridge ends is stored before its answer, or gets none", async () => {
	const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
	const { promise: stored, resolve: store } = Promise.withResolvers<void>();
	const door = await openDoor({
		take: () => {
			begin();
			return stored;
		},
	});
	const answer = door.post(call);
	await begun;
	const closed = door[Symbol.asyncDispose]();
	store();
	expect((await answer).status).toBe(200);
	await closed;
	expect(door.taken).toHaveLength(1);
});

async function connected(port: number): Promise<Socket> {
	const socket = connect(port, "127.0.0.1");
	socket.on("error", () => undefined);
	socket.write("POST /webhooks/whatsapp HTTP/1.1\r\n");
	await once(socket, "connect");
	return socket;
}

/** All that is answered until the connection ends. */
async function spoken(port: number, text: string): Promise<string> {
	const socket = connect(port, "127.0.0.1");
	socket.on("error", () => undefined);
	let said = "";
	socket.setEncoding("utf8").on("data", (piece) => {
		said += piece;
	});
	const closed = once(socket, "close");
	socket.write(text);
	await closed;
	return said;
}

function chunk(size: number): string {
	return `${size.toString(16)}\r\n${"x".repeat(size)}\r\n`;
}
