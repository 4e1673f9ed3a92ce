import { ActionId, type PlanId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { MessageNews } from "../../../src/ports/channels/channel-news.ts";
import { found, second } from "../../store/contracts/plan-fixture.ts";
import { SOON } from "../executor/executor-scene.ts";
import { ADDRESS, newsOf, openNewsScene, toWhatsApp } from "./news-scene.ts";

type Scene = Awaited<ReturnType<typeof openNewsScene>>;

const delivered: MessageNews = { kind: "proved", proof: "delivered" };
const sent: MessageNews = { kind: "proved", proof: "sent" };
const closed: MessageNews = { kind: "held", code: "WINDOW_CLOSED", message: "closed", fix: "wait" };
const blocked: MessageNews = { kind: "held", code: "CHANNEL_BLOCKED", message: "blocked", fix: "wait" };
const failed: MessageNews = { kind: "failed", code: "RECIPIENT_REFUSED", message: "no such number", fix: "check" };

async function accepted(scene: Scene, planId = "p1"): Promise<PlanId> {
	const id = await scene.plan(planId);
	await scene.begin();
	await expect.poll(() => scene.first(id), SOON).toMatchObject({ stage: "accepted" });
	return id;
}

it("a message is completed by the word that it was delivered, and a word that is told twice is taken once", async () => {
	await using scene = await openNewsScene();
	const planId = await accepted(scene);
	await scene.now.desk.take([newsOf("wamid.1", delivered), newsOf("wamid.1", delivered)]);
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ status: "completed", proof: "delivered", completedAt: second(9) });
	const { lastSeq } = await found(scene.now.store, planId);
	await scene.now.desk.take([newsOf("wamid.1", delivered)]);
	await scene.now.desk.take([newsOf("wamid.1", { kind: "proved", proof: "read" })]);
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ status: "completed", proof: "read" });
	expect((await found(scene.now.store, planId)).lastSeq).toBe(lastSeq + 1);
	await expect.poll(() => scene.waiting(), SOON).toBe(0);
	expect([scene.errors, scene.now.errors]).toEqual([[], []]);
});

it("a message that was sent on counts as sent ten minutes later, and a failure after that is only noted", async () => {
	await using scene = await openNewsScene();
	const planId = await accepted(scene);
	scene.pass(300_000);
	await scene.now.desk.take([newsOf("wamid.1", sent)]);
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ stage: "accepted", proof: "sent" });
	scene.pass(599_000);
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ stage: "accepted" });
	scene.pass(1_000);
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ status: "completed", proof: "sent" });
	await scene.now.desk.take([newsOf("wamid.1", failed)]);
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ status: "completed", later: [{ message: "no such number" }] });
	expect(scene.channel.journal).toHaveLength(1);
});

it("a late failure holds a message that was accepted, and nothing is sent again by itself", async () => {
	await using scene = await openNewsScene();
	const planId = await accepted(scene);
	const { actionId } = await scene.first(planId);
	const ours = { ours: { actionId } };
	await scene.now.desk.take([newsOf("wamid.1", closed, ours), newsOf("wamid.1", sent, ours)]);
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ status: "needs_review", code: "WINDOW_CLOSED" });
	await expect.poll(() => scene.waiting(), SOON).toBe(0);
	scene.pass(600_000);
	expect(scene.channel.journal).toHaveLength(1);
	expect(await scene.first(planId)).toMatchObject({ status: "needs_review", code: "WINDOW_CLOSED" });
});

it("what is told together counts by what it proves, whatever its order", async () => {
	await using scene = await openNewsScene();
	const planId = await accepted(scene);
	await scene.now.desk.take([newsOf("wamid.1", failed), newsOf("wamid.1", sent), newsOf("wamid.1", delivered)]);
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ status: "completed", proof: "delivered" });
});

it.each([
	["by our name of it", true],
	["by the channel's", false],
])("news that overtake the answer wait for it (%s)", async (_what, isNamed) => {
	await using scene = await openNewsScene();
	const { promise: told, resolve: tell } = Promise.withResolvers<void>();
	const { promise: go, resolve: answer } = Promise.withResolvers<void>();
	scene.channel.play = async ({ handOver, leave }) => {
		await handOver();
		leave();
		tell();
		await go;
		return { kind: "accepted", proof: "accepted", providerMessageId: "wamid.1", awaitsProof: true };
	};
	const planId = await scene.plan("p1");
	await scene.begin();
	await told;
	const { actionId } = await scene.first(planId);
	await scene.now.desk.take([newsOf("wamid.1", delivered, isNamed ? { ours: { actionId } } : {})]);
	await scene.now.desk[Symbol.asyncDispose]();
	expect(await scene.first(planId)).toMatchObject({ stage: "handing_over" });
	expect(await scene.waiting()).toBe(1);
	answer();
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ stage: "accepted" });
	await scene.restart();
	await scene.begin();
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ status: "completed", proof: "delivered" });
	expect(await scene.waiting()).toBe(0);
});

