import { ContractError } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { decideSettle } from "../../../src/plans/domain/decide-delivery.ts";
import { decideCancel } from "../../../src/plans/domain/decide-occurrence.ts";
import { openOne, second } from "../../store/contracts/plan-fixture.ts";
import { openScene, SOON, toEmail } from "./executor-scene.ts";
import { InboxChannel, type Play, ScriptedChannel, sends } from "./scripted-channel.ts";

it("thirty messages of a channel leave in an hour, exactly, and the next waits for a person", async () => {
	await using scene = await openScene({ limits: { sendsPerHour: 12 } });
	const plans = await Promise.all(
		Array.from({ length: 15 }, (_, index) => scene.plan(`p${index}`, [toEmail(`Words ${index}`, `contact-${index}`)])),
	);
	scene.executor.begin();
	const statuses = async () => (await Promise.all(plans.map((planId) => scene.first(planId)))).map(({ status }) => status).toSorted();
	await expect.poll(statuses, SOON).toEqual([...Array(12).fill("completed"), ...Array(3).fill("needs_review")]);
	expect(scene.channel.journal).toHaveLength(12);
	const held = (await Promise.all(plans.map((planId) => scene.first(planId)))).find(({ status }) => status === "needs_review");
	expect(held).toMatchObject({ code: "SEND_LIMIT", attempts: 0 });
	expect(held?.message).toContain("12 messages");
	const later = await scene.plan("later", [toEmail("Words", "contact")]);
	scene.pass(3_600_001);
	await expect.poll(() => scene.first(later), SOON).toMatchObject({ status: "completed" });
});

it("a message that was refused was not sent, so others are sent in its place before the limit is said to be reached", async () => {
	await using scene = await openScene({ limits: { sendsPerHour: 3 } });
	let attempts = 0;
	scene.channel.play = async (one) => {
		if (++attempts > 2) return await sends(one);
		await one.handOver();
		return { kind: "refused", code: "RECIPIENT_REFUSED", message: "no such mailbox", fix: "" };
	};
	const plans = await Promise.all(
		Array.from({ length: 7 }, (_, index) => scene.plan(`p${index}`, [toEmail(`Words ${index}`, `contact-${index}`)])),
	);
	scene.executor.begin();
	const statuses = async () => (await Promise.all(plans.map((planId) => scene.first(planId)))).map(({ status }) => status).toSorted();
	const ends = [...Array(3).fill("completed"), ...Array(2).fill("failed"), ...Array(2).fill("needs_review")];
	await expect.poll(statuses, SOON).toEqual(ends);
	expect(scene.channel.journal).toHaveLength(3);
});

it("the limit is not said to be the number of messages that were sent: it may have been lowered since", async () => {
	await using scene = await openScene({ limits: { sendsPerHour: 1 } });
	const plans = await Promise.all(["a", "b"].map((name) => scene.plan(name, [toEmail(`Words ${name}`, `contact-${name}`)])));
	scene.executor.begin();
	const firsts = () => Promise.all(plans.map((planId) => scene.first(planId)));
	await expect.poll(async () => (await firsts()).map(({ status }) => status).toSorted(), SOON).toEqual(["completed", "needs_review"]);
	const held = (await firsts()).find(({ status }) => status === "needs_review");
	expect(held?.message).toBe("At most 1 message per hour is sent automatically through email, and that limit was reached.");
});

it("the same text for the same recipient from two plans is taken for a mistake; for another, or later, it is none", async () => {
	await using scene = await openScene();
	const one = await scene.plan("p1", [toEmail("Good morning", "ann")]);
	scene.executor.begin();
	await expect.poll(() => scene.first(one), SOON).toMatchObject({ status: "completed" });
	const two = await scene.plan("p2", [toEmail("Good morning", "ann"), toEmail("Good morning", "bob")]);
	scene.executor.wake();
	await expect
		.poll(() => scene.actions(two), SOON)
		.toMatchObject([{ status: "needs_review", code: "DUPLICATE_CONTENT" }, { status: "completed" }]);
	scene.clock.advance(600_001);
	const three = await scene.plan("p3", [toEmail("Good morning", "ann")]);
	scene.executor.wake();
	await expect.poll(() => scene.first(three), SOON).toMatchObject({ status: "completed" });
});

