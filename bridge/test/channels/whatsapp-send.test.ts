import { createServer as createHttpServer } from "node:http";
import { createServer, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listenOnLoopback } from "../../../e2e/support/machine/listen-on-loopback.ts";
import { aMessage, JONAS, WhatsAppScene } from "./whatsapp-scene.ts";

let scene: WhatsAppScene;
beforeAll(async () => {
	scene = await WhatsAppScene.open();
});
afterAll(async () => await scene[Symbol.asyncDispose]());

const count = async () => (await scene.whatsapp.messages()).length;
const pdf = { name: "out/list.pdf", mediaType: "application/pdf", bytes: Buffer.from("%PDF-1.7\n\n beaches") };

describe("[T2-61] a WhatsApp message that is handed over", () => {
	it("arrives once, byte for byte as it was built, with our id and nothing of the plan", async () => {
		const before = await count();
		const { payload, parts } = await scene.built();
		const outcome = await scene.channel().send(payload, async () => undefined, new AbortController().signal);
		const messages = await scene.whatsapp.messages();
		expect(messages).toHaveLength(before + 1);
		const sent = messages.at(-1);
		expect(outcome).toEqual({ kind: "accepted", proof: "accepted", providerMessageId: sent?.id });
		expect(sent?.body).toBe(Buffer.from(payload.bytes).toString("utf8"));
		expect(sent).toMatchObject({ to: JONAS.slice(1), callbackData: "plan1-1-1" });
		expect(JSON.parse(sent?.body ?? "")).toMatchObject({ text: { body: aMessage.text } });
		expect(parts).toMatchObject([{ kind: "text", text: aMessage.text }]);
		for (const inner of ["Bali", "Jonas", "2026"]) expect(sent?.body).not.toContain(inner);
	});

	it("awaits its proof where webhooks are listened to, and only there", async () => {
		expect(await scene.send({}, scene.channel(true))).toMatchObject({ kind: "accepted", proof: "accepted", awaitsProof: true });
		expect(await scene.send({}, scene.channel(false))).not.toHaveProperty("awaitsProof");
		const { accessToken = "" } = scene.stored.secrets;
		const all = scene.stored.secrets;
		scene.stored.secrets = { accessToken };
		expect(await scene.send({}, scene.channel(true))).not.toHaveProperty("awaitsProof");
		scene.stored.secrets = all;
	});

	it("is on record before its first byte leaves, and does not leave where that fails", async () => {
		const { payload } = await scene.built();
		const refusal = new Error("the disk is full");
		let seen: readonly string[] = [];
		let connection = 0;
		const sending = scene.channel().send(
			payload,
			async () => {
				const last = (await scene.whatsapp.noted("the connection", (events) => events.at(-1)?.event === "connect")).at(-1);
				connection = last?.connection ?? 0;
				throw refusal;
			},
			new AbortController().signal,
		);
		await expect(sending).rejects.toBe(refusal);
		const journal = await scene.whatsapp.noted("the end of the connection", (events) =>
			events.some((one) => one.connection === connection && one.event === "close"),
		);
		seen = journal.filter((one) => one.connection === connection).map(({ event }) => event);
		expect(seen).toEqual(["connect", "close"]);
	});

	it("uses a connection of its own for each message", async () => {
		const before = (await scene.whatsapp.journal()).length;
		await scene.send();
		await scene.send();
		const accepted = (await scene.whatsapp.journal()).slice(before).filter(({ event }) => event === "accepted");
		expect(new Set(accepted.map(({ connection }) => connection)).size).toBe(2);
	});

	it("brings one file, which is uploaded before it is handed over", async () => {
		const before = (await scene.whatsapp.journal()).length;
		const { payload, parts } = await scene.built({ files: [pdf] });
		const order: string[] = [];
		const outcome = await scene.channel().send(
			payload,
			async () => {
				const events = (await scene.whatsapp.journal()).slice(before);
				order.push(...events.map(({ event }) => event).filter((event) => event === "media" || event === "messages"));
			},
			new AbortController().signal,
		);
		expect(outcome).toMatchObject({ kind: "accepted" });
		expect(order).toEqual(["media"]);
		const [file] = (await scene.whatsapp.media()).slice(-1);
		expect(file).toMatchObject({ type: "application/pdf", base64: pdf.bytes.toString("base64") });
		const body = JSON.parse((await scene.whatsapp.messages()).at(-1)?.body ?? "");
		expect(body).toMatchObject({ type: "document", document: { id: file?.id, caption: aMessage.text, filename: "list.pdf" } });
		expect(parts).toMatchObject([{ kind: "text" }, { kind: "file", name: "list.pdf", bytes: pdf.bytes.length }]);
	});

	it("says of several files, and of a long text beside one, that they can't go along", async () => {
		await expect(scene.built({ files: [pdf, pdf] })).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE", message: /one file/ });
		await expect(scene.built({ files: [pdf], text: "x".repeat(1_025) })).rejects.toMatchObject({ message: /1024/ });
		const large = { ...pdf, bytes: Buffer.alloc(100 * 1024 * 1024 + 1) };
		const message = "list.pdf is 104857601 bytes, but WhatsApp accepts files of at most 104857600 bytes.";
		await expect(scene.built({ files: [large] })).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE", message });
	});
});

