import { expect, it } from "vitest";
import { openScene, SOON } from "./executor-scene.ts";
import { sends } from "./scripted-channel.ts";

it("a stop gives back what is claimed, at once and without a wait for the next start", async () => {
	await using scene = await openScene();
	scene.channel.building = new Promise(() => undefined);
	const planId = await scene.plan("p1");
	scene.executor.begin();
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ stage: "claimed" });
	await scene.executor[Symbol.asyncDispose]();
	const action = await scene.first(planId);
	expect(action).toMatchObject({ status: "pending", attempts: 1 });
	expect(action.notBefore).toBeUndefined();
	expect((await scene.open(planId)).claims).toEqual({});
});

it("a stop lets a message that is being handed over get its answer", async () => {
	await using scene = await openScene();
	const { promise: answer, resolve: say } = Promise.withResolvers<void>();
	scene.channel.play = async (one) => {
		const outcome = await sends(one);
		await answer;
		return outcome;
	};
	const planId = await scene.plan("p1");
	scene.executor.begin();
	await expect.poll(() => scene.channel.journal.length, SOON).toBe(1);
	const stopped = scene.executor[Symbol.asyncDispose]();
	scene.clock.advance(4_999);
	say();
	await stopped;
	expect(await scene.first(planId)).toMatchObject({ status: "completed" });
});

it("a stop cuts what gets no answer in its time, which is unknown then", async () => {
	await using scene = await openScene();
	const { promise: cut, resolve: onCut } = Promise.withResolvers<void>();
	scene.channel.play = async (one) => {
		await sends(one);
		one.signal.addEventListener("abort", () => onCut());
		return new Promise(() => undefined);
	};
	const planId = await scene.plan("p1");
	scene.executor.begin();
	await expect.poll(() => scene.channel.journal.length, SOON).toBe(1);
	const stopped = scene.executor[Symbol.asyncDispose]();
	await expect
		.poll(() => {
			scene.clock.advance(5_000);
			return scene.first(planId);
		}, SOON)
		.toMatchObject({ status: "unknown", code: "NO_ANSWER" });
	await Promise.all([stopped, cut]);
});

it("nothing is claimed after a stop, or before the beginning", async () => {
	await using scene = await openScene();
	const one = await scene.plan("p1");
	await scene.executor.recover();
	scene.executor.wake();
	expect(await scene.first(one)).toMatchObject({ status: "pending", attempts: 0 });
	await scene.executor[Symbol.asyncDispose]();
	scene.executor.begin();
	scene.executor.wake();
	expect(await scene.first(one)).toMatchObject({ status: "pending", attempts: 0 });
});
