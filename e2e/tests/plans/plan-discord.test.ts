import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BridgeProcess, startBridge, writeProviders } from "../../support/bridge/bridge-process.ts";
import { unrulyAgent } from "../../support/bridge/providers.ts";
import { type TemporaryHome, temporaryHome } from "../../support/machine/temporary-home.ts";
import { waitUntil } from "../../support/machine/wait-until.ts";
import { type FakeModel, startFakeModel } from "../../support/model/fake-model.ts";
import { PlanDesk } from "../../support/plans/plan-desk.ts";
import type { Plan } from "../../support/plans/plan-wire.ts";
import { closed, jonas, owner, setUpDiscord, stopPosts } from "../../support/plans/set-up-discord.ts";
import {
	buttonsOf,
	type DiscordPost,
	type FakeDiscord,
	jonas as otherUser,
	startFakeDiscord,
	stranger,
} from "../../support/services/fake-discord.ts";

const bali = "Research the best beaches in Bali for families";
const refusal = "Write what nobody should read";
const hostile = "Write to everyone";
const deliverable = "**Beaches**: Sanur is calm and shallow, Nusa Dua is clean.";
const bidi = "@everyone <@200> [bank.example](https://evil.example) \u202etxt.exe\n```\nMessage sent";
const stories = {
	[bali]: `UNRULY:SAY I looked at twelve beaches, step 1 of 3.\n\n<deliverable>\n${deliverable}\n</deliverable>`,
	[refusal]: "UNRULY:SAY I can't help with that.\n<deliverable>NONE</deliverable>",
	[hostile]: `UNRULY:SAY Here.\n<deliverable>\n${bidi}\n</deliverable>`,
};
const unruly = { executionTarget: "agent", providerId: "unruly" };

let home: TemporaryHome;
let model: FakeModel;
let discord: FakeDiscord;
let bridge: BridgeProcess;
let desk: PlanDesk;

beforeAll(async () => {
	home = await temporaryHome();
	model = await startFakeModel();
	discord = await startFakeDiscord();
	const file = join(home.path, "stories.json");
	await writeFile(file, JSON.stringify(stories));
	await writeProviders(home, [unrulyAgent("unruly", { UNRULY_STORIES: file })]);
	const accounts = { ANTHROPIC_API_KEY: "sk-ant-api03-fake", XWORKMATE_ANTHROPIC_URL: model.url };
	bridge = await startBridge({ home, env: { ...discord.settings, ...accounts } });
	desk = new PlanDesk(bridge.client());
	await setUpDiscord(desk.client);
	await discord.connected();
});
afterAll(async () => {
	await bridge[Symbol.asyncDispose]();
	await discord[Symbol.asyncDispose]();
	await model[Symbol.asyncDispose]();
	await home[Symbol.asyncDispose]();
});

/** The posts with a text, in the channel where plans deliver. */
async function delivered(text: string, channel = owner.channel): Promise<readonly DiscordPost[]> {
	return (await discord.posts(channel)).filter(({ content }) => content === text);
}

function posted(content: string, terms: Record<string, unknown> = {}): Promise<Plan> {
	return desk.create({ title: "Reminder", delivery: [{ channel: "discord", content }], ...terms });
}

/** What the owner is asked about a plan. */
function asked(plan: Pick<Plan, "title">, what = ""): Promise<DiscordPost> {
	return discord.post(
		`the question about ${plan.title}`,
		(post) => post.content.includes(plan.title) && post.content.includes(what) && buttonsOf(post).length > 0,
		owner.direct,
	);
}

function buttonId(post: DiscordPost, label: string): string {
	const found = buttonsOf(post).find((button) => button.label === label);
	if (found === undefined) throw new Error(`${post.content} has no button ${label}`);
	return found.custom_id;
}

async function press(post: DiscordPost, label: string, user: object = owner): Promise<string> {
	return discord.reply(await discord.click(buttonId(post, label), user, owner.direct));
}

/** A post once it says so, without buttons. */
function concluded({ id }: DiscordPost, words: string): Promise<DiscordPost> {
	return discord.post(
		`${words} in a post`,
		(post) => post.id === id && post.content.includes(words) && buttonsOf(post).length === 0,
		owner.direct,
	);
}

