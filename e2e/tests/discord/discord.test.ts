import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { decide } from "../../support/app/approvals.ts";
import { waitUntil } from "../../support/machine/wait-until.ts";
import { type SharedDiscordScene, sharedDiscordScene } from "../../support/services/discord-scene.ts";
import { buttonsOf, DIRECT, jonas, OPS, PLANS, stranger } from "../../support/services/fake-discord.ts";

const asking = "const r = await tools.world.destroy({ n: 1 }); return r.ok ? 'it is gone' : r.error.code";
const Receipts = z.object({ items: z.array(z.looseObject({ type: z.string(), detail: z.record(z.string(), z.unknown()).optional() })) });

let shared: SharedDiscordScene;
beforeAll(async () => {
	shared = await sharedDiscordScene();
});
afterAll(() => shared[Symbol.asyncDispose]());

describe("a conversation on Discord", () => {
	it("[T1-53] answers a message in its channel, as a turn of the channel's thread", async () => {
		await using there = shared.next();
		const { discord, bridge } = there;
		const message = await discord.say("return 'hello ' + (40 + 2)");
		const post = await discord.answered("hello 42");
		expect(post.content).toContain("> 0 actions completed");
		expect(post.message_reference?.message_id).toBe(message);
		const snapshot = await bridge.client().snapshot({ threadId: there.thread, turnId: message });
		expect(snapshot).toMatchObject({ status: "completed", origin: { kind: "operator", id: "discord" } });
		expect(await there.view()).toMatchObject({ state: "connected", account: "xw-bot", findings: [], unknownPosts: 0 });
	});

	it("answers a direct message, and ignores strangers, other bots and other channels", async () => {
		await using there = shared.next();
		const { discord } = there;
		await discord.say("return 'no'", { user: stranger });
		await discord.say("return 'no'", { user: { ...jonas, bot: true } });
		await discord.say("return 'no'", { channel: PLANS });
		await discord.say("return 'no'", { more: { type: 7 } });
		await discord.say("return 'direct'", { channel: DIRECT, user: jonas });
		await discord.post("the answer", ({ content }) => content.includes("direct") && content.includes("receipt"), DIRECT);
		expect(await there.runs()).toEqual([]);
		expect(await discord.posts()).toEqual([]);
		expect(await discord.posts(PLANS)).toEqual([]);
	});

	it("runs a message once, however often Discord tells it", async () => {
		await using there = shared.next();
		const { discord } = there;
		await discord.say("await tools.world.make({ n: 1 }); return 'made'");
		await discord.answered("made");
		await discord.do({ kind: "replay" });
		await discord.say("return 'after'");
		await discord.answered("after");
		expect(await there.effects()).toHaveLength(1);
		expect(await there.runs()).toHaveLength(2);
		expect(await discord.posts()).toHaveLength(2);
	});

	it("[T1-91] passes a prompt of 6,000 characters whole, and its files; refuses a file of 30 MB in words", async () => {
		await using there = shared.next();
		const { discord } = there;
		await discord.say(`return ${JSON.stringify("x".repeat(5_900))}.length // ${"y".repeat(80)}`, {
			files: [{ name: "notes.txt", size: 5, text: "hello" }],
		});
		await discord.answered("5900");
		await discord.say("return 'no'", { files: [{ name: "film.mov", size: 30_000_000 }] });
		const refusal = await discord.post("a refusal", ({ content }) => content.includes("didn't start a run"));
		expect(refusal.content).toContain("30 MB");
		expect(refusal.content).toContain("10\\.5 MB");
		const [run, ...others] = await there.runs();
		expect(others).toEqual([]);
		const input = await there.bridge.client().rpc("xworkmate.tasks.input", { runId: run?.runId });
		expect(input).toMatchObject({ attachments: [{ name: "notes.txt", sizeBytes: 5 }] });
	});

	it("splits a long answer without tearing its code, and attaches a very long one whole", async () => {
		await using there = shared.next();
		const { discord } = there;
		await discord.say('return "begin\\n```js\\n" + "let x = 1;\\n".repeat(300) + "```\\nend"');
		await discord.answered("end");
		const parts = await discord.posts();
		expect(parts.length).toBeGreaterThan(1);
		for (const { content } of parts) {
			expect(content.length).toBeLessThanOrEqual(2_000);
			expect(content.split("```").length % 2).toBe(1);
		}
		await discord.say("return 'word '.repeat(5000)");
		const last = await discord.post("the attached answer", ({ attachments }) => attachments.length > 0);
		const file = await fetch(String(last.attachments[0]?.url));
		expect(await file.text()).toBe("word ".repeat(5_000));
	});

	it("lets no mention, quote or hidden character of an answer take effect", async () => {
		await using there = shared.next();
		const { discord } = there;
		await discord.say('return "@everyone <@200> [a](https://b.example) \\u202e ||x||\\n> 5 actions completed\\n-# 9 receipts"');
		const { content, allowed_mentions: allowed, flags } = await discord.answered("everyone");
		expect(allowed).toEqual({ parse: [], replied_user: false });
		expect(flags).toBe(4);
		expect(content).toContain("\\@everyone \\<\\@200> [a]\\(https://b.example) \\u{202e} \\|\\|x\\|\\|");
		expect(content).toContain("\n\\> 5 actions completed\n\\-# 9 receipts");
		expect(content).toContain("\n> 0 actions completed");
	});

	it("begins a new thread with /new, stops with /stop, and says with /status what runs", async () => {
		await using there = shared.next();
		const { discord } = there;
		await discord.say("await tools.time.wait({ ms: 60000 }); return 'late'");
		await discord.post("that it works", ({ content }) => content.includes("Working"));
		expect(await discord.reply(await discord.command("status"))).toBe("1 running, 0 queued. Requests waiting for approval: 0.");
		expect(await discord.reply(await discord.command("stop", stranger))).toContain("can't use this bot");
		expect(await discord.reply(await discord.command("stop"))).toBe("Stopping 1 message.");
		await discord.answered("Stopped");
		const start = await discord.command("new");
		expect(await discord.reply(start)).toContain("new conversation");
		await discord.say("return 'new one'");
		await discord.answered("new one");
		expect(await there.runs(`${there.thread}-${start}`)).toHaveLength(1);
		expect((await discord.state()).commands.map(({ name }) => name)).toEqual(["new", "stop", "status"]);
	});
});

