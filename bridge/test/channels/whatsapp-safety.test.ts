import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { RequestId } from "@xworkmate/contracts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { phoneAddress } from "../../src/channels/whatsapp/phone-address.ts";
import { whatsAppSettingsProblem } from "../../src/channels/whatsapp/whatsapp-settings.ts";
import { ChannelScene } from "./channel-scene.ts";
import { WhatsAppScene } from "./whatsapp-scene.ts";

let scene: WhatsAppScene;
beforeAll(async () => {
	scene = await WhatsAppScene.open();
});
afterAll(async () => await scene[Symbol.asyncDispose]());

async function listening(server: Server): Promise<string> {
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("the access token", () => {
	it("goes to nobody else: a redirect is not followed", async () => {
		const asked: string[] = [];
		const other = createServer((request, response) => {
			asked.push(String(request.headers.authorization));
			response.end();
		});
		const location = `http://${await listening(other)}/v23.0/1/messages`;
		for (const status of [301, 302, 303, 307, 308]) {
			await scene.whatsapp.fail({ kind: "reply", status, headers: { location } });
			expect(await scene.send()).toMatchObject({ kind: "no_answer" });
		}
		other.close();
		expect(asked).toEqual([]);
	});

	it("is in no error, whatever a server says", async () => {
		const { accessToken = "" } = scene.stored.secrets;
		await scene.whatsapp.fail({ kind: "error", code: 190, details: `The token ${accessToken} has expired\u001b[2J\u202e` });
		const outcome = await scene.send();
		expect(outcome).toMatchObject({ kind: "held", code: "CHANNEL_AUTH" });
		expect(JSON.stringify(outcome)).not.toContain(accessToken);
		for (const hidden of ["\\u001b", "\u202e"]) expect(JSON.stringify(outcome)).not.toContain(hidden);
		await scene.whatsapp.fail({ on: "number", kind: "error", code: 190, details: `The token ${accessToken} has expired` });
		const test = await scene.channel().test("+66812345678", new AbortController().signal);
		expect(test).toMatchObject({ ok: false, problem: { code: "CHANNEL_AUTH" } });
		expect(JSON.stringify([test, await scene.channel().view()])).not.toContain(accessToken);
	});

	it("does not leave where the certificate proves nothing, nor where nothing is encrypted", async () => {
		const file = (name: string) => readFileSync(new URL(`../../../e2e/fakes/smtp/${name}`, import.meta.url));
		const heard: string[] = [];
		const listen: RequestListener = (request, response) => {
			heard.push(request.url ?? "");
			response.end();
		};
		const untrusted = createTlsServer({ key: file("server-key.pem"), cert: file("server.pem") }, listen);
		const plain = createServer(listen);
		const { settings } = scene.stored;
		for (const server of [untrusted, plain]) {
			scene.stored.settings = { ...settings, baseUrl: `https://${await listening(server)}` };
			expect(await scene.send()).toMatchObject({ kind: "held", code: "CHANNEL_UNAVAILABLE", handedOver: 0 });
			expect(await scene.channel().test("+66812345678", new AbortController().signal)).toMatchObject({
				ok: false,
				steps: [{ ok: true }, { step: "encrypt", ok: false }],
			});
			server.close();
		}
		scene.stored.settings = settings;
		expect(heard).toEqual([]);
	});
});

describe("the settings of WhatsApp", () => {
	it.for([
		["http://graph.example", /encrypted/],
		["http://127.0.0.1.example", /encrypted/],
		["ftp://127.0.0.1", /https/],
		["https://user:password@graph.example", /host/],
		["https://graph.example/v1", /host/],
		["graph", /https/],
		["http://127.0.0.1:4000", undefined],
		["http://localhost:4000", undefined],
		["http://[::1]:4000", undefined],
		["https://graph.example", undefined],
	] as const)("baseUrl %s", ([baseUrl, problem]) => {
		const found = whatsAppSettingsProblem({ settings: { baseUrl }, secrets: {} });
		if (problem === undefined) expect(found).toBeUndefined();
		else expect(found).toMatch(problem);
	});

	it("name no value, which may be a secret in the wrong place", () => {
		const token = "EAAG secret\nvalue";
		for (const stored of [
			{ settings: { phoneNumberId: token }, secrets: {} },
			{ settings: { owner: token }, secrets: {} },
			{ settings: { template: token }, secrets: {} },
			{ settings: {}, secrets: { accessToken: token } },
		]) {
			expect(whatsAppSettingsProblem(stored)).toEqual(expect.any(String));
			expect(whatsAppSettingsProblem(stored)).not.toContain("EAAG");
		}
	});

	it.for([
		["+66 81-234 (56) 78", "+66812345678"],
		["+4915112345678", "+4915112345678"],
	] as const)("a number %s", ([given, address]) => {
		expect(phoneAddress(given)).toBe(address);
	});

	it.for([
		"0812345678",
		"66812345678",
		"+066812345678",
		"+1234",
		"+1234567890123456",
		"+66812345678 x2",
		"+٦٦٨١٢٣٤٥٦٧٨",
		"mira@mail.example",
		"",
	])("no number: %s", (given) => {
		expect(() => phoneAddress(given)).toThrow("country code");
	});
});

describe("WhatsApp among the channels", () => {
	it("[T2-36] asks in the words that are set for it, and objects to what they forbid", () => {
		using channels = new ChannelScene();
		const whatsapp = channels.opened.channels.get("whatsapp");
		expect(whatsapp?.constraints).toBe(
			"Your deliverable will be sent via WhatsApp. Plain text only. Use *bold* sparingly. Keep under 2000 chars. No markdown headers, code blocks, or bullet dashes.",
		);
		const rules = (text: string) => whatsapp?.lint(text).map(({ rule }) => rule);
		expect(rules("x".repeat(2_001))).toEqual(["too_long"]);
		expect(rules("# Beaches")).toEqual(["heading"]);
		expect(rules("```\ncode\n```")).toEqual(["code_fence"]);
		expect(rules("- Sanur\n- Nusa Dua")).toEqual(["bullet"]);
		expect(rules("| a | b |\n|---|---|\n| 1 | 2 |")).toEqual(["table"]);
		expect(rules("Sanur\u200b is calm")).toEqual(["invisible"]);
		expect(rules("See [bank.example](https://thief.example)")).toEqual(["link_text"]);
		expect(rules("*Sanur* is calm.\n1. Go early")).toEqual([]);
	});

	it("takes given texts up to what WhatsApp takes", () => {
		using channels = new ChannelScene();
		const whatsapp = channels.opened.channels.get("whatsapp");
		expect(whatsapp?.contentProblem("x".repeat(4_096))).toBeUndefined();
		expect(whatsapp?.contentProblem("x".repeat(4_097))).toContain("4097");
		for (const text of [" \n", "a\0b", "a\ud800"]) expect(whatsapp?.contentProblem(text)).toEqual(expect.any(String));
	});

	it("is set up, tested step by step, and shows no secret", async () => {
		using channels = new ChannelScene();
		const { service } = channels;
		const { settings, secrets } = scene.whatsapp;
		const set = await service["channels.configure"]({ channel: "whatsapp", settings, secrets });
		expect(set).toMatchObject({ ready: true, owner: "+66812345678", secrets: ["accessToken", "appSecret", "verifyToken"] });
		const test = async (requestId: string) =>
			await service["channels.test"]({ channel: "whatsapp", requestId: RequestId.parse(requestId) });
		expect(await test("one")).toMatchObject({
			ok: true,
			steps: [{ step: "settings" }, { step: "connect" }, { step: "sign_in" }, { step: "send" }, { step: "accepted" }],
		});
		expect((await scene.whatsapp.messages()).at(-1)).toMatchObject({ type: "text", to: "66812345678" });
		await service["channels.configure"]({ channel: "whatsapp", settings: { template: "hello_world" }, secrets: {} });
		await scene.whatsapp.tell("window", { open: false, atOnce: true });
		expect(await test("two")).toMatchObject({ ok: true });
		expect((await scene.whatsapp.messages()).at(-1)).toMatchObject({ type: "template" });
		await service["channels.configure"]({ channel: "whatsapp", settings: { template: "not_there" }, secrets: {} });
		expect(await test("three")).toMatchObject({ ok: false, channel: { tested: { problem: { code: "TEMPLATE_INVALID" } } } });
		await service["channels.configure"]({ channel: "whatsapp", settings: { template: null, phoneNumberId: "1" }, secrets: {} });
		expect(await test("four")).toMatchObject({
			ok: false,
			steps: [{}, { step: "sign_in" }],
			channel: { tested: { problem: { code: "CHANNEL_UNAVAILABLE" } } },
		});
		await scene.whatsapp.tell("window", { open: true });
		const everything = JSON.stringify([set, await service["channels.list"]({})]) + channels.text("channels.json");
		for (const secret of Object.values(secrets)) expect(everything).not.toContain(secret);
	});
});