describe("the seed's three cases on Discord", () => {
	it("[T2-02][T2-61] researches, and posts the clean result alone, once", async () => {
		const plan = await desk.create({
			title: "A trip",
			instructions: bali,
			work: [{ description: bali }],
			delivery: [{ channel: "discord" }],
			routing: unruly,
		});
		expect(await desk.settled(plan.planId)).toMatchObject({
			status: "completed",
			delivery: [{ status: "completed", proof: "delivered", attempts: 1 }],
		});
		const [post, ...others] = await delivered(deliverable);
		expect(others).toEqual([]);
		expect(post).toMatchObject({ allowed_mentions: { parse: [] }, nonce: expect.any(String) });
		const all = (await discord.posts(owner.channel)).map(({ content }) => content).join("\n");
		for (const inner of ["twelve beaches", "step 1", "<deliverable>"]) expect(all).not.toContain(inner);
	});

	it("[T2-57][T2-61][T2-85] posts a given text with exactly these bytes to whom it is for, and asks no model", async () => {
		const content = "Don't forget to call mom: 17:30, Grüße 家 @everyone";
		const before = (await model.requests()).length;
		const plan = await posted(content, { delivery: [{ channel: "discord", recipient: jonas.contactId, content }] });
		const { delivery, runs } = await desk.settled(plan.planId);
		const [post, ...others] = await delivered(content, jonas.direct);
		expect(others).toEqual([]);
		expect(delivery).toMatchObject([{ status: "completed", providerMessageId: post?.id }]);
		const payload = await bridge.client().http({ path: `/actions/${plan.planId}-1-1/payload` });
		const { nonce, allowed_mentions: allowed, content: sent } = JSON.parse(payload.body.toString("utf8"));
		expect([nonce, allowed, sent]).toEqual([post?.nonce, post?.allowed_mentions, content]);
		expect(runs).toEqual([]);
		expect((await model.requests()).length).toBe(before);
	});

	it("[T2-66] posts no refusal, and asks the owner", async () => {
		const before = (await discord.posts(owner.channel)).length;
		const plan = await desk.create({
			title: "Refused",
			instructions: refusal,
			work: [{ description: "Do it" }],
			delivery: [{ channel: "discord" }],
			routing: unruly,
		});
		expect(await desk.settled(plan.planId)).toMatchObject({ delivery: [{ status: "needs_review", code: "GATE_DECLINED", attempts: 0 }] });
		const post = await asked(plan);
		expect(buttonsOf(post).map(({ label }) => label)).toEqual(["Run again", "Discard"]);
		expect(await press(post, "Discard")).toBe("Discarded. It will not be sent.");
		await concluded(post, "Discarded");
		expect(await discord.posts(owner.channel)).toHaveLength(before);
	});
});

describe("[T2-20] a message that waits", () => {
	const waiting = async (title: string) => {
		const plan = await desk.create({
			title,
			instructions: hostile,
			work: [{ description: "Do it" }],
			delivery: [{ channel: "discord" }],
			routing: unruly,
		});
		await desk.settled(plan.planId);
		return { plan, post: await asked(plan, "hash") };
	};

	it("is shown exactly and without effect, decided by its owner alone, and sent as it was shown", async () => {
		const before = (await delivered(bidi)).length;
		const { plan, post } = await waiting("Hostile one");
		// A text that could end its code block is a file instead.
		expect(post.content).not.toContain("evil.example)");
		expect(post).toMatchObject({ allowed_mentions: { parse: [] }, attachments: [{ filename: "message.txt" }] });
		expect(await (await fetch(post.attachments[0]?.url ?? "")).text()).toBe(bidi);
		for (const { custom_id: id } of buttonsOf(post)) expect(id).toMatch(/^m-\w+:[\w-]+:\d+:[0-9a-f]{16}$/);
		for (const user of [stranger, otherUser]) expect(await press(post, "Send", user)).toContain("no decision was made");
		expect(await desk.settled(plan.planId)).toMatchObject({ delivery: [{ status: "needs_review", attempts: 0 }] });
		expect(await press(post, "Send")).toBe("The message will be sent as soon as possible.");
		await desk.until(plan.planId, "its end", ({ status }) => status === "completed");
		await concluded(post, "Sent");
		expect(await delivered(bidi)).toHaveLength(before + 1);
		// The button of an old screen decides nothing.
		expect(await press(post, "Send")).toBe("This message is no longer waiting for you. Sent.");
		expect(await delivered(bidi)).toHaveLength(before + 1);
	});

	it("that was decided elsewhere says so, and its buttons go", async () => {
		const { plan, post } = await waiting("Hostile two");
		const { occurrenceId, revision, delivery } = await desk.settled(plan.planId);
		const { applied } = await desk.decide("review", { occurrenceId, actionId: delivery[0]?.actionId, revision, decision: "discard" });
		expect(applied).toBe(true);
		await concluded(post, "Discarded");
		expect(await press(post, "Send")).toBe("This message is no longer waiting for you. Discarded.");
	});

	it("that has changed since it was shown is not sent by the old button", async () => {
		const { plan, post } = await waiting("Hostile three");
		const id = buttonId(post, "Send");
		const stale = [id.replace(/[0-9a-f]{16}$/, "0".repeat(16)), id.replace(/:(\d+):/, (_, n) => `:${Number(n) + 1}:`)];
		for (const customId of stale)
			expect(await discord.reply(await discord.click(customId, owner, owner.direct))).toContain("has changed since this message was shown");
		expect(await desk.settled(plan.planId)).toMatchObject({ delivery: [{ status: "needs_review", attempts: 0 }] });
		expect(await press(post, "Discard")).toContain("Discarded");
	});

	it("is asked about once, also by a bridge that starts anew, and says what was decided meanwhile", async () => {
		const { plan, post } = await waiting("Hostile four");
		const connections = await discord.connections();
		await bridge.restart("SIGKILL");
		desk = new PlanDesk(bridge.client());
		await discord.connected(connections + 1);
		const { occurrenceId, revision, delivery } = await desk.settled(plan.planId);
		await desk.decide("review", { occurrenceId, actionId: delivery[0]?.actionId, revision, decision: "discard" });
		await concluded(post, "Discarded");
		const about = (await discord.posts(owner.direct)).filter(({ content }) => content.includes(plan.title));
		expect(about.map(({ id }) => id)).toEqual([post.id]);
	});
});