it("news that overtake the answer have their effect once that is there, without a restart", async () => {
	await using scene = await openNewsScene();
	const { promise: told, resolve: tell } = Promise.withResolvers<void>();
	const { promise: go, resolve: answer } = Promise.withResolvers<void>();
	scene.channel.play = async ({ handOver }) => {
		await handOver();
		tell();
		await go;
		return { kind: "no_answer", message: "cut" };
	};
	const planId = await scene.plan("p1");
	await scene.begin();
	await told;
	const { actionId } = await scene.first(planId);
	const foreign = newsOf("wamid.8", delivered, { ours: { actionId: ActionId.parse("nobody-1-1") } });
	await scene.now.desk.take([newsOf("wamid.1", delivered, { ours: { actionId } }), foreign]);
	// It was looked at, and only what is not ours is done with.
	await expect.poll(() => scene.waiting(), SOON).toBe(1);
	answer();
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ status: "completed", proof: "delivered" });
});

it("news of messages that are not ours are dropped: at once by our name of them, else after a while", async () => {
	await using scene = await openNewsScene();
	await scene.begin();
	const foreign = newsOf("wamid.8", delivered, { ours: { actionId: ActionId.parse("nobody-1-1") } });
	await scene.now.desk.take([foreign, newsOf("wamid.9", delivered)]);
	await expect.poll(() => scene.waiting(), SOON).toBe(1);
	scene.pass(600_001);
	await expect.poll(() => scene.waiting(), SOON).toBe(0);
	expect(scene.errors).toEqual([]);
});

it("news of another channel's message that has the same name are not of it", async () => {
	await using scene = await openNewsScene();
	const planId = await accepted(scene);
	const { actionId } = await scene.first(planId);
	await scene.now.desk.take([newsOf("wamid.1", failed, { channel: "discord", ours: { actionId } })]);
	await expect.poll(() => scene.waiting(), SOON).toBe(0);
	expect(await scene.first(planId)).toMatchObject({ stage: "accepted" });
});

it("what was told before a crash has its effect after it", async () => {
	await using scene = await openNewsScene();
	const planId = await accepted(scene);
	await scene.now.desk[Symbol.asyncDispose]();
	await scene.now.desk.take([newsOf("wamid.1", delivered)]);
	await scene.restart();
	expect(await scene.first(planId)).toMatchObject({ stage: "accepted" });
	// The service that told it got no answer, and tells it again.
	await scene.now.desk.take([newsOf("wamid.1", delivered)]);
	expect(await scene.waiting()).toBe(1);
	await scene.begin();
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ status: "completed" });
});

it("a reply opens the window of its address for a day, and what waits for it says so", async () => {
	await using scene = await openNewsScene();
	const planId = await scene.plan("p1", [toWhatsApp, { ...toWhatsApp, recipient: "+15550002222" }, { ...toWhatsApp, recipient: "gone" }]);
	scene.channel.play = async () => ({ kind: "held", code: "WINDOW_CLOSED", message: "closed", fix: "wait" });
	await scene.begin();
	const actions = async () => (await found(scene.now.store, planId)).newest?.delivery ?? [];
	await expect.poll(async () => (await actions()).map(({ status }) => status), SOON).toEqual(Array(3).fill("needs_review"));
	const reply = (key: string, at: string) => ({
		key,
		told: { kind: "reply" as const, channel: "whatsapp" as const, address: ADDRESS, number: "104", at },
	});
	await scene.now.desk.take([reply("b", second(60)), reply("a", second(0))]);
	const until = second(24 * 3_600 + 60);
	await expect.poll(async () => (await actions())[0]?.message, SOON).toContain(until);
	const open = (address: string, number?: string) =>
		scene.now.windows.until({ channel: "whatsapp", address, ...(number !== undefined && { number }) });
	expect(await open(ADDRESS, "104")).toBe(until);
	// Another number of ours, and another correspondent.
	for (const other of [open(ADDRESS, "105"), open(ADDRESS), open("+15550002222", "104")]) expect(await other).toBeUndefined();
	expect((await actions()).map(({ status, message }) => [status, message === "closed"])).toEqual([
		["needs_review", false],
		["needs_review", true],
		["needs_review", expect.any(Boolean)],
	]);
	expect(scene.channel.journal).toEqual([]);
});

it("is told on, with its time, that the channel itself refused, and not that only this message was refused", async () => {
	await using scene = await openNewsScene();
	const planId = await accepted(scene);
	await scene.now.desk.take([newsOf("wamid.1", { ...blocked, code: "CHANNEL_AUTH" })]);
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ status: "needs_review", code: "CHANNEL_AUTH" });
	await expect.poll(() => scene.waiting(), SOON).toBe(0);
	expect(scene.refused).toEqual([["whatsapp", second(9)]]);
	const other = await scene.plan("p2");
	scene.now.executor.wake();
	await expect.poll(() => scene.first(other), SOON).toMatchObject({ stage: "accepted" });
	const { providerMessageId = "" } = await scene.first(other);
	await scene.now.desk.take([newsOf(providerMessageId, blocked)]);
	await expect.poll(() => scene.first(other), SOON).toMatchObject({ code: "CHANNEL_BLOCKED" });
	await expect.poll(() => scene.waiting(), SOON).toBe(0);
	expect(scene.refused).toHaveLength(1);
});
