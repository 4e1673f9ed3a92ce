import { limits } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { AppError } from "../../src/errors/app-error.ts";
import { timestamp } from "../../src/threads/thread-repository.ts";
import { threadId, turnIdOf } from "../support/thread-story.ts";
import { QueueScene } from "./queue-scene.ts";

const routing = { executionTarget: "agent" } as const;

it("sends the next message when the turn has succeeded, under the id that it had in the queue, and one at a time", async () => {
	using scene = new QueueScene();
	const second = await scene.add("second");
	await scene.add("third");
	scene.threads.end("one");
	expect(await scene.settle()).toEqual(["second"]);
	expect([scene.sent[0]?.turnId, scene.waiting]).toEqual([second, ["third"]]);
	scene.threads.end(second);
	expect(await scene.settle()).toEqual(["second", "third"]);
	expect(scene.waiting).toEqual([]);
});

it("holds its messages after a turn that did not succeed, until the user sends one", async () => {
	using scene = new QueueScene();
	await scene.add("second");
	scene.threads.end("one", "failed");
	expect(await scene.settle()).toEqual([]);
	expect(scene.detail.queueHeld).toBe(true);
	await scene.queue.sendNext(threadId);
	expect(await scene.settle()).toEqual(["second"]);
});

it.each(["cancelled", "failed"] as const)(
	"stays paused after a run that ended as %s, also after another message and a restart, until the user resumes it",
	async (status) => {
		using scene = new QueueScene();
		await scene.add("second");
		await scene.add("third");
		scene.threads.end("one", status);
		const past = scene.threads.begin("past", "sent past the queue");
		expect(scene.detail.queued.every(({ heldAt }) => heldAt !== undefined)).toBe(true);
		scene.threads.end("past");
		expect([past, await scene.settle(), scene.detail.queueHeld]).toEqual([past, [], true]);
		// Lists say so too, although the last run succeeded.
		expect(scene.threads.store.surface.listed(threadId)).toMatchObject({
			queuedCount: 2,
			editedCount: 2,
			lastTurn: { status: "completed" },
		});
		scene.queue.close();
		scene.queue = scene.open();
		scene.queue.resume();
		expect(await scene.settle()).toEqual([]);
		const { turnId } = await scene.queue.sendNext(threadId);
		expect([await scene.settle(), scene.detail.queued.map(({ heldAt }) => heldAt)]).toEqual([["second"], [undefined]]);
		expect(scene.sent[0]?.request).not.toHaveProperty("heldAt");
		scene.threads.end(turnId);
		expect(await scene.settle()).toEqual(["second", "third"]);
	},
);

it("holds its messages after a turn that the user stopped and that succeeded all the same", async () => {
	using scene = new QueueScene();
	await scene.add("second");
	scene.threads.tell([{ type: "request_cancel", turnId: turnIdOf("one"), at: timestamp() }]);
	scene.threads.end("one");
	expect([await scene.settle(), scene.detail.queueHeld]).toEqual([[], true]);
	expect(scene.threads.store.surface.listed(threadId)).toMatchObject({ editedCount: 1, lastTurn: { status: "completed" } });
	await scene.queue.sendNext(threadId);
	expect(await scene.settle()).toEqual(["second"]);
});

it("sends at once where nothing runs and nothing waits", async () => {
	using scene = new QueueScene();
	scene.threads.end("one");
	const { queuedId, turnId } = await scene.queue.add({ threadId, prompt: "now", routing });
	expect([queuedId, scene.sent[0]?.turnId]).toEqual([undefined, turnId]);
});

it("keeps a message that is edited, and those behind it, until the edit is over", async () => {
	using scene = new QueueScene();
	const queuedId = await scene.add("second");
	scene.queue.edit(threadId, queuedId, { isEdited: true });
	scene.threads.end("one");
	expect(await scene.settle()).toEqual([]);
	scene.queue.edit(threadId, queuedId, { prompt: "second, better" });
	expect(await scene.settle()).toEqual(["second, better"]);
});

it("tells of each change, so that a page reads a queue again of which only the order changed", async () => {
	using scene = new QueueScene();
	await scene.add("second");
	const third = await scene.add("third");
	const before = scene.queue.changesOf(threadId) ?? 0;
	scene.threads.told();
	scene.queue.move(threadId, third, 0);
	expect([scene.waiting, scene.threads.told(), scene.queue.changesOf(threadId)]).toEqual([["third", "second"], 1, before + 1]);
});

