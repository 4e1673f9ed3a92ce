import type { DeliveryAction, Occurrence, Plan } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { stoppingLines } from "../../src/cli/stopping-lines.ts";
import { CoreScene, held } from "../support/core-scene.ts";
import { gatewayScene, threadOf } from "../support/gateway-scene.ts";
import { action, occurrence, plan } from "../support/plan-story.ts";
import { until } from "../support/until.ts";

it("names the runs that stopping cuts off, and says nothing of runs when there are none", async () => {
	await using scene = await CoreScene.open();
	expect(await stoppingLines(scene.api, true)).toEqual(["Stopping."]);
	scene.bridge.onRun = (run) => void run.text("here").end("completed");
	await scene.end(await scene.send("over"));
	expect(await stoppingLines(scene.api, true)).toEqual(["Stopping."]);
	held(scene.bridge);
	const first = await scene.send("tidy up");
	await until("it runs", async () => (await scene.api.showThread({ threadId: first.threadId })).thread.turns.at(-1)?.status === "running");
	const named = `  tidy up (${first.threadId})`;
	expect(await stoppingLines(scene.api, true)).toEqual([
		"Stopping. 1 run on this computer will be interrupted (those of the assistant and of programs that called typed tools continue at the next start):",
		named,
	]);
	const second = await scene.send("count");
	await until("it runs", async () => (await scene.api.showThread({ threadId: second.threadId })).thread.turns.at(-1)?.status === "running");
	const [say, ...runs] = await stoppingLines(scene.api, true);
	expect(say).toBe(
		"Stopping. 2 runs on this computer will be interrupted (those of the assistant and of programs that called typed tools continue at the next start):",
	);
	expect(runs.toSorted()).toEqual([named, `  count (${second.threadId})`].toSorted());
});

it("does not call a run cut off that goes on at the gateway", async () => {
	await using scene = await gatewayScene({ maxActive: 1, maxQueued: 5 });
	const sent = await scene.sendToGateway("away");
	await until("it runs", async () => (await threadOf(scene, sent)).turns.at(-1)?.status === "running");
	expect(await stoppingLines(scene.api, true)).toEqual(["Stopping."]);
});

it("says nothing of runs in a bridge that goes on without the app", async () => {
	await using scene = await CoreScene.open();
	held(scene.bridge);
	const { threadId } = await scene.send("tidy up");
	await until("it runs", async () => (await scene.api.showThread({ threadId })).thread.turns.at(-1)?.status === "running");
	expect(await stoppingLines(scene.api, false)).toEqual(["Stopping."]);
});

it("names the plan that is due next, which will not run while stopped, and no paused one", async () => {
	await using scene = await CoreScene.open();
	const due = (title: string, nextDueAt: string, status: Plan["status"] = "pending") => plan({ title, nextDueAt, status });
	const plans = [
		due("Later", "2099-01-02T09:00:00.000Z"),
		due("Sooner", "2099-01-01T09:00:00.000Z"),
		due("Paused", "2098-01-01T09:00:00.000Z", "paused"),
	];
	const api = {
		listThreads: scene.api.listThreads,
		gatewayQueue: scene.api.gatewayQueue,
		listPlans: async () => ({ items: plans, feedSeq: 0 }),
		planOccurrences: async () => ({ items: [] }),
	};
	const [, line] = await stoppingLines(api, true);
	expect(line).toMatch(/^Plans don't run while XWorkmate is stopped\. Next due: Sooner \(beaches\), /);
	expect(await stoppingLines(api, false)).toEqual(["Stopping."]);
});

it("names the messages that are being handed over, of earlier due times too, and none that still waits or that its channel has accepted", async () => {
	await using scene = await CoreScene.open();
	const sending = (stage: DeliveryAction["stage"], more: Partial<DeliveryAction> = {}) => action({ status: "sending", stage, ...more });
	const due = (items: readonly DeliveryAction[]) => occurrence({ status: "delivering", delivery: [...items] });
	const stopping = (occurrences: readonly Occurrence[], status: Plan["status"] = "running") =>
		stoppingLines(
			{
				listThreads: scene.api.listThreads,
				gatewayQueue: scene.api.gatewayQueue,
				listPlans: async () => ({ items: [plan({ status })], feedSeq: 0 }),
				planOccurrences: async () => ({ items: [...occurrences] }),
			},
			true,
		);
	expect(await stopping([due([sending("claimed")]), due([sending("accepted"), action({ status: "pending" })])])).toEqual(["Stopping."]);
	expect(await stopping([due([sending("claimed")]), due([sending("handing_over")])], "paused")).toEqual([
		"Stopping.",
		"1 message is being handed over. If its channel doesn't confirm it within a few seconds, XWorkmate may not learn whether it was sent:",
		"  Beaches in Bali: Email to you (beaches-1-1)",
	]);
	const anna = { actionId: "beaches-1-2", channel: "whatsapp", recipient: "anna" } as Partial<DeliveryAction>;
	const [, lead, ...names] = await stopping([due([sending("handing_over"), sending("handing_over", anna)])]);
	expect(lead).toMatch(/^2 messages are being handed over\./);
	expect(names).toEqual(["  Beaches in Bali: Email to you (beaches-1-1)", "  Beaches in Bali: WhatsApp to anna (beaches-1-2)"]);
});