it("the same text is not said to have been sent if only that it may have been is known", async () => {
	await using scene = await openScene();
	scene.channel.play = async (one) => {
		await one.handOver();
		return { kind: "no_answer", message: "The connection ended." };
	};
	const held = async (name: string) => {
		const planId = await scene.plan(name, [toEmail("Good morning", "ann")]);
		scene.executor.wake();
		await expect.poll(() => scene.first(planId), SOON).toMatchObject({ status: "needs_review", code: "DUPLICATE_CONTENT" });
		return scene.first(planId);
	};
	const one = await scene.plan("p1", [toEmail("Good morning", "ann")]);
	scene.executor.begin();
	await expect.poll(() => scene.first(one), SOON).toMatchObject({ status: "unknown" });
	expect(await held("p2")).toMatchObject({
		message: "Another plan may have just sent the same text to the same recipient; XWorkmate doesn't know whether that message was sent.",
		fix: expect.stringContaining("Check whether that message arrived"),
	});
	const { actionId } = await scene.first(one);
	await scene.log.change(one, (state) => decideSettle(openOne(state), actionId, "sent", "person", second(1)));
	expect(await held("p3")).toMatchObject({ message: "Another plan has just sent the same text to the same recipient." });
});

it("one message at a time goes to a recipient, and a slow one holds nobody else", async () => {
	await using scene = await openScene();
	const { promise: gate, resolve: open } = Promise.withResolvers<void>();
	const waits: Play = async (one) => {
		await gate;
		return sends(one);
	};
	scene.channel.play = waits;
	const one = await scene.plan("p1", [toEmail("first", "ann")]);
	scene.executor.begin();
	await expect.poll(() => scene.first(one), SOON).toMatchObject({ stage: "claimed" });
	scene.channel.play = sends;
	const two = await scene.plan("p2", [toEmail("second", "ann")]);
	const three = await scene.plan("p3", [toEmail("third", "bob")]);
	scene.executor.wake();
	await expect.poll(() => scene.first(three), SOON).toMatchObject({ status: "completed" });
	expect(await scene.first(two)).toMatchObject({ status: "pending" });
	open();
	await expect.poll(() => scene.first(two), SOON).toMatchObject({ status: "completed" });
	expect(scene.channel.journal.map((text) => text.split(" ")[1])).toEqual(["third", "first", "second"]);
});

it("a message that waits for its retry holds no other one", async () => {
	await using scene = await openScene();
	scene.channel.play = async () => ({ kind: "passing", message: "the mailbox is full" });
	const one = await scene.plan("p1", [toEmail("large", "ann")]);
	scene.executor.begin();
	await expect.poll(() => scene.first(one), SOON).toMatchObject({ status: "pending", attempts: 1 });
	scene.channel.play = sends;
	const two = await scene.plan("p2", [toEmail("small", "ann")]);
	scene.executor.wake();
	await expect.poll(() => scene.first(two), SOON).toMatchObject({ status: "completed" });
});

it("no more are sent at once than may be", async () => {
	await using scene = await openScene({ limits: { atOnce: 3 } });
	const { promise: gate, resolve: open } = Promise.withResolvers<void>();
	let [now, most] = [0, 0];
	scene.channel.play = async (one) => {
		most = Math.max(most, ++now);
		await gate;
		const outcome = await sends(one);
		now--;
		return outcome;
	};
	await Promise.all(Array.from({ length: 9 }, (_, index) => scene.plan(`p${index}`, [toEmail(`${index}`, `c${index}`)])));
	scene.executor.begin();
	await expect.poll(() => now, SOON).toBe(3);
	scene.executor.wake();
	open();
	await expect.poll(() => scene.channel.journal.length, SOON).toBe(9);
	expect(most).toBe(3);
});

