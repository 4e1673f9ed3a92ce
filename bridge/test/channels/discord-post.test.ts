import { expect, it } from "vitest";
import { discordAddress } from "../../src/channels/discord/discord-address.ts";
import { readBot } from "../../src/channels/discord/discord-settings.ts";
import { ownerWords } from "../../src/ports/channels/owner-words.ts";
import { ChannelScene } from "./channel-scene.ts";

const rules = (scene: ChannelScene, text: string) => [
	...new Set(
		scene.opened.channels
			.get("discord")
			?.lint(text)
			.map(({ rule }) => rule),
	),
];

it.each([
	["# Beaches\n\n- **Sanur**\n\n```\ncode\n```", []],
	["x".repeat(2_000), []],
	["x".repeat(2_001), ["too_long"]],
	["| a | b |\n|---|---|\n| 1 | 2 |", ["table"]],
	["a\u200bb", ["invisible"]],
	["a\u202eb", ["bidi"]],
	["![x](https://evil.example/p.png)", ["remote_image"]],
	["[bank.example](https://evil.example)", ["link_text"]],
])("objects to what Discord can't show and what a reader would not see: %j", (text, found) => {
	using scene = new ChannelScene();
	expect(rules(scene, text)).toEqual(found);
});

it("takes given content as it is, within Discord's length", () => {
	using scene = new ChannelScene();
	const problem = (text: string) => scene.opened.channels.get("discord")?.contentProblem(text);
	expect(problem("@everyone \u202e")).toBeUndefined();
	expect(problem("x".repeat(2_000))).toBeUndefined();
	for (const text of [" \n", "x".repeat(2_001), "\ud800", "a\0b"]) expect(problem(text)).toEqual(expect.any(String));
});

it("an address is an id: of a person, unless it says that it is a channel's", () => {
	expect(["200", " user:200 ", "channel:300"].map(discordAddress)).toEqual(["user:200", "user:200", "channel:300"]);
	for (const given of ["mira", "", "0", "<@200>", "user:", "channel:3/../4", "300#", "9".repeat(21), "２００"])
		expect(() => discordAddress(given)).toThrow("A Discord address");
});

it("goes to its owner, or to the channel that is set, and asks the owner alone", async () => {
	using scene = new ChannelScene();
	const set = (settings: object) => scene.service["channels.configure"]({ channel: "discord", settings: { ...settings }, secrets: {} });
	expect(() => scene.opened.resolveRecipient("discord", undefined)).toThrow(expect.objectContaining({ code: "RECIPIENT_REQUIRED" }));
	await set({ owner: "200" });
	expect(scene.opened.resolveRecipient("discord", undefined)).toEqual({ address: "user:200" });
	const said = () => ownerWords(scene.opened.channels.get("discord")?.owner());
	expect(said()).toBe("you");
	await set({ channel: "300" });
	expect(scene.opened.resolveRecipient("discord", undefined)).toEqual({ address: "channel:300" });
	expect(said()).toBe("your usual channel");
	expect(scene.opened.discordUser()).toBe("200");
	await set({ owner: null });
	expect(scene.opened.discordUser()).toBeUndefined();
	for (const wrong of [{ owner: "mira" }, { owner: "200 " }, { token: "x" }])
		await expect(set(wrong)).rejects.toMatchObject({ code: "INVALID_PARAMS" });
});

it("takes a time zone for what is said on Discord, by its name and by no offset", async () => {
	using scene = new ChannelScene();
	const set = (timezone: string | null) => scene.service["channels.configure"]({ channel: "discord", settings: { timezone }, secrets: {} });
	expect(scene.opened.discordZone()).toBeUndefined();
	await set("Asia/Bangkok");
	expect(scene.opened.discordZone()).toBe("Asia/Bangkok");
	for (const wrong of ["+07:00", "Bangkok/Asia", "", "Asia/Bangkok\n", "GMT+7"])
		await expect(set(wrong)).rejects.toMatchObject({ code: "INVALID_PARAMS", message: expect.stringContaining("Europe/Berlin") });
	expect(scene.opened.discordZone()).toBe("Asia/Bangkok");
	await set(null);
	expect(scene.opened.discordZone()).toBeUndefined();
});

it("is not ready without the bridge's bot, and never gives its token to an address without encryption", async () => {
	using scene = new ChannelScene();
	const { channels } = await scene.service["channels.list"]({});
	expect(channels.find(({ channel }) => channel === "discord")).toMatchObject({
		ready: false,
		unavailable: { code: "CHANNEL_NOT_SET_UP", fix: expect.stringContaining("Settings > Discord > Bot token") },
	});
	expect(readBot({ token: "t", apiUrl: "http://discord.example/api" })).toMatchObject({ code: "CHANNEL_INSECURE" });
	expect(readBot({ token: "t", apiUrl: "http://127.0.0.1.evil.example/api" })).toMatchObject({ code: "CHANNEL_INSECURE" });
	expect(readBot({ token: "t", apiUrl: "http://127.0.0.1:1/api/" })).toMatchObject({ base: new URL("http://127.0.0.1:1/api/v10") });
	expect(readBot({ token: "t" })).toMatchObject({ base: new URL("https://discord.com/api/v10") });
});
