import { expect, it } from "vitest";
import { DiscordChannel } from "../../src/channels/discord/discord-channel.ts";
import type { Stored } from "../../src/channels/set-up/channel-kind.ts";

const unready = (stored: Stored) =>
	new DiscordChannel({
		bot: { token: "a.bots.token" },
		read: () => ({ kind: "stored", stored }),
		lint: () => [],
		clock: { now: () => 0 },
	}).availability();

it("says what to do about what was written into its files by hand", async () => {
	expect(await unready({ settings: {}, secrets: { password: "x" } })).toMatchObject({
		code: "CHANNEL_SETTINGS_INVALID",
		message: "Discord: this channel can't store secrets.",
		fix: "Delete `password` under `discord` in channel-secrets.json, or remove the channel with its settings: `npm run -s xworkmate -- channels remove discord`.",
	});
	expect(await unready({ settings: { owner: "nobody" }, secrets: {} })).toMatchObject({
		code: "CHANNEL_SETTINGS_INVALID",
		fix: expect.stringContaining("channels setup discord --help"),
	});
	expect(await unready({ settings: { colour: "red" }, secrets: { token: "x" } })).toMatchObject({
		code: "CHANNEL_SETTINGS_INVALID",
		fix: "Delete `colour` under `discord` in channels.json, and `token` under `discord` in channel-secrets.json, or remove the channel with its settings: `npm run -s xworkmate -- channels remove discord`.",
	});
});
