import { type DeliveryAction, type Occurrence, Origin, type Plan, ProviderId, type TaskSummary } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { AppApi } from "../../src/api/app-api.ts";
import { stoppingLines } from "../../src/cli/stopping/stopping-lines.ts";
import { CoreScene, held } from "../support/core-scene.ts";
import { gatewayScene, threadOf } from "../support/gateway-scene.ts";
import { action, occurrence, plan } from "../support/plan-story.ts";
import { until } from "../support/until.ts";

it("names the runs that stopping cuts off with what becomes of each, and says nothing of runs when there are none", async () => {
	await using scene = await CoreScene.open();
	expect(await stoppingLines(scene.api, true)).toEqual(["Stopping."]);
	scene.bridge.onRun = (run) => void run.text("here").end("completed");
	await scene.end(await scene.send("over"));
	expect(await stoppingLines(scene.api, true)).toEqual(["Stopping."]);
	held(scene.bridge);
	const first = await scene.send("tidy up");
	await until("it runs", async () => (await scene.api.showThread({ threadId: first.threadId })).thread.turns.at(-1)?.status === "running");
	const agents = new Map<string, string>();
	let origin: Origin | undefined;
	let cancelRequestedAt: TaskSummary["cancelRequestedAt"];
	const tasks: AppApi["tasks"] = async () => ({
		items: scene.bridge.runs.map((run) => {
			const task = run.summary();
			const provider = { ...task.provider, providerId: ProviderId.parse(agents.get(run.runId) ?? "codex") };
			return { ...task, provider, ...(origin && { origin }), ...(cancelRequestedAt && { cancelRequestedAt }) };
		}),
	});
	const lines = (api: AppApi) => stoppingLines(api, true);
	const named = `  tidy up (${first.threadId}): will be interrupted, unless it ends first`;
	const one = "Stopping. 1 run on this computer is in progress:";
	expect(await lines({ ...scene.api, tasks })).toEqual([one, named]);
	// A plan may do work again that has changed nothing.
	origin = Origin.parse({ kind: "plan", id: "plan-4kq2v7d3mzt6w5xs" });
	expect(await lines({ ...scene.api, tasks })).toEqual([one, `${named}, and may be started again the next time the bridge starts`]);
	origin = undefined;
	const [run] = scene.bridge.runs.slice(-1);
	agents.set(run?.runId ?? "", "assistant");
	cancelRequestedAt = "2026-01-02T03:04:05.006Z" as never;
	expect(await lines({ ...scene.api, tasks })).toEqual([one, `  tidy up (${first.threadId}): was asked to stop, so it will end`]);
	cancelRequestedAt = undefined;
	expect(await lines({ ...scene.api, tasks })).toEqual([one, `  tidy up (${first.threadId}): continues the next time the bridge starts`]);
	agents.set(run?.runId ?? "", "script");
	expect((await lines({ ...scene.api, tasks }))[1]).toMatch(
		/: continues the next time the bridge starts if it has called a typed tool, and is interrupted/,
	);
	const deaf: AppApi["tasks"] = () => Promise.reject(new Error("away"));
	expect((await lines({ ...scene.api, tasks: deaf }))[1]).toMatch(
		/: will be interrupted, unless it ends first or can continue the next time the bridge starts$/,
	);
	const second = await scene.send("count");
	await until("it runs", async () => (await scene.api.showThread({ threadId: second.threadId })).thread.turns.at(-1)?.status === "running");
	const [say, ...runs] = await lines({ ...scene.api, tasks });
	expect(say).toBe("Stopping. 2 runs on this computer are in progress:");
	expect(runs.map((line) => line.replace(/:[^:]*$/, "")).toSorted()).toEqual(
		[`  tidy up (${first.threadId})`, `  count (${second.threadId})`].toSorted(),
	);
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
		tasks: scene.api.tasks,
		gatewayQueue: scene.api.gatewayQueue,
		listPlans: async ({ status }: Parameters<AppApi["listPlans"]>[0]) => ({ items: status === undefined ? plans : [], feedSeq: 0 }),
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
	const read: Plan["status"][] = [];
	const stopping = (occurrences: readonly Occurrence[], status: Plan["status"] = "running") => {
		const [newest] = occurrences;
		const items = [plan({ status, ...(newest && { occurrence: newest }) })];
		return stoppingLines(
			{
				listThreads: scene.api.listThreads,
				tasks: scene.api.tasks,
				gatewayQueue: scene.api.gatewayQueue,
				// The bridge lists deleted plans only by their status.
				listPlans: async (query) => ({ items: (query.status === "deleted") === (status === "deleted") ? items : [], feedSeq: 0 }),
				planOccurrences: async () => {
					read.push(status);
					return { items: [...occurrences] };
				},
			},
			true,
		);
	};
	expect(await stopping([due([sending("claimed")]), due([sending("accepted"), action({ status: "pending" })])])).toEqual(["Stopping."]);
	expect(await stopping([due([sending("claimed")]), due([sending("handing_over")])], "paused")).toEqual([
		"Stopping.",
		"1 message is being handed over. If its channel doesn't confirm it within a few seconds, XWorkmate may not learn whether it was sent:",
		"  Beaches in Bali: Email to you (beaches-1-1)",
	]);
	expect((await stopping([due([sending("handing_over")])], "deleted")).at(-1)).toBe("  Beaches in Bali: Email to you (beaches-1-1)");
	// No message of a plan in these states is being handed over, and of a deleted one the newest due time is in the list.
	for (const status of ["needs_review", "pending", "completed", "failed"] as const)
		expect(await stopping([due([sending("handing_over")])], status)).toEqual(["Stopping."]);
	expect(new Set(read)).toEqual(new Set(["running", "paused"]));
	const anna = { actionId: "beaches-1-2", channel: "whatsapp", recipient: "anna" } as Partial<DeliveryAction>;
	const [, lead, ...names] = await stopping([due([sending("handing_over"), sending("handing_over", anna)])]);
	expect(lead).toMatch(/^2 messages are being handed over\./);
	expect(names).toEqual(["  Beaches in Bali: Email to you (beaches-1-1)", "  Beaches in Bali: WhatsApp to anna (beaches-1-2)"]);
});
