import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { RequestId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { startFakeSmtp } from "../../../e2e/support/services/smtp-server.ts";
import { ChannelScene } from "./channel-scene.ts";

const password = "a-password-of-mira";
const settings = { host: "mail.example", user: "mira@mail.example" };
const configure = (scene: ChannelScene, change: object = {}) =>
	scene.service["channels.configure"]({ channel: "email", settings, secrets: { password }, ...change });
const email = async (scene: ChannelScene) => (await scene.service["channels.list"]({})).channels.find(({ channel }) => channel === "email");

describe("[T2-14] the channels of a bridge", () => {
	it("are email, WhatsApp and Discord, which are to be set up, and the dashboard, which is ready", async () => {
		using scene = new ChannelScene();
		const { channels } = await scene.service["channels.list"]({});
		expect(channels.map(({ channel, ready }) => [channel, ready])).toEqual([
			["email", false],
			["whatsapp", false],
			["discord", false],
			["dashboard", true],
		]);
		expect(channels[0]?.unavailable).toMatchObject({ code: "CHANNEL_NOT_SET_UP", fix: expect.stringContaining("channels setup email") });
		expect([...scene.opened.channels.keys()]).toEqual(["email", "whatsapp", "discord", "dashboard"]);
	});

	it("are set up in parts, changed and forgotten, with secrets in a file of their own that is never shown", async () => {
		using scene = new ChannelScene();
		let changes = 0;
		scene.opened.onChanged(() => changes++);
		expect(await configure(scene, { secrets: {} })).toMatchObject({
			ready: false,
			secrets: [],
			unavailable: { code: "CHANNEL_NOT_SET_UP" },
		});
		const view = await configure(scene, { settings: {} });
		expect(view).toEqual({ channel: "email", ready: true, owner: settings.user, settings, secrets: ["password"] });
		expect(scene.text("channels.json")).not.toContain(password);
		expect(JSON.parse(scene.text("channel-secrets.json"))).toEqual({ version: 1, channels: { email: { password } } });
		expect(readdirSync(scene.home).map((name) => [name, statSync(join(scene.home, name)).mode & 0o777])).toEqual([
			["channel-secrets.json", 0o600],
			["channels.json", 0o600],
		]);
		expect(scene.redaction.text(`it is ${password}`)).toBe("it is [redacted]");
		scene.reopen();
		expect(await configure(scene, { settings: { owner: "owner@example.org", user: null }, secrets: { password: null } })).toMatchObject({
			owner: "owner@example.org",
			settings: { host: "mail.example", owner: "owner@example.org" },
			secrets: [],
		});
		expect(await scene.service["channels.remove"]({ channel: "email" })).toMatchObject({ ready: false, settings: {}, secrets: [] });
		expect(scene.text("channel-secrets.json")).not.toContain(password);
		expect(changes).toBe(2);
	});

	it("know providers by name, and what follows from a port", async () => {
		using scene = new ChannelScene();
		expect(await configure(scene, { settings: { service: "Gmail", user: "mira@gmail.com" } })).toMatchObject({
			ready: true,
			owner: "mira@gmail.com",
		});
		expect(await configure(scene, { settings: { service: null, host: "mail.example", port: 465 } })).toMatchObject({ ready: true });
	});

	it.for([
		["an unknown setting", { settings: { colour: "red" } }, /no setting colour/],
		["a secret among the settings", { settings: { password: "hunter2-hunter2" } }, /no setting password/],
		["an unknown secret", { secrets: { token: "hunter2-hunter2" } }, /no secret token/],
		["an unknown provider", { settings: { service: "Nowhere Mail" } }, /service is not a known provider/],
		["a host with a line break", { settings: { host: "mail.example\r\nRCPT TO" } }, /host must be a host name/],
		["a port that is none", { settings: { port: 70_000 } }, /port is not valid/],
		["a port as text", { settings: { port: "25" } }, /port is not valid/],
		["an address that is none", { settings: { from: "mira" } }, /from must be an email address/],
		[
			"an address with a second header",
			{ settings: { owner: "mira@mail.example\r\nBcc: eve@example.org" } },
			/owner must be an email address/,
		],
		["a name with a line break", { settings: { fromName: "Mira\nBcc: eve@example.org" } }, /fromName must be one line/],
		["a password with a line break", { secrets: { password: "hunter2\r\nhunter2" } }, /password must be one line/],
		["a file that is not named whole", { settings: { caFile: "authority.pem" } }, /caFile must be an absolute path/],
		["a security that is none", { settings: { security: "maybe" } }, /security is not valid/],
	] as const)("are not set up with %s, which is named without its value", async ([, change, words]) => {
		using scene = new ChannelScene();
		await configure(scene);
		const before = scene.text("channels.json");
		const refusal = await scene.service["channels.configure"]({ channel: "email", settings: {}, secrets: {}, ...change }).catch(
			(error: unknown) => error,
		);
		expect(refusal).toMatchObject({ code: "INVALID_PARAMS", message: expect.stringMatching(words) });
		expect(JSON.stringify(refusal)).not.toMatch(/hunter2|eve@/);
		expect(scene.text("channels.json")).toBe(before);
	});

	it.for([
		["channels.json", "{", "CHANNELS_DAMAGED"],
		["channels.json", '{"version":2}', "CHANNELS_VERSION_UNKNOWN"],
		["channels.json", '{"version":1,"colour":"red"}', "CHANNELS_DAMAGED"],
		["channels.json", '{"version":1,"channels":{"email":{"host":7.5}}}', "CHANNELS_DAMAGED"],
		["channel-secrets.json", '{"version":1,"channels":{"email":{"password":["hunter2-hunter2"]}}}', "CHANNEL_SECRETS_DAMAGED"],
		["channel-secrets.json", "hunter2-hunter2", "CHANNEL_SECRETS_DAMAGED"],
	] as const)("say what is wrong with a file, and leave it as it is: %s %s", async ([name, text, code]) => {
		using scene = new ChannelScene();
		await configure(scene);
		scene.write(name, text);
		const view = await email(scene);
		expect(view).toMatchObject({ ready: false, unavailable: { code, message: expect.stringContaining(name) } });
		const refusal = await configure(scene).catch((error: unknown) => error);
		expect(refusal).toMatchObject({ code: "CHANNEL_UNAVAILABLE", message: expect.stringContaining(name) });
		expect(JSON.stringify([view, refusal])).not.toContain("hunter2");
		expect(scene.text(name)).toBe(text);
	});

	it("do not use secrets that other users may read", async () => {
		using scene = new ChannelScene();
		scene.write("channel-secrets.json", '{"version":1,"channels":{}}', 0o644);
		expect((await email(scene))?.unavailable).toMatchObject({ code: "CHANNEL_SECRETS_EXPOSED", fix: expect.stringContaining("chmod 600") });
	});

	it("know the secrets that a person wrote into the file before anything is said", () => {
		using scene = new ChannelScene();
		scene.write("channel-secrets.json", JSON.stringify({ version: 1, channels: { email: { password } } }));
		scene.reopen();
		expect(scene.redaction.text(password)).toBe("[redacted]");
	});

	it("refuse settings of a hand-written file that do not fit, by name", async () => {
		using scene = new ChannelScene();
		scene.write("channels.json", '{"version":1,"channels":{"email":{"host":"mail.example","form":"mira@mail.example"}}}');
		expect((await email(scene))?.unavailable).toMatchObject({ code: "CHANNEL_SETTINGS_INVALID", message: expect.stringContaining("form") });
	});

	it("say how to get rid of a setting that no option removes, also when another one is set, and that removing the channel helps", async () => {
		using scene = new ChannelScene();
		for (const channel of ["email", "whatsapp", "discord"] as const) {
			scene.write("channels.json", JSON.stringify({ version: 1, channels: { [channel]: { colour: "red" } } }));
			const fix = `Delete \`colour\` under \`${channel}\` in channels.json, or remove the channel with its settings: \`npm run -s xworkmate -- channels remove ${channel}\`.`;
			const find = async () => (await scene.service["channels.list"]({})).channels.find((one) => one.channel === channel);
			expect((await find())?.unavailable).toMatchObject({ code: "CHANNEL_SETTINGS_INVALID", fix });
			const settings = channel === "whatsapp" ? { template: "hello" } : { owner: channel === "email" ? "mira@mail.example" : "20000" };
			const set = () => scene.service["channels.configure"]({ channel, settings, secrets: {} });
			await expect(set()).rejects.toMatchObject({ code: "INVALID_PARAMS", fix: `Nothing was changed. ${fix}` });
			await scene.service["channels.remove"]({ channel });
			expect((await set()).unavailable?.code).not.toBe("CHANNEL_SETTINGS_INVALID");
		}
		await expect(configure(scene, { settings: { port: 70_000 } })).rejects.toMatchObject({
			fix: "Nothing was changed. Correct the setting and try again.",
		});
	});
});

describe("what every channel objects to", () => {
	it.for(["email", "dashboard"] as const)("is what a reader would not see, or should not get (%s)", async (id) => {
		using scene = new ChannelScene();
		await configure(scene);
		const channel = scene.opened.channels.get(id);
		const rules = (text: string) => channel?.lint(text).map(({ rule }) => rule);
		expect(rules("# Beaches\n\n- Sanur, see [the map](https://maps.example/sanur)\n")).toEqual([]);
		expect(rules(`the password is ${password}`)).toEqual(["secret"]);
		expect(rules("a\u200bb")).toEqual(["invisible"]);
		expect(rules("a\u202eb")).toEqual(["bidi"]);
		expect(rules("![x](https://evil.example/p.png)")).toEqual(["remote_image"]);
		expect(rules("[bank.example](https://evil.example)")).toEqual(["link_text"]);
	});
});

describe("[T2-61] a test of a channel", () => {
	const requestId = RequestId.parse("test-1");
	const ready = async (scene: ChannelScene) => {
		const smtp = await startFakeSmtp();
		await scene.service["channels.configure"]({ channel: "email", settings: { ...smtp.settings }, secrets: { ...smtp.secrets } });
		return smtp;
	};
	const test = (scene: ChannelScene, more: object = {}) => scene.service["channels.test"]({ channel: "email", requestId, ...more });

	it("sends one real message step by step, once for each request, also after a restart", async () => {
		using scene = new ChannelScene();
		await using smtp = await ready(scene);
		const [first, beside] = await Promise.all([test(scene), test(scene)]);
		expect(first.steps.map(({ step, ok }) => [step, ok])).toEqual([
			["settings", true],
			["connect", true],
			["encrypt", true],
			["sign_in", true],
			["send", true],
			["accepted", true],
		]);
		expect(beside).toEqual(first);
		scene.reopen();
		expect(await test(scene)).toEqual(first);
		expect(first.channel.tested).toEqual({ at: "2026-04-01T00:00:00.000Z", ok: true });
		const mails = await smtp.mails();
		expect(mails.map(({ to, read }) => [to, read.subject])).toEqual([[["mira@mail.example"], "XWorkmate: test message"]]);
		await expect(test(scene, { recipient: "jonas" })).rejects.toMatchObject({ code: "INVALID_PARAMS" });
		expect(
			(await scene.service["channels.configure"]({ channel: "email", settings: { fromName: "Mira" }, secrets: {} })).tested,
		).toBeUndefined();
	});

	it.for([
		["auth", "sign_in", "CHANNEL_AUTH", 535],
		["rcpt", "send", "RECIPIENT_REFUSED", 550],
		["dot", "accepted", "CONTENT_REFUSED", 554],
		["greeting", "connect", "CHANNEL_UNAVAILABLE", 421],
	] as const)("says that it failed at %s, and why", async ([stage, step, code, answer]) => {
		using scene = new ChannelScene();
		await using smtp = await ready(scene);
		await smtp.fail({ stage, kind: "answer", code: answer, text: "because of the moon" });
		const { ok, steps, channel } = await test(scene);
		expect([ok, steps.at(-1)?.step, steps.filter((each) => !each.ok).length]).toEqual([false, step, 1]);
		expect(steps.at(-1)?.message).toContain(String(answer));
		expect(channel.tested).toMatchObject({ ok: false, problem: { code } });
	});

	it("no longer counts once the channel has refused a message for a reason of its own", async () => {
		using scene = new ChannelScene();
		await using _smtp = await ready(scene);
		expect(await test(scene)).toMatchObject({ channel: { tested: { ok: true } } });
		scene.opened.refused("email");
		expect((await email(scene))?.tested).toBeUndefined();
	});

	it("counts for the settings and secrets that it used, whoever changes them", async () => {
		using scene = new ChannelScene();
		await using smtp = await ready(scene);
		expect(await test(scene)).toMatchObject({ channel: { tested: { ok: true } } });
		for (const secret of Object.values(smtp.secrets)) expect(scene.text("channel-tests.json")).not.toContain(secret);
		const [settings, secrets] = [scene.text("channels.json"), scene.text("channel-secrets.json")];
		scene.write("channels.json", settings.replace("127.0.0.1", "127.0.0.2"));
		expect((await email(scene))?.tested).toBeUndefined();
		scene.write("channels.json", settings);
		scene.write("channel-secrets.json", secrets.replace(/"password": ?"/, "$&other-"));
		expect((await email(scene))?.tested).toBeUndefined();
		scene.write("channel-secrets.json", secrets);
		expect((await email(scene))?.tested).toMatchObject({ ok: true });
	});

	it("still counts once the same settings and secrets are stored again", async () => {
		using scene = new ChannelScene();
		await using smtp = await ready(scene);
		await smtp.fail({ stage: "auth", kind: "answer", code: 535, text: "no" });
		const failed = { ok: false, problem: { code: "CHANNEL_AUTH" } };
		expect(await test(scene)).toMatchObject({ channel: { tested: failed } });
		expect(await configure(scene, { settings: {}, secrets: {} })).toMatchObject({ tested: failed });
		expect(await configure(scene, { settings: smtp.settings, secrets: smtp.secrets })).toMatchObject({ tested: failed });
		expect((await configure(scene, { settings: {}, secrets: { password: "another password" } })).tested).toBeUndefined();
	});

	it("never claims that the server has a message that it may not have read", async () => {
		using scene = new ChannelScene();
		await using smtp = await ready(scene);
		await smtp.fail({ stage: "dot", kind: "cut" });
		const { steps } = await test(scene);
		expect(steps.slice(-2)).toMatchObject([
			{ step: "sign_in", ok: true },
			{ step: "send", ok: false, message: expect.stringContaining("may have received") },
		]);
		expect(steps.filter(({ ok }) => ok).map(({ message }) => message)).not.toContainEqual(expect.stringContaining("received"));
	});

	it("of Discord counts for the bot that it used, and one that an earlier version made for any", async () => {
		using scene = new ChannelScene();
		const apiUrl = "http://127.0.0.1:1/api";
		scene.reopen({ token: "one", apiUrl });
		await scene.service["channels.configure"]({ channel: "discord", settings: { owner: "200" }, secrets: {} });
		await scene.service["channels.test"]({ channel: "discord", requestId });
		const tested = async () =>
			(await scene.service["channels.list"]({})).channels.find(({ channel }) => channel === "discord")?.tested !== undefined;
		expect(await tested()).toBe(true);
		scene.reopen({ token: "another", apiUrl });
		expect(await tested()).toBe(false);
		const { tests } = JSON.parse(scene.text("channel-tests.json"));
		scene.write(
			"channel-tests.json",
			JSON.stringify({ version: 1, tests: tests.map(({ basis: _, ...rest }: { basis: unknown }) => rest) }),
		);
		expect(await tested()).toBe(true);
	});

	it("that the bridge did not live to end is not repeated", async () => {
		using scene = new ChannelScene();
		await using smtp = await ready(scene);
		const begun = { requestId, channel: "email", at: "2026-04-01T00:00:00.000Z" };
		scene.write("channel-tests.json", JSON.stringify({ version: 1, tests: [begun] }));
		// The bridge may have ended, or its disk may have been full at the end of the test.
		const message = "The result of this test was not saved, so it is unknown whether the test message was sent.";
		expect(await test(scene)).toMatchObject({ ok: false, steps: [{ message }] });
		expect(await smtp.mails()).toEqual([]);
	});

	it("of what is not set up says so, and of nobody who it would be for", async () => {
		using scene = new ChannelScene();
		await expect(test(scene)).rejects.toMatchObject({ code: "RECIPIENT_REQUIRED" });
		await configure(scene, { settings: { owner: "mira@mail.example" }, secrets: {} });
		expect(await test(scene)).toMatchObject({ ok: false, steps: [{ step: "settings", ok: false }] });
	});
});