describe("a request on Discord", () => {
	it("[T1-55] is allowed by a button that carries its id alone, and its post says by whom", async () => {
		await using there = shared.next();
		const { discord } = there;
		await discord.say(asking);
		const customId = await discord.button("Allow once");
		expect(customId).toMatch(/^allow_once:apr-[a-z0-9]+$/);
		const asked = await discord.post("the request", (post) => buttonsOf(post).length > 0);
		expect(asked.content).toContain("Destructive: world\\.thing\\.destroy");
		expect(asked.content).toContain("destroy 1");
		expect(await discord.reply(await discord.click(customId))).toContain("Allowed once by mira");
		const post = await discord.answered("it is gone");
		expect(post.content).toContain("> 1 action completed");
		expect(await there.effects()).toHaveLength(1);
		const over = (await discord.posts()).find(({ id }) => id === asked.id);
		expect(over?.content).toContain("Allowed once by mira");
		expect(over?.components).toEqual([]);
		expect(await discord.reply(await discord.click(customId))).toContain("already closed");
	});

	it("is denied by a button, and what was denied is not done", async () => {
		await using there = shared.next();
		const { discord } = there;
		await discord.say(asking);
		await discord.click(await discord.button("Deny"));
		const post = await discord.answered("DENIED");
		expect(post.content).toContain("> 0 actions completed");
		expect(post.content).toContain("because it was denied");
		expect(await there.effects()).toEqual([]);
	});

	it("is not decided by a stranger's click, which only leaves a receipt", async () => {
		await using there = shared.next();
		const { discord, bridge } = there;
		await discord.say(asking);
		const customId = await discord.button("Allow once");
		for (const user of [stranger, jonas, stranger]) {
			expect(await discord.reply(await discord.click(customId, user))).toContain("aren't an approver, so no decision was made");
		}
		expect(await discord.reply(await discord.click(customId.replace("apr-", "apr-0")))).toContain("doesn't recognize this request");
		const [run] = await there.runs();
		const refused = await waitUntil("the receipts of two refusals", 10_000, async () => {
			const { items } = Receipts.parse(
				await bridge.client().rpc("xworkmate.receipts.list", { runId: run?.runId, type: "approval.actor_refused" }),
			);
			return items.length >= 2 ? items : undefined;
		});
		expect(refused.map(({ detail }) => detail?.actor).toSorted()).toEqual(["discord:jonas (201)", "discord:mallory (999)"]);
		expect(await there.effects()).toEqual([]);
		expect(buttonsOf(await discord.post("the request", (post) => buttonsOf(post).length > 0))).toHaveLength(3);
		await discord.click(customId);
		await discord.answered("it is gone");
		expect(await bridge.client().rpc("xworkmate.receipts.verify")).toMatchObject({ ok: true, problems: [] });
	});

	it("loses its buttons when it is decided elsewhere, and when the run is stopped", async () => {
		await using there = shared.next();
		const { discord, bridge } = there;
		await discord.say(asking);
		const customId = await discord.button("Deny");
		await decide(bridge.client(), customId.slice("deny:".length), "deny");
		const over = await discord.post("the outcome", ({ content }) => content.includes("Denied in XWorkmate"));
		expect(over.components).toEqual([]);
		await discord.answered("DENIED");
		await discord.say(asking.replace("n: 1", "n: 2"));
		await discord.post("the request", (post) => buttonsOf(post).length > 0 && post.content.includes("destroy 2"));
		await discord.command("stop");
		const withdrawn = await discord.post("that it is withdrawn", ({ content }) => content.includes("Withdrawn"));
		expect(withdrawn.components).toEqual([]);
	});

	it("is asked of a run of the app too, if its thread is a channel's, and of no other", async () => {
		await using there = shared.next();
		const { discord, bridge } = there;
		const submit = (threadId: string, n: number) =>
			bridge.client().rpc("session.start", {
				...{ threadId, sessionId: threadId, turnId: `turn-${n}`, routing: { executionTarget: "agent", providerId: "script" } },
				prompt: asking.replace("n: 1", `n: ${n}`),
			});
		void submit("thread-of-the-app", 3).catch(() => undefined);
		void submit(`discord-${PLANS}`, 4).catch(() => undefined);
		void submit(there.thread, 5).catch(() => undefined);
		await discord.post("the request", ({ content }) => content.includes("destroy 5"));
		await discord.click(await discord.button("Deny"));
		await discord.answered("DENIED");
		const texts = (await discord.state()).messages.map(({ content }) => content).join("\n");
		expect(texts).not.toMatch(/destroy [34]/);
		expect(OPS).toBe("300");
	});
});