it("keeps a message that was refused when its turn came: a refusal is the user's to see, anything else is a fault", async () => {
	using scene = new QueueScene();
	await scene.add("second");
	scene.refusal = new AppError("THREAD_BUSY", "It is being deleted.", "Wait.");
	scene.threads.end("one");
	await scene.settle();
	expect([scene.waiting, scene.faults]).toEqual([["second"], []]);
	scene.refusal = new Error("a defect");
	scene.queue.resume();
	await scene.settle();
	expect([scene.waiting, scene.faults]).toEqual([["second"], [scene.refusal]]);
});

it("does not send again what was sent just before a crash", async () => {
	using scene = new QueueScene();
	const second = await scene.add("second");
	// Sent, and the process ended before the message was taken out of the queue.
	scene.queue.close();
	scene.threads.end("one");
	scene.threads.begin(second, "second");
	scene.threads.end(second);
	scene.restart();
	expect(await scene.settle()).toEqual([]);
	expect(scene.waiting).toEqual([]);
});

it("goes on after a crash with what was behind a message that was sent, and whose run has succeeded since", async () => {
	using scene = new QueueScene();
	const second = await scene.add("second");
	await scene.add("third");
	scene.queue.close();
	scene.threads.end("one");
	scene.threads.begin(second, "second");
	scene.threads.end(second);
	scene.restart();
	expect(await scene.settle()).toEqual(["third"]);
	expect(scene.waiting).toEqual([]);
});

it("sends nothing more once the app closes", async () => {
	using scene = new QueueScene();
	await scene.add("second");
	scene.queue.close();
	scene.threads.end("one");
	expect(await scene.settle()).toEqual([]);
	expect(scene.waiting).toEqual(["second"]);
});

it("makes a removed message the draft when that is asked and there is none, else keeps it aside", async () => {
	using scene = new QueueScene();
	const [second, third] = [await scene.add("second"), await scene.add("third")];
	expect(scene.queue.drop(threadId, second, true)).toMatchObject({ draft: { prompt: "second" } });
	expect(scene.queue.drop(threadId, third, true)).toEqual({});
	expect([scene.waiting, scene.detail.removed?.map(({ prompt }) => prompt)]).toEqual([[], ["third"]]);
	scene.queue.restore(threadId, third);
	expect([scene.waiting, scene.detail.removed]).toEqual([["third"], undefined]);
});

it.each(["completed", "failed", "cancelled", "archived"] as const)(
	"says whether a removed message is sent when it is put back, after a run that is %s",
	async (state) => {
		using scene = new QueueScene();
		const second = await scene.add("second");
		scene.queue.drop(threadId, second, false);
		expect(scene.detail.sendsNext).toBe(false);
		scene.threads.end("one", state === "archived" ? "completed" : state);
		if (state === "archived") scene.threads.tell([{ type: "archive", at: timestamp() }]);
		const says = scene.detail.sendsNext;
		scene.queue.restore(threadId, second);
		const sends = (await scene.settle()).includes("second");
		expect([says, sends]).toEqual([state === "completed", state === "completed"]);
	},
);

it.each([
	["nothing", "  "],
	["more than a message may be", "x".repeat(limits.promptBytes + 1)],
])("refuses %s now, not when its turn comes", async (_, prompt) => {
	using scene = new QueueScene();
	await expect(scene.queue.add({ threadId, prompt, routing })).rejects.toMatchObject({ code: "INVALID_INPUT" });
	expect(scene.waiting).toEqual([]);
});

it("says which removed message becomes the first when it is put back, and is then sent past the one that is being edited", async () => {
	using scene = new QueueScene();
	const [second, third, fourth] = [await scene.add("second"), await scene.add("third"), await scene.add("fourth")];
	scene.queue.edit(threadId, third, { isEdited: true });
	for (const queuedId of [fourth, second]) scene.queue.drop(threadId, queuedId, false);
	scene.threads.end("one");
	expect(await scene.settle()).toEqual([]);
	const { removed = [], sendsNext } = scene.detail;
	const first = removed.filter(({ isNext }) => isNext === true).map(({ prompt }) => prompt);
	expect([sendsNext, first]).toEqual([true, ["second"]]);
	scene.queue.restore(threadId, fourth);
	expect(await scene.settle()).toEqual([]);
	scene.queue.restore(threadId, second);
	expect(await scene.settle()).toEqual(["second"]);
	expect(scene.detail.queued.map(({ prompt, isNext }) => [prompt, isNext])).toEqual([
		["third", undefined],
		["fourth", undefined],
	]);
});
