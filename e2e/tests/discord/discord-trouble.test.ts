import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { worldEffects } from "../../support/bridge/world-tools.ts";
import { waitUntil } from "../../support/machine/wait-until.ts";
import { discordScene, type SharedDiscordScene, sharedDiscordScene } from "../../support/services/discord-scene.ts";
import { BOT_TOKEN, buttonsOf } from "../../support/services/fake-discord.ts";

const postsOf = (channel: string) => `/channels/${channel}/messages`;
const asking = "const r = await tools.world.destroy({ n: 1 }); return r.ok ? 'it is gone' : r.error.code";

let shared: SharedDiscordScene;
beforeAll(async () => {
	shared = await sharedDiscordScene();
});
afterAll(() => shared[Symbol.asyncDispose]());

describe("a Discord that is not always there", () => {
	it("hears what was said while the connection was closed or cut, by RESUME", async () => {
		await using there = shared.next();
		const { discord } = there;
		const before = await discord.connections();
		expect((await discord.state()).gateway.slice(0, 1)).toEqual(["identify"]);
		for (const [index, order] of [{ kind: "close", code: 4000 }, { kind: "cut" }].entries()) {
			await discord.do(order);
			await discord.say(`return 'meanwhile ${index}'`);
			await discord.answered(`meanwhile ${index}`);
		}
		expect((await discord.state()).gateway.slice(before)).toEqual(["resume", "resume"]);
		expect(await there.runs()).toHaveLength(2);
		expect(await there.view()).toMatchObject({ state: "connected", findings: [] });
	});

	it("fetches what was said while the bridge was away, once, and in order", async () => {
		await using there = shared.next();
		const { discord, bridge } = there;
		const before = await discord.connections();
		await discord.say("return 'first'");
		await discord.answered("first");
		await bridge.kill("SIGKILL");
		for (const n of [1, 2, 3]) await discord.say(`await tools.world.make({ n: ${n} }); return 'away ${n}'`);
		await bridge.start();
		for (const n of [1, 2, 3]) await discord.answered(`away ${n}`);
		expect((await there.effects()).map(({ n }) => n)).toEqual([1, 2, 3]);
		await bridge.restart();
		await discord.connected(before + 2);
		await discord.say("return 'last'");
		await discord.answered("last");
		expect(await there.runs()).toHaveLength(5);
		expect(await discord.posts()).toHaveLength(5);
	}, 120_000);

	it("waits for 429 and 500, and posts once", async () => {
		await using there = shared.next();
		const { discord } = there;
		await discord.do({ kind: "fail", method: "POST", path: postsOf(discord.channel), status: 429, retryAfter: 0.2 });
		await discord.do({ kind: "fail", method: "POST", path: postsOf(discord.channel), status: 500, times: 2 });
		await discord.do({ kind: "fail", method: "POST", path: postsOf(discord.channel), after: true });
		await discord.say("return 'patient'");
		await discord.answered("patient");
		expect(await discord.posts()).toHaveLength(1);
		const sent = (await discord.state()).requests.filter(({ method, path }) => method === "POST" && path === postsOf(discord.channel));
		expect(sent.map(({ status }) => status)).toEqual([429, 500, 500, 200, 200]);
	});

	it("posts once when it is killed between the post and its record", async () => {
		await using there = shared.next();
		const { discord, bridge } = there;
		await discord.do({ kind: "fail", method: "POST", path: postsOf(discord.channel), after: true, times: 1_000 });
		await discord.say(asking);
		await waitUntil("a post whose answer was lost", 20_000, async () => ((await discord.posts()).length > 0 ? true : undefined));
		// A run that has not asked yet would end with the bridge.
		await waitUntil("the request", 20_000, async () => {
			const [run] = await there.runs();
			const { pendingApprovals = [] } = await bridge.client().snapshot({ runId: String(run?.runId) });
			return pendingApprovals.length > 0 ? true : undefined;
		});
		await bridge.kill("SIGKILL");
		await discord.do({ kind: "mend" });
		await bridge.start();
		await discord.click(await discord.button("Allow once"));
		await discord.answered("it is gone");
		expect(await there.effects()).toHaveLength(1);
		expect(await discord.posts()).toHaveLength(2);
	});

	it("takes a click after a restart of the bridge, and edits the post of before", async () => {
		await using there = shared.next();
		const { discord, bridge } = there;
		await discord.say(asking);
		const customId = await discord.button("Allow once");
		const before = await discord.connections();
		await bridge.restart("SIGKILL");
		await discord.connected(before + 1);
		await discord.click(customId);
		await discord.answered("it is gone");
		const posts = await discord.posts();
		expect(posts).toHaveLength(2);
		expect(posts.flatMap(buttonsOf)).toEqual([]);
		expect(await there.effects()).toHaveLength(1);
	});

	it("posts an answer in a new message if somebody deleted the one that said that it works", async () => {
		await using there = shared.next();
		const { discord } = there;
		await discord.say(asking);
		const working = await discord.post("that it works", ({ message_reference: reference }) => reference !== undefined);
		const customId = await discord.button("Deny");
		await discord.do({ kind: "delete", message: working.id });
		await discord.click(customId);
		await discord.answered("DENIED");
	});
});

