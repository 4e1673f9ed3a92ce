import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { ActionId } from "@xworkmate/contracts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AT, aPost, DiscordScene, json, ME, TOKEN } from "./discord-scene.ts";

let scene: DiscordScene;
beforeEach(async () => {
	scene = await DiscordScene.open();
});
afterEach(async () => await scene[Symbol.asyncDispose]());

const FIRST_MS = 1_420_070_400_000n;
const idAt = (milliseconds: number) => String((BigInt(milliseconds) - FIRST_MS) << 22n);
const refused =
	(status: number, code: number, more: object = {}) =>
	(response: ServerResponse) =>
		json(response, status, { message: "why", code, ...more });
const bare = (status: number) => (response: ServerResponse) => void response.writeHead(status).end("<h1>No</h1>");

describe("a test message", () => {
	it.each([
		["channel:310", "The message is in the channel."],
		["user:201", "The message is in the direct messages with that user."],
	])("to %s says where it is", async (address, message) => {
		const { ok, steps } = await scene.channel.test(address, new AbortController().signal);
		expect(ok).toBe(true);
		expect(steps.at(-1)).toEqual({ step: "accepted", ok: true, message });
	});
});

describe("[T2-61] a post that is handed over", () => {
	it("arrives once, byte for byte as it was built, over a connection of its own, and is proved by its id", async () => {
		const { payload } = await scene.built();
		expect(await scene.send()).toEqual({ kind: "accepted", proof: "delivered", providerMessageId: "77", handedOver: 1 });
		await scene.send();
		const [first, second, ...others] = scene.posts;
		expect(others).toEqual([]);
		expect(first?.path).toBe("/channels/310/messages");
		expect(first?.body.equals(payload.bytes)).toBe(true);
		expect(first?.headers).toMatchObject({ authorization: `Bot ${TOKEN}`, "content-type": "application/json" });
		expect(first?.connection).not.toBe(second?.connection);
		expect(payload.sha256).toBe(createHash("sha256").update(payload.bytes).digest("hex"));
	});

	it("is on record before its first byte leaves; what could not be recorded doesn't leave", async () => {
		const { payload } = await scene.built();
		const full = new Error("the disk is full");
		const sending = scene.channel.send(payload, () => Promise.reject(full), new AbortController().signal);
		await expect(sending).rejects.toBe(full);
		expect(scene.posts).toEqual([]);
		await scene.channel.send(payload, async () => void expect(scene.posts).toEqual([]), new AbortController().signal);
		expect(scene.posts).toHaveLength(1);
	});

	it("has the same nonce for every attempt, another one for another message or another recipient, and mentions nobody", async () => {
		const other = ActionId.parse("plan1-1-2");
		for (const message of [{}, {}, { actionId: other }, { address: "user:201" }]) await scene.send(message);
		const bodies = scene.posts.map(({ body }) => JSON.parse(body.toString("utf8")));
		const [first, again, second, elsewhere] = bodies.map(({ nonce }) => nonce);
		expect(again).toBe(first);
		expect(new Set([first, second, elsewhere]).size).toBe(3);
		for (const body of bodies) {
			expect(body).toMatchObject({ enforce_nonce: true, allowed_mentions: { parse: [] } });
			expect(body.nonce.length).toBeLessThanOrEqual(25);
		}
	});

	it("carries files in the same request, and is the same bytes each time", async () => {
		const file = { name: 'work/a"b\r\n.txt', mediaType: "text/plain", bytes: Buffer.from("--post-x\r\nhello") };
		const built = await scene.built({ files: [file] });
		expect(Buffer.compare(built.payload.bytes, (await scene.built({ files: [file] })).payload.bytes)).toBe(0);
		expect(await scene.send({ files: [file] })).toMatchObject({ kind: "accepted" });
		const [post] = scene.posts;
		const form = await new Response(post?.body, { headers: { "content-type": post?.headers["content-type"] ?? "" } }).formData();
		expect(JSON.parse(String(form.get("payload_json")))).toMatchObject({
			content: aPost.text,
			attachments: [{ id: 0, filename: "a'b .txt" }],
		});
		const sent = form.get("files[0]");
		expect(sent instanceof File && [sent.name, await sent.text()]).toEqual(["a'b .txt", "--post-x\r\nhello"]);
		expect(built.parts.map(({ kind, name }) => [kind, name])).toEqual([
			["text", undefined],
			["file", "a'b .txt"],
		]);
	});

	it("is refused before anything is sent if Discord can't take its files", async () => {
		const small = { name: "a", mediaType: "text/plain", bytes: Buffer.from("a") };
		await expect(scene.built({ files: Array.from({ length: 11 }, () => small) })).rejects.toMatchObject({ code: "CONTENT_INVALID" });
		const large = { ...small, bytes: Buffer.alloc(10 * 1024 * 1024 + 1) };
		await expect(scene.built({ files: [large] })).rejects.toMatchObject({
			code: "CONTENT_INVALID",
			message: "A Discord message can have at most 10 files and 10485760 bytes, but this one has 1 file and 10485761 bytes.",
		});
	});
});