const held = (code: string) => ({ kind: "held", code });
const refused = (code: string) => ({ kind: "refused", code });
const passing = { kind: "passing" };
const unknown = { kind: "no_answer" };

describe("[T2-67] what happened to a WhatsApp message is known from the phase and the answer", () => {
	it.for([
		[0, held("CHANNEL_AUTH")],
		[3, held("CHANNEL_AUTH")],
		[10, held("CHANNEL_AUTH")],
		[190, held("CHANNEL_AUTH")],
		[200, held("CHANNEL_AUTH")],
		[131005, held("CHANNEL_AUTH")],
		[33, held("CHANNEL_UNAVAILABLE")],
		[133010, held("CHANNEL_UNAVAILABLE")],
		[368, held("CHANNEL_BLOCKED")],
		[131031, held("CHANNEL_BLOCKED")],
		[131042, held("CHANNEL_BLOCKED")],
		[131048, held("CHANNEL_BLOCKED")],
		[131047, held("WINDOW_CLOSED")],
		[132000, held("TEMPLATE_INVALID")],
		[132001, held("TEMPLATE_INVALID")],
		[132007, held("TEMPLATE_INVALID")],
		[132015, held("TEMPLATE_INVALID")],
		[131021, refused("RECIPIENT_REFUSED")],
		[131026, refused("RECIPIENT_REFUSED")],
		[131030, refused("RECIPIENT_REFUSED")],
		[100, refused("CONTENT_REFUSED")],
		[131009, refused("CONTENT_REFUSED")],
		[4, passing],
		[80007, passing],
		[130429, passing],
		[131056, passing],
		[1, unknown],
		[2, unknown],
		[131000, unknown],
		[131016, unknown],
		[135000, unknown],
		[999999, unknown],
	] as const)("error %i", async ([code, outcome]) => {
		const before = await count();
		await scene.whatsapp.fail({ kind: "error", code });
		const end = await scene.send();
		expect(end).toMatchObject({ ...outcome, handedOver: 1, message: expect.any(String) });
		if (end.kind === "held" || end.kind === "refused")
			expect([end.message, end.fix]).toEqual([expect.stringContaining(String(code)), expect.any(String)]);
		expect(await count()).toBe(before);
	});

	it.for([
		["a bare 500", { status: 500 }, unknown],
		["a bare 502", { status: 502, body: "<html>Bad Gateway</html>" }, unknown],
		["a bare 503", { status: 503, headers: { "retry-after": "1" } }, unknown],
		["a bare 400", { status: 400, body: "no" }, unknown],
		["a bare 429", { status: 429, headers: { "retry-after": "7" } }, { ...passing, retryAfterMs: 7_000 }],
		["JSON that says nothing", { status: 200, body: "{}" }, unknown],
		["no JSON", { status: 200, body: "accepted!" }, unknown],
		["two ids", { status: 200, body: '{"messages":[{"id":"a"},{"id":"b"}]}' }, unknown],
		["an id of a wrong kind", { status: 200, body: '{"messages":[{"id":5}]}' }, unknown],
		["accepted, with another status", { status: 202, body: '{"messages":[{"id":"wamid.A"}]}' }, unknown],
		["an error whose number is a text", { status: 400, body: '{"error":{"code":"190","message":"x"}}' }, unknown],
	] as const)("answered with %s", async ([, reply, outcome]) => {
		const before = await count();
		await scene.whatsapp.fail({ kind: "reply", ...reply });
		expect(await scene.send()).toMatchObject({ ...outcome, handedOver: 1 });
		expect(await count()).toBe(before);
	});

	it("obeys how long it is to wait", async () => {
		await scene.whatsapp.fail({ kind: "error", code: 130429, headers: { "retry-after": "60" } });
		expect(await scene.send()).toMatchObject({ ...passing, retryAfterMs: 60_000 });
	});

	it.for([
		["body", 0],
		["read", 0],
		["stored", 1],
		["answer", 1],
	] as const)("cut at %s, and never sent again by itself", async ([stage, taken]) => {
		const before = await count();
		const requests = (await scene.whatsapp.journal()).filter(({ event }) => event === "messages").length;
		await scene.whatsapp.fail({ stage, kind: "cut" });
		const message = expect.stringMatching(/may have received the message, but did not say/);
		expect(await scene.send()).toMatchObject({ ...unknown, handedOver: 1, message });
		expect(await count()).toBe(before + taken);
		expect((await scene.whatsapp.journal()).filter(({ event }) => event === "messages")).toHaveLength(requests + 1);
	});

	it.for([["connect"], ["body"], ["read"], ["stored"], ["answer"]] as const)("silent at %s", async ([stage]) => {
		await scene.whatsapp.fail({ stage, kind: "hang" });
		const faults = async () => (await scene.whatsapp.journal()).filter(({ event }) => event === "fault").length;
		const before = await faults();
		expect(await scene.send({}, scene.channel(false, 300))).toMatchObject({ ...unknown, handedOver: 1 });
		expect(await faults()).toBe(before + 1);
	});

	it("silent while the connection is to be encrypted: nothing has left", async () => {
		const { settings } = scene.stored;
		const held: Socket[] = [];
		await using silent = createServer((socket) => void held.push(socket.on("error", () => undefined)));
		const port = await listenOnLoopback(silent);
		scene.stored.settings = { ...settings, baseUrl: `https://127.0.0.1:${port}` };
		expect(await scene.send({}, scene.channel(false, 300, 300))).toMatchObject({ ...passing, handedOver: 0 });
		scene.stored.settings = settings;
		expect(held).toHaveLength(1);
		for (const socket of held) socket.destroy();
	});

	it("given up on while it is silent", async () => {
		const controller = new AbortController();
		await scene.whatsapp.fail({ stage: "stored", kind: "hang" });
		const faults = (await scene.whatsapp.journal()).filter(({ event }) => event === "fault").length;
		const sending = scene.send({}, scene.channel(), controller.signal);
		await scene.whatsapp.noted("a silent answer", (events) => events.filter(({ event }) => event === "fault").length > faults);
		controller.abort();
		expect(await sending).toMatchObject(unknown);
	});

	it("answered without end", async () => {
		await scene.whatsapp.fail({ kind: "huge" });
		expect(await scene.send()).toMatchObject(unknown);
	});

	it("not reached: nothing has left", async () => {
		const { settings } = scene.stored;
		scene.stored.settings = { ...settings, baseUrl: "http://127.0.0.1:1" };
		expect(await scene.send()).toMatchObject({ ...passing, handedOver: 0, message: expect.stringContaining("can't be reached") });
		scene.stored.settings = settings;
	});

	it("reached, but silent about a file: no message is sent, and the server is not called unreachable", async () => {
		await scene.whatsapp.fail({ on: "media", stage: "read", kind: "hang" });
		const message = expect.stringMatching(/was reached, but had not answered when XWorkmate stopped waiting, so no message was sent/);
		expect(await scene.send({ files: [pdf] }, scene.channel(false, 300))).toMatchObject({ ...passing, handedOver: 0, message });
	});

	it("a file may take longer than a server may be silent, as long as it advances", { timeout: 60_000 }, async () => {
		const { settings } = scene.stored;
		const large = 24_000_000;
		await using slow = createHttpServer((request, response) => {
			let taken = 0;
			request.on("data", (part: Buffer) => {
				taken += part.byteLength;
				if (taken > large / 2) return;
				// Slower than the connection: what is sent waits at the sender.
				request.pause();
				setTimeout(() => request.resume(), 15);
			});
			request.on("end", () => response.end(taken > large ? '{"id":"1"}' : '{"messages":[{"id":"wamid.1"}]}'));
		});
		const port = await listenOnLoopback(slow);
		scene.stored.settings = { ...settings, baseUrl: `http://127.0.0.1:${port}` };
		const files = [{ name: "large.bin", mediaType: "application/octet-stream", bytes: new Uint8Array(large) }];
		const began = performance.now();
		expect(await scene.send({ files }, scene.channel(false, 1_200))).toMatchObject({ kind: "accepted", handedOver: 1 });
		expect(performance.now() - began).toBeGreaterThan(1_200);
		scene.stored.settings = settings;
	});

	it.for([
		["error", { code: 131053 }, refused("CONTENT_REFUSED")],
		["error", { code: 190 }, held("CHANNEL_AUTH")],
		["error", { code: 131000 }, passing],
		["reply", { status: 502 }, passing],
		["reply", { status: 200, body: "{}" }, passing],
		["cut", {}, passing],
	] as const)("a file that fails (%s %o) is no message", async ([kind, more, outcome]) => {
		const before = await count();
		await scene.whatsapp.fail({ on: "media", kind, ...more });
		expect(await scene.send({ files: [pdf] })).toMatchObject({ ...outcome, handedOver: 0 });
		expect(await count()).toBe(before);
	});
});