describe("[T2-67] a message whose way is disturbed", () => {
	it("and has no answer is never sent again, and settled by a press", async () => {
		const content = "Cut before it was done";
		await stopPosts(discord, owner.channel, { status: 502, bare: true });
		const plan = await posted(content, { title: content });
		expect(await desk.settled(plan.planId)).toMatchObject({ delivery: [{ status: "unknown", code: "NO_ANSWER", attempts: 1 }] });
		const post = await asked(plan);
		expect(buttonsOf(post).map(({ label }) => label)).toEqual(["It arrived", "It didn't arrive"]);
		expect(await press(post, "It didn't arrive")).toContain("Recorded");
		await concluded(post, "Not sent");
		expect(await desk.settled(plan.planId)).toMatchObject({ delivery: [{ status: "failed", code: "NOT_SENT" }] });
		expect(await delivered(content)).toEqual([]);
	});

	it("and has no answer after it was posted is proved by the bot's own messages, and never sent again", async () => {
		const content = "Cut after it was done";
		await stopPosts(discord, owner.channel, { after: true });
		const plan = await posted(content, { title: content });
		const { occurrence } = await desk.until(plan.planId, "a proof", (found) => found.occurrence?.status === "completed");
		expect(occurrence).toMatchObject({ delivery: [{ status: "completed", proof: "delivered", attempts: 1 }] });
		expect(await delivered(content)).toHaveLength(1);
	});

	it.each([
		["the request has arrived", { hang: true }, 0],
		["the message is posted", { hang: true, after: true }, 1],
	])("by a kill once %s is unknown, and at most one", async (when, how, arrived) => {
		const content = `Killed when ${when}`;
		// Reads of the same path are those of a proof that is looked for: a kill at one of them would be too early.
		const requests = async () =>
			(await discord.state()).requests.filter(({ method, path }) => method === "POST" && path === `/channels/${owner.channel}/messages`)
				.length;
		const before = await requests();
		await stopPosts(discord, owner.channel, how);
		const plan = await posted(content, { title: content });
		await waitUntil("the request", 20_000, async () => ((await requests()) > before ? true : undefined));
		await bridge.restart("SIGKILL");
		desk = new PlanDesk(bridge.client());
		const { delivery } = await desk.settled(plan.planId);
		expect(delivery).toMatchObject([{ attempts: 1 }]);
		expect(["unknown", "completed"]).toContain(delivery[0]?.status);
		expect(await delivered(content)).toHaveLength(arrived);
	});

	it("waits as long as Discord asks for, and can be stopped meanwhile", async () => {
		const content = "Slowly";
		await stopPosts(discord, owner.channel, { status: 429, retryAfter: 600 });
		const plan = await posted(content);
		const waiting = await desk.until(plan.planId, "a wait", ({ delivery }) => delivery[0]?.notBefore !== undefined);
		expect(waiting.delivery).toMatchObject([{ status: "pending", attempts: 1 }]);
		expect(Date.parse(waiting.delivery[0]?.notBefore ?? "")).toBeGreaterThan(Date.now() + 500_000);
		await desk.call("cancel", { planId: plan.planId });
		expect(await delivered(content)).toEqual([]);
	});

	it("to somebody who can't be written to has failed, with what to do", async () => {
		const plan = await posted("Hello", { delivery: [{ channel: "discord", recipient: closed.contactId, content: "Hello there" }] });
		expect(await desk.settled(plan.planId)).toMatchObject({
			delivery: [{ status: "failed", code: "RECIPIENT_REFUSED", fix: expect.stringContaining("direct messages") }],
		});
	});

	it("of 2,001 characters is refused when it is made", async () => {
		await expect(posted("x".repeat(2_001))).rejects.toMatchObject({ message: expect.stringContaining("2000") });
	});
});