const accepted = { kind: "accepted" };
const held = (code: string) => ({ kind: "held", code });
const never = (code: string) => ({ kind: "refused", code });
const unknown = { kind: "no_answer" };
const passing = { kind: "passing" };

describe("each answer to a post", () => {
	it.each<[string, (response: ServerResponse, socket: Socket) => void, object]>([
		["200 with a message", (response) => json(response, 200, { id: "1" }), accepted],
		["200 without one", (response) => json(response, 200, {}), unknown],
		["200 that is no JSON", (response) => void response.writeHead(200).end("<html>"), unknown],
		["a redirect", (response) => void response.writeHead(302, { location: "https://example.org/" }).end(), unknown],
		["400 invalid form", refused(400, 50_035), never("CONTENT_REFUSED")],
		["400 empty", refused(400, 50_006), never("CONTENT_REFUSED")],
		["400 blocked by a filter", refused(400, 200_000), never("CONTENT_REFUSED")],
		["400 of a proxy", bare(400), held("CHANNEL_UNAVAILABLE")],
		["401", refused(401, 0), held("CHANNEL_AUTH")],
		["403 nobody may write to them", refused(403, 50_007), never("RECIPIENT_REFUSED")],
		["403 no permission", refused(403, 50_013), held("CHANNEL_BLOCKED")],
		["403 of a proxy", bare(403), held("CHANNEL_BLOCKED")],
		["404 no channel", refused(404, 10_003), never("RECIPIENT_REFUSED")],
		["404 no such path", refused(404, 0), held("CHANNEL_UNAVAILABLE")],
		["408", bare(408), unknown],
		["413", bare(413), never("CONTENT_REFUSED")],
		["429 with its time", refused(429, 0, { retry_after: 1.5 }), { ...passing, retryAfterMs: 1_500 }],
		["429 of a proxy", (response) => void response.writeHead(429, { "retry-after": "7" }).end(), { ...passing, retryAfterMs: 7_000 }],
		["429 with a wait that is none", refused(429, 0, { retry_after: -4 }), passing],
		["slow mode", refused(400, 20_016), passing],
		["500", refused(500, 0), unknown],
		["502 of a proxy", bare(502), unknown],
		["503", bare(503), unknown],
		["a cut before the answer", (_, socket) => void socket.destroy(), unknown],
		[
			"a cut in the answer",
			(response, socket) => void response.writeHead(200, { "content-length": "50" }).write('{"id":', () => socket.destroy()),
			unknown,
		],
		["an answer of 5 MiB", (response) => void response.writeHead(200).end(`{"id":"1","more":"${"x".repeat(5 * 1024 * 1024)}"}`), unknown],
		["an answer that is no HTTP", (_, socket) => void socket.end("hello\r\n\r\n"), unknown],
	])("%s", async (_, answer, outcome) => {
		scene.onPost = (_asked, response, socket) => answer(response, socket);
		expect(await scene.send()).toMatchObject({ ...outcome, handedOver: 1 });
		expect(scene.posts).toHaveLength(1);
	});

	it("is unknown if there is none in time, or nobody waits any longer", async () => {
		await using silent = await DiscordScene.open(50);
		silent.onPost = () => undefined;
		const message = "Discord may have received the message, but did not say whether it accepted it (ETIMEDOUT).";
		expect(await silent.send()).toMatchObject({ ...unknown, message, handedOver: 1 });
		const stop = new AbortController();
		scene.onPost = () => stop.abort();
		expect(await scene.send({}, stop.signal)).toMatchObject({ ...unknown, handedOver: 1 });
	});

	it("is called incomplete only if it began", async () => {
		const cut = async (answer: (response: ServerResponse, socket: Socket) => void) => {
			scene.onPost = (_, response, socket) => answer(response, socket);
			return await scene.send();
		};
		const said = (words: string) => ({ ...unknown, message: expect.stringContaining(`may have received the message, but ${words} (`) });
		expect(await cut((_, socket) => void socket.destroy())).toMatchObject(said("did not say whether it accepted it"));
		expect(await cut((_, socket) => void socket.end("hello\r\n\r\n"))).toMatchObject(said("did not say whether it accepted it"));
		expect(
			await cut((response, socket) => void response.writeHead(200, { "content-length": "50" }).write('{"id":', () => socket.destroy())),
		).toMatchObject(said("its response was incomplete"));
		await using slow = await DiscordScene.open(500);
		slow.onPost = (_, response) => void response.writeHead(200, { "content-length": "50" }).write('{"id":');
		expect(await slow.send()).toMatchObject(said("its response was incomplete"));
	});

	it("never repeats the token", async () => {
		scene.onPost = (_, response) => json(response, 403, { message: `Bot ${TOKEN} may not`, code: 50_013 });
		expect(JSON.stringify(await scene.send())).not.toContain(TOKEN);
	});
});

