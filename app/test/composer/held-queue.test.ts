import { expect, it, vi } from "vitest";
import { AppError } from "../../src/errors/app-error.ts";
import { timestamp } from "../../src/threads/thread-repository.ts";
import { ended, synced, threadId, turnIdOf } from "../support/thread-story.ts";
import { QueueScene } from "./queue-scene.ts";

const refusal = new AppError("WORKSPACE_REFUSED", "The project folder is gone.", "Choose another.");
const isHeld = ({ detail, isStuck }: QueueScene) => [detail.queueHeld, isStuck];

it("is held after OpenClaw's queue turned its next message away, and until the user resumes it", async () => {
	using scene = new QueueScene();
	await scene.add("second");
	await scene.add("third");
	scene.isFull = true;
	scene.threads.end("one");
	scene.threads.told();
	expect(await scene.settle()).toEqual(["second"]);
	expect([scene.waiting, isHeld(scene), scene.threads.told() > 0]).toEqual([["third"], [true, true], true]);
	scene.isFull = false;
	// Neither an edit nor a restart resumes it.
	const third = scene.detail.queued[0]?.queuedId ?? "";
	for (const isEdited of [true, false]) scene.queue.edit(threadId, third, { isEdited });
	await scene.settle();
	scene.restart();
	expect(await scene.settle()).toEqual(["second"]);
	expect(isHeld(scene)).toEqual([true, true]);
	await scene.queue.sendNext(threadId);
	expect([scene.waiting, isHeld(scene)]).toEqual([[], [false, false]]);
});

it("is not held between the end of a run and the next message, nor when the app starts, before that is sent", async () => {
	using scene = new QueueScene();
	await scene.add("second");
	await scene.add("third");
	scene.threads.end("one");
	expect(isHeld(scene)).toEqual([false, false]);
	scene.queue.close();
	await scene.settle();
	scene.queue = scene.open();
	expect(isHeld(scene)).toEqual([false, false]);
	scene.queue.resume();
	expect(await scene.settle()).toEqual(["second"]);
});

it("is held in a thread that is restored from the archive after a restart", async () => {
	using scene = new QueueScene();
	await scene.add("second");
	scene.refusal = refusal;
	scene.threads.end("one");
	await scene.settle();
	scene.threads.tell([{ type: "archive", at: timestamp() }]);
	scene.queue.close();
	scene.queue = scene.open();
	scene.queue.resume();
	scene.threads.tell([{ type: "restore", at: timestamp() }]);
	expect([await scene.settle(), isHeld(scene)]).toEqual([[], [true, true]]);
});

it("is held after a restart too, if its message was put back in an archived thread that was restored", async () => {
	using scene = new QueueScene();
	const second = await scene.add("second");
	scene.queue.drop(threadId, second, false);
	scene.threads.end("one");
	scene.threads.tell([{ type: "archive", at: timestamp() }]);
	scene.queue.restore(threadId, second);
	await scene.settle();
	scene.threads.tell([{ type: "restore", at: timestamp() }]);
	scene.restart();
	expect([await scene.settle(), isHeld(scene)]).toEqual([[], [true, true]]);
	await scene.queue.sendNext(threadId);
	expect([scene.waiting, isHeld(scene)]).toEqual([[], [false, false]]);
});

it("stays held after its next message was refused and another was sent past it", async () => {
	using scene = new QueueScene();
	await scene.add("second");
	scene.refusal = refusal;
	scene.threads.end("one");
	await scene.settle();
	scene.refusal = undefined;
	scene.threads.begin("past", "sent past the queue");
	scene.threads.end("past");
	expect([await scene.settle(), isHeld(scene)]).toEqual([[], [true, true]]);
});

it("goes on after the edit of its next message, though another was sent past it meanwhile", async () => {
	using scene = new QueueScene();
	const second = await scene.add("second");
	scene.queue.edit(threadId, second, { isEdited: true });
	scene.threads.end("one");
	await scene.settle();
	scene.threads.begin("past", "sent past the queue");
	scene.threads.end("past");
	expect([await scene.settle(), isHeld(scene)]).toEqual([[], [true, true]]);
	scene.queue.edit(threadId, second, { isEdited: false });
	expect(await scene.settle()).toEqual(["second"]);
});

it("goes on after a later download of a run that succeeded though the user had stopped it", async () => {
	using scene = new QueueScene();
	scene.threads.tell([{ type: "request_cancel", turnId: turnIdOf("one"), at: timestamp() }]);
	const end = ended("one", (run) => run.end("completed", { "a.md": "a" }));
	scene.threads.tell([end], { snapshot: end.snapshot });
	scene.threads.tell([synced("one", ["a.md"])]);
	scene.threads.tell([{ type: "start_sync", at: timestamp() }]);
	await scene.add("second");
	scene.threads.tell([synced("one", ["a.md"])]);
	expect(await scene.settle()).toEqual(["second"]);
});

it("gives no reason for a message that is only behind another one's run", async () => {
	using scene = new QueueScene();
	await scene.add("second");
	scene.refusal = new AppError("THREAD_BUSY", "This thread is running.", "Wait.");
	await expect(scene.queue.sendNext(threadId)).rejects.toBe(scene.refusal);
	scene.threads.end("one", "failed");
	expect([await scene.settle(), scene.detail.queueHeld, scene.detail.queued[0]?.refusal]).toEqual([[], true, undefined]);
});

it("is not read while its thread's run goes on, nor its thread while it is held", async () => {
	using scene = new QueueScene();
	await scene.add("second");
	const reads = vi.spyOn(scene.threads.store.surface, "queued");
	scene.threads.tell([{ type: "request_cancel", turnId: turnIdOf("one"), at: timestamp() }]);
	expect(reads).not.toHaveBeenCalled();
	scene.threads.end("one", "failed");
	await scene.settle();
	const threads = vi.spyOn(scene.threads.repository, "find");
	expect([scene.isStuck, threads.mock.calls]).toEqual([true, []]);
});

it("stays held when a message that was on hold is removed, whether those behind it were queued or put back later", async () => {
	using scene = new QueueScene();
	const second = await scene.add("second");
	scene.threads.end("one", "failed");
	await scene.settle();
	scene.threads.begin("past", "sent past the queue");
	const third = await scene.add("third");
	scene.threads.end("past");
	expect([await scene.settle(), isHeld(scene)]).toEqual([[], [true, true]]);
	scene.queue.drop(threadId, second, false);
	expect([await scene.settle(), isHeld(scene)]).toEqual([[], [true, true]]);
	scene.queue.restore(threadId, second);
	scene.queue.drop(threadId, third, false);
	expect([await scene.settle(), scene.waiting, isHeld(scene)]).toEqual([[], ["second"], [true, true]]);
});
