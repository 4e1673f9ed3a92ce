import { expect, it } from "vitest";
import { decideSettle } from "../../../src/plans/domain/decide-delivery.ts";
import { ofOpenAction } from "../../../src/plans/executor/actions/open-action.ts";
import type { Unsettled } from "../../../src/ports/channels/channel.ts";
import type { MessageNews } from "../../../src/ports/channels/channel-news.ts";
import { found, openOne, second } from "../../store/contracts/plan-fixture.ts";
import { SOON } from "../executor/executor-scene.ts";
import { openNewsScene } from "./news-scene.ts";

async function openAsked(answers: readonly (MessageNews | undefined)[]) {
	const scene = await openNewsScene();
	const asked: Unsettled[] = [];
	scene.channel.play = async ({ handOver, leave }) => {
		await handOver();
		leave();
		return { kind: "no_answer", message: "cut" };
	};
	Object.assign(scene.channel, {
		settle: async (unsettled: Unsettled) => {
			asked.push(unsettled);
			return answers[asked.length - 1];
		},
	});
	return { ...scene, scene, asked };
}

it("a channel is asked at once what happened to a message, and its word settles it", async () => {
	const { scene, asked } = await openAsked([{ kind: "proved", proof: "delivered" }]);
	await using _scene = scene;
	const planId = await scene.plan("p1");
	await scene.begin();
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ status: "unknown" });
	scene.clock.advance(0);
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ status: "completed", proof: "delivered" });
	const { actionId } = await scene.first(planId);
	expect(asked).toMatchObject([{ actionId, attempt: 1, since: second(0), payload: { channel: "whatsapp" } }]);
	expect(scene.channel.journal).toHaveLength(1);
});

it("is asked five times in ten minutes, and once more by the next bridge; nothing is sent again", async () => {
	const { scene, asked } = await openAsked([]);
	await using _scene = scene;
	const planId = await scene.plan("p1");
	await scene.begin();
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ status: "unknown" });
	for (const [index, wait] of [0, 15_000, 60_000, 180_000, 300_000].entries()) {
		scene.clock.advance(wait);
		await expect.poll(() => asked.length, SOON).toBe(index + 1);
		await expect.poll(() => scene.clock.pending, SOON).toBeGreaterThan(0);
		await new Promise((resolve) => setImmediate(resolve));
	}
	scene.clock.advance(3_600_000);
	await new Promise((resolve) => setImmediate(resolve));
	expect(asked).toHaveLength(5);
	await scene.restart();
	await scene.begin();
	scene.clock.advance(0);
	await expect.poll(() => asked.length, SOON).toBe(6);
	scene.clock.advance(3_600_000);
	await new Promise((resolve) => setImmediate(resolve));
	expect(asked).toHaveLength(6);
	expect(scene.channel.journal).toHaveLength(1);
	expect(await scene.first(planId)).toMatchObject({ status: "unknown" });
});

it("of a person and a channel the first one settles it", async () => {
	const { scene } = await openAsked([]);
	await using _scene = scene;
	const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
	const { promise: answer, resolve: say } = Promise.withResolvers<MessageNews>();
	Object.assign(scene.channel, {
		settle: () => {
			ask();
			return answer;
		},
	});
	const planId = await scene.plan("p1");
	await scene.begin();
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ status: "unknown" });
	scene.clock.advance(0);
	await asked;
	const { occurrence } = openOne(await found(scene.now.store, planId));
	const { actionId } = await scene.first(planId);
	const settle = ofOpenAction({ occurrenceId: occurrence.occurrenceId, actionId }, ({ open }) =>
		decideSettle(open, actionId, "sent", "person", second(1)),
	);
	await scene.now.log.tryChange(planId, settle);
	say({ kind: "failed", code: "NOT_SENT", message: "it is not there", fix: "send it" });
	await expect
		.poll(() => scene.first(planId), SOON)
		.toMatchObject({ status: "completed", settledBy: "person", later: [{ message: "it is not there" }] });
	expect((await scene.now.log.tryChange(planId, settle)).events).toEqual([]);
});