describe("before a post is handed over", () => {
	it.each<[string, (response: ServerResponse, socket: Socket) => void, object]>([
		["a token that is not valid", refused(401, 0), held("CHANNEL_AUTH")],
		["no such user", refused(400, 50_033), never("RECIPIENT_REFUSED")],
		["too many new direct messages", refused(400, 40_003), passing],
		["429", refused(429, 0, { retry_after: 2 }), { ...passing, retryAfterMs: 2_000 }],
		["500", bare(500), passing],
		["a cut", (_, socket) => void socket.destroy(), passing],
		["200 without a channel", (response) => json(response, 200, { id: "../../x" }), passing],
	])("%s leaves nothing unknown", async (_, answer, outcome) => {
		scene.answers.set("POST /users/@me/channels", (_asked, response, socket) => answer(response, socket));
		expect(await scene.send()).toMatchObject({ ...outcome, handedOver: 0 });
		expect(scene.posts).toEqual([]);
	});

	it("a server that was reached is not called unreachable", async () => {
		const path = "POST /users/@me/channels";
		const message = (words: string) => ({
			...passing,
			message: expect.stringMatching(new RegExp(`^Discord was reached, but ${words}, so no message was sent\\.$`)),
		});
		scene.answers.set(path, (_asked, _, socket) => void socket.destroy());
		expect(await scene.send()).toMatchObject(message("the connection broke before it answered \\(\\w+\\)"));
		scene.answers.set(path, (_, response, socket) => {
			response.writeHead(200, { "content-length": "50" }).write('{"id":', () => socket.destroy());
		});
		expect(await scene.send()).toMatchObject(message("its response was incomplete \\(\\w+\\)"));
		await using silent = await DiscordScene.open(50);
		silent.answers.set("GET /users/@me", () => undefined);
		const { steps } = await silent.channel.test("channel:300", new AbortController().signal);
		expect(steps.at(-1)).toMatchObject({ step: "connect", message: message("did not answer in time").message });
	});

	it("nobody who listens, and nobody who waits, leave nothing unknown", async () => {
		expect(await scene.send({}, AbortSignal.abort())).toMatchObject({ ...passing, handedOver: 0 });
		await scene.close();
		expect(await scene.send({ address: "channel:300" })).toMatchObject({ ...passing, handedOver: 0 });
	});
});

describe("a message whose outcome is not known", () => {
	const seen = async (messages: readonly object[]) => {
		scene.answers.set("GET /channels/310/messages", ({ path }, response) => {
			const after = new URL(path, "http://x").searchParams.get("after") ?? "0";
			const there = messages.filter((message) => "id" in message && BigInt(String(message.id)) > BigInt(after));
			json(response, 200, there.slice(0, 100).toReversed());
		});
		const { payload } = await scene.built();
		const action = aPost.actionId;
		if (action === undefined) throw new Error("it has no id");
		return scene.channel.settle({ actionId: action, attempt: 1, since: new Date(AT).toISOString(), payload }, new AbortController().signal);
	};
	const mine = (more: object = {}) => ({ id: idAt(AT + 1_000), author: { id: ME }, content: aPost.text, attachments: [], ...more });
	const proved = { kind: "proved", proof: "delivered" };

	it("is proved by the bot's own message, by its nonce or by its text alone", async () => {
		const { payload } = await scene.built();
		const { nonce } = JSON.parse(Buffer.from(payload.bytes).toString("utf8"));
		expect(await seen([mine()])).toEqual(proved);
		expect(await seen([mine({ content: "edited", nonce }), mine()])).toEqual(proved);
	});

	it("is not proved by another's words, an earlier message, a much later one, other files, or two that are alike", async () => {
		expect(await seen([])).toBeUndefined();
		expect(await seen([mine({ author: { id: "200" } })])).toBeUndefined();
		expect(await seen([mine({ id: idAt(AT - 60_000) })])).toBeUndefined();
		expect(await seen([mine({ id: idAt(AT + 10 * 60_000) })])).toBeUndefined();
		expect(await seen([mine({ attachments: [{ filename: "a" }] })])).toBeUndefined();
		expect(await seen([mine(), mine({ id: idAt(AT + 2_000) })])).toBeUndefined();
		expect(await seen([mine({ nonce: "another" })])).toBeUndefined();
	});

	it("is looked for on every page, and sends nothing", async () => {
		const others = Array.from({ length: 250 }, (_, n) => ({
			...mine({ author: { id: "200" } }),
			id: String(BigInt(idAt(AT)) + BigInt(n)),
		}));
		expect(await seen([...others, mine()])).toEqual(proved);
		expect(scene.posts.filter(({ method }) => method === "POST")).toEqual([]);
	});

	it("is looked for by Discord's clock, whatever this machine's says", async () => {
		scene.clock = AT + 3_600_000;
		expect(await seen([mine()])).toBeUndefined();
		expect(await seen([mine({ id: idAt(AT + 3_601_000) })])).toEqual(proved);
	});

	it("stays unknown if Discord can't be asked", async () => {
		scene.answers.set("GET /users/@me", (_, response) => json(response, 401, { message: "no", code: 0 }));
		expect(await seen([mine()])).toBeUndefined();
	});
});
