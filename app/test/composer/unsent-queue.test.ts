import { expect, it } from "vitest";
import { AppError } from "../../src/errors/app-error.ts";
import { threadId } from "../support/thread-story.ts";
import { QueueScene } from "./queue-scene.ts";

const refusal = new AppError("WORKSPACE_REFUSED", "The project folder is gone.", "Choose another.");

it("is held, with the reason, after its next message could not be sent, until that is sent or removed", async () => {
	using scene = new QueueScene();
	const second = await scene.add("second");
	await scene.add("third");
	scene.refusal = refusal;
	scene.threads.end("one");
	await scene.settle();
	const { code, message, fix } = refusal;
	expect(scene.detail.queued.map((queued) => queued.refusal)).toEqual([{ code, message, fix }, undefined]);
	expect([scene.detail.queueHeld, scene.isStuck]).toEqual([true, true]);
	await expect(scene.queue.sendNext(threadId)).rejects.toBe(refusal);
	expect(scene.detail.queueHeld).toBe(true);
	scene.refusal = undefined;
	scene.queue.drop(threadId, second, false);
	expect(scene.isStuck).toBe(false);
	expect(await scene.settle()).toEqual(["third"]);
	expect(scene.detail.queued).toEqual([]);
});

it("tells of the refusal, and is no longer held once its message was sent", async () => {
	using scene = new QueueScene();
	await scene.add("second");
	scene.refusal = refusal;
	scene.threads.end("one");
	scene.threads.told();
	await scene.settle();
	expect(scene.threads.told()).toBe(1);
	scene.refusal = undefined;
	await scene.queue.sendNext(threadId);
	expect([scene.waiting, scene.isStuck]).toEqual([[], false]);
});

it("keeps each message that a restored backup takes out of it, with the reason, beside those that the user removed", async () => {
	using scene = new QueueScene();
	for (let number = 0; number < 20; number++) scene.queue.drop(threadId, await scene.add(`removed ${number}`), false);
	for (let number = 0; number < 20; number++) await scene.add(`queued ${number}`);
	scene.queue.holdRestored();
	expect(scene.waiting).toEqual([]);
	const reasons = () => Map.groupBy(scene.detail.removed ?? [], ({ removedFor }) => removedFor);
	expect([reasons().get("STORE_RESTORED")?.length, reasons().get(undefined)?.length]).toEqual([20, 20]);
	scene.queue.drop(threadId, await scene.add("one more"), false);
	expect([reasons().get("STORE_RESTORED")?.length, reasons().get(undefined)?.length]).toEqual([20, 20]);
	const [first] = reasons().get("STORE_RESTORED") ?? [];
	scene.queue.restore(threadId, first?.queuedId ?? "");
	expect(scene.detail.queued.map(({ prompt, removedFor }) => [prompt, removedFor])).toEqual([["queued 0", undefined]]);
});