it("a channel that can't be used says so, with what to do, before anything is claimed", async () => {
	const discord = new ScriptedChannel("discord");
	discord.problem = { code: "NOT_SET_UP", message: "Discord is not set up.", fix: "Set it up." };
	await using scene = await openScene({ beside: [discord] });
	const planId = await scene.plan("p1", [
		{ channel: "discord", content: "a" },
		{ channel: "whatsapp", content: "b" },
	]);
	scene.executor.begin();
	const held = { status: "needs_review", code: "CHANNEL_UNAVAILABLE", attempts: 0 };
	await expect
		.poll(() => scene.actions(planId), SOON)
		.toMatchObject([
			{ ...held, message: "Discord is not set up.", fix: "Set it up." },
			{ ...held, message: "This bridge can't send through WhatsApp." },
		]);
});

it.each([
	["RECIPIENT_UNKNOWN", { status: "needs_review", code: "RECIPIENT_UNKNOWN" }],
	["RECIPIENT_REQUIRED", { status: "needs_review", code: "CHANNEL_UNAVAILABLE" }],
	["CONTENT_INVALID", { status: "failed", code: "CONTENT_REFUSED" }],
	["NOT_FOUND", { status: "needs_review", code: "ATTACHMENT_MISSING" }],
	["DISK_FULL", { status: "pending", attempts: 1 }],
] as const)("a message that can't be built for %s", async (code, expected) => {
	await using scene = await openScene({ parts: { messageOf: () => Promise.reject(new ContractError(code)) } });
	const planId = await scene.plan("p1");
	scene.executor.begin();
	await expect.poll(() => scene.first(planId), SOON).toMatchObject(expected);
	expect(scene.channel.journal).toEqual([]);
});

it("a recipient who is gone gets nothing, even what was built for them before", async () => {
	const resolveRecipient = () => {
		throw new ContractError("RECIPIENT_UNKNOWN");
	};
	await using scene = await openScene({ parts: { resolveRecipient } });
	const planId = await scene.plan("p1");
	scene.executor.begin();
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ status: "needs_review", code: "RECIPIENT_UNKNOWN" });
	expect(scene.channel.rendered).toBe(0);
});

it("a message that is cancelled while it is built does not leave", async () => {
	await using scene = await openScene();
	const { promise: building, resolve: build } = Promise.withResolvers<void>();
	scene.channel.building = building;
	const planId = await scene.plan("p1");
	scene.executor.begin();
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ stage: "claimed" });
	await scene.log.change(planId, (state) => decideCancel(openOne(state)));
	// The next for the same recipient waits for the end of that attempt.
	const next = await scene.plan("p2", [toEmail("Good evening")]);
	build();
	await expect.poll(() => scene.first(next), SOON).toMatchObject({ status: "completed" });
	expect(await scene.first(planId)).toMatchObject({ status: "failed", code: "CANCELLED" });
	expect(scene.channel.journal).toHaveLength(1);
});

it("the claim of a message of the inbox, its row and its end are one commit", async () => {
	await using scene = await openScene({ beside: [new InboxChannel()] });
	const planId = await scene.plan("p1", [{ channel: "dashboard", content: "# News" }]);
	const commits: string[][] = [];
	scene.log.onCommitted((events) =>
		commits.push(
			events.map(({ event }) => `${event.body.kind} ${event.body.kind === "receipt" ? event.body.receipt.type : event.attempt?.state}`),
		),
	);
	scene.executor.begin();
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ status: "completed", proof: "delivered" });
	// A receipt costs no commit of its own.
	expect(commits).toEqual([
		[
			...["task:delivery claimed", "receipt delivery.requested"],
			...["task:delivery handed_over", "receipt delivery.handed_over", "task:delivery_complete done", "receipt delivery.succeeded"],
		],
	]);
	const { items, unread } = await scene.store.inbox({ limit: 9 });
	expect(unread).toBe(1);
	expect(items).toMatchObject([{ messageId: "p1-1-1", title: "Plan p1" }]);
	expect(items[0]?.text).toContain("# News");
});
