import type { ChannelId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { openScene, SOON } from "./executor-scene.ts";
import { ScriptedChannel } from "./scripted-channel.ts";

it.each([
	["email", "CHANNEL_AUTH", true],
	["email", "CHANNEL_BLOCKED", true],
	["email", "WINDOW_CLOSED", false],
	["discord", "CHANNEL_AUTH", true],
	["discord", "CHANNEL_BLOCKED", false],
	["whatsapp", "CHANNEL_BLOCKED", false],
] as const)(
	"says that the channel itself refused, if it did, and records the outcome even if that fails: %s, %s",
	async (id, code, isRefused) => {
		const refused: ChannelId[] = [];
		const onChannelRefused = (channel: ChannelId) => {
			refused.push(channel);
			throw new Error("The file can't be written.");
		};
		await using scene = await openScene({ channel: new ScriptedChannel(id), parts: { onChannelRefused } });
		scene.channel.play = async () => ({ kind: "held", code, message: "Refused.", fix: "Mend it." });
		const planId = await scene.plan("p1", [{ channel: id, content: "Good morning" }]);
		scene.executor.begin();
		await expect.poll(() => scene.first(planId), SOON).toMatchObject({ status: "needs_review", code });
		expect(refused).toEqual(isRefused ? [id] : []);
	},
);