describe("findings", () => {
	it("names a refused token, and does not try it again", async () => {
		await using there = await discordScene({ XWORKMATE_DISCORD_TOKEN: "wrong.bot.token" }, false);
		const view = await there.viewed("the finding", ({ state }) => state === "refused");
		expect(view.findings.map(({ code }) => code)).toEqual(["DISCORD_TOKEN_REJECTED"]);
		expect((await there.discord.state()).requests).toHaveLength(1);
		expect(there.bridge.output).not.toContain("wrong.bot.token");
	});

	it("names a token that is refused later, and a missing intent", async () => {
		await using there = await discordScene();
		const { discord } = there;
		await discord.do({ kind: "rule", isIntentOff: true, forgetsSessions: true });
		await discord.do({ kind: "cut" });
		const view = await there.viewed("the finding", ({ state }) => state === "refused");
		expect(view.findings.map(({ code }) => code)).toEqual(["DISCORD_INTENT_MISSING"]);
	});

	it("names a missing permission until a post arrives there", async () => {
		await using there = shared.next();
		const { discord } = there;
		await discord.do({ kind: "forbid", channel: discord.channel, on: true });
		await discord.say("return 'unheard'");
		const view = await there.viewed("the finding", ({ findings }) => findings.length > 0);
		expect(view.findings.map(({ code }) => code)).toEqual(["DISCORD_PERMISSION_MISSING"]);
		await discord.do({ kind: "forbid", channel: discord.channel, on: false });
		await discord.say("return 'heard'");
		await discord.answered("heard");
		expect((await there.view()).findings).toEqual([]);
	});

	it("says that nobody may approve, offers no buttons, and lets nobody's click count", async () => {
		await using there = await discordScene({ XWORKMATE_DISCORD_APPROVERS: "", XWORKMATE_DISCORD_USERS: "200" });
		const { discord, bridge } = there;
		expect((await there.view()).findings.map(({ code }) => code)).toEqual(["DISCORD_NO_APPROVER"]);
		await discord.say(asking);
		const asked = await discord.post("the request", ({ content }) => content.includes("No one can approve requests on Discord"));
		expect(buttonsOf(asked)).toEqual([]);
		const [run] = await there.runs();
		const { pendingApprovals } = await bridge.client().snapshot({ runId: String(run?.runId) });
		const [pending] = pendingApprovals as { approvalId: string }[];
		expect(await discord.reply(await discord.click(`allow_once:${pending?.approvalId}`))).toContain("aren't an approver");
		expect(await worldEffects(bridge.home)).toEqual([]);
	});

	it("says that Discord can't be reached, and the bridge works all the same", async () => {
		await using there = await discordScene({ XWORKMATE_DISCORD_API: "http://127.0.0.1:9/api" }, false);
		const view = await there.viewed("the finding", ({ state }) => state === "lost");
		expect(view.findings.map(({ code }) => code)).toEqual(["DISCORD_UNREACHABLE"]);
		expect(there.bridge.output).not.toContain(BOT_TOKEN);
	});

	it("is off without a token", async () => {
		await using there = await discordScene({ XWORKMATE_DISCORD_TOKEN: "" }, false);
		expect(await there.view()).toMatchObject({ state: "off", findings: [] });
		expect((await there.discord.state()).requests).toEqual([]);
	});
});
