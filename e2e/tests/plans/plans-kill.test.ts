import { expect, it } from "vitest";
import { startBridge } from "../../support/bridge/bridge-process.ts";
import { unrulyAgent } from "../../support/bridge/providers.ts";
import { PlanDesk } from "../../support/plans/plan-desk.ts";
import { Plan, PlanUpdate } from "../../support/plans/plan-wire.ts";
import { refused } from "../../support/wire/refused.ts";
import { createSseParser } from "../../support/wire/sse-parser.ts";

const given = (content: string) => [{ channel: "dashboard", content }];

it.each(["SIGKILL", "SIGTERM"] as const)("[T2-67] sends one message when the bridge ends by %s while the work is done", async (signal) => {
	await using bridge = await startBridge({ env: { XWORKMATE_STOP_MS: "200" } });
	const before = new PlanDesk(bridge.client());
	const plan = await before.script("console.log('working'); await tools.time.wait({ms: 1500}); return 'after all'");
	await before.until(plan.planId, "a run", ({ occurrence }) => occurrence?.runs[0]?.runId !== undefined);
	await bridge.restart(signal);
	const desk = new PlanDesk(bridge.client());
	expect(await desk.settled(plan.planId)).toMatchObject({ status: "completed", deliverable: { text: "after all" } });
	expect((await desk.inbox()).map(({ text }) => text)).toEqual(["after all"]);
	await bridge.restart(signal);
	expect(await new PlanDesk(bridge.client()).inbox()).toHaveLength(1);
});

it("leaves it to a person when the work of an agent was cut off twice", async () => {
	await using bridge = await startBridge({ providers: [unrulyAgent()] });
	const terms = { instructions: "UNRULY:SAY working ;; HANG", routing: { executionTarget: "agent", providerId: "unruly" } };
	let desk = new PlanDesk(bridge.client());
	const plan = await desk.create(terms);
	for (const number of [1, 2]) {
		const { occurrence: one } = await desk.until(
			plan.planId,
			`run ${number}`,
			({ occurrence }) => occurrence?.runs[number - 1]?.runId !== undefined,
		);
		const stream = await desk.client.stream("xworkmate.tasks.subscribe", { runId: one?.runs[number - 1]?.runId });
		await stream.until("the first words", ({ update }) => update.kind === "message_delta");
		await bridge.restart("SIGKILL");
		desk = new PlanDesk(bridge.client());
	}
	expect(await desk.settled(plan.planId)).toMatchObject({
		status: "needs_review",
		runs: [{ status: "interrupted" }, { status: "interrupted" }],
		delivery: [{ status: "needs_review", code: "RUN_INTERRUPTED" }],
	});
	expect(await desk.inbox()).toEqual([]);
});

it.each([
	["had written a file", ""],
	["had deleted a file", "REMOVE $XWORKMATE_ARTIFACT_DIRECTORY/side.txt ;; "],
])("leaves it to a person when the agent %s without reporting it, and was cut off", async (_what, then) => {
	await using bridge = await startBridge({ providers: [unrulyAgent()] });
	const instructions = `UNRULY:WRITE $XWORKMATE_ARTIFACT_DIRECTORY/side.txt once ;; ${then}SAY working ;; HANG`;
	const desk = new PlanDesk(bridge.client());
	const plan = await desk.create({ instructions, routing: { executionTarget: "agent", providerId: "unruly" } });
	const { occurrence } = await desk.until(plan.planId, "a run", (now) => now.occurrence?.runs[0]?.runId !== undefined);
	const stream = await desk.client.stream("xworkmate.tasks.subscribe", { runId: occurrence?.runs[0]?.runId });
	await stream.until("the first words", ({ update }) => update.kind === "message_delta");
	await bridge.restart("SIGKILL");
	expect(await new PlanDesk(bridge.client()).settled(plan.planId)).toMatchObject({
		status: "needs_review",
		runs: [{ status: "interrupted" }],
		delivery: [{ status: "needs_review", code: "RUN_INTERRUPTED" }],
	});
});

it("keeps everything that it answered: killed at once, each plan that was made sends its one message", async () => {
	await using bridge = await startBridge();
	const made: string[] = [];
	for (let round = 0; round < 4; round++) {
		const desk = new PlanDesk(bridge.client());
		const created = Array.from({ length: 5 }, (_, index) =>
			desk.create({ title: `Plan ${round}`, delivery: given(`message ${round} ${index}`) }),
		);
		for (const plan of await Promise.all(created)) made.push(plan.planId);
		await bridge.restart("SIGKILL");
	}
	const desk = new PlanDesk(bridge.client());
	for (const planId of made) {
		const { delivery } = await desk.settled(planId);
		expect(["completed"]).toContain(delivery[0]?.status);
	}
	const texts = (await desk.inbox()).map(({ text }) => text);
	expect(texts).toHaveLength(made.length);
	expect(new Set(texts).size).toBe(made.length);
});

it("makes one occurrence of the time that passed while it was off", async () => {
	await using bridge = await startBridge();
	const desk = new PlanDesk(bridge.client());
	const scheduledFor = new Date(Date.now() + 1_000).toISOString();
	const plan = await desk.create({ type: "scheduled", scheduledFor, delivery: given("late") });
	await bridge.kill("SIGKILL");
	await expect.poll(() => Date.now(), { timeout: 5_000 }).toBeGreaterThan(Date.parse(scheduledFor));
	await bridge.start();
	const again = new PlanDesk(bridge.client());
	expect(await again.settled(plan.planId)).toMatchObject({ status: "completed", dueAt: scheduledFor });
	expect(await again.inbox()).toHaveLength(1);
});

it("shows what happens to plans to a reader that is cut at every event, as the plan is in the end", async () => {
	await using bridge = await startBridge();
	const desk = new PlanDesk(bridge.client());
	const plan = await desk.script("console.log('x'); return 'streamed'", { delivery: [{ channel: "dashboard" }, ...given("other")] });
	await desk.settled(plan.planId);
	const all = await desk.updates(plan.planId);
	const read: PlanUpdate[] = [];
	while (read.length < all.length) read.push(await nextUpdate(bridge, plan.planId, read.at(-1)?.feedSeq));
	expect(read).toEqual(all);
	const last = read.findLast(({ update }) => "occurrence" in update);
	const shown = await desk.get(plan.planId);
	expect(last?.update).toMatchObject({ occurrence: shown.occurrence });
	expect(last?.status).toBe(shown.status);
	expect(await desk.call("subscribe", { planId: plan.planId })).toMatchObject({ items: all });
	const ahead = await refused(desk.call("subscribe", { afterFeedSeq: 1_000_000 }));
	expect(ahead.data.code).toBe("SEQ_AHEAD");
	expect(Plan.parse(shown).lastSeq).toBe(all.length);
});

/** The first update after a place; the connection is cut right after it. */
async function nextUpdate(bridge: Awaited<ReturnType<typeof startBridge>>, planId: string, after = 0): Promise<PlanUpdate> {
	const response = await bridge.client().respond({
		method: "POST",
		path: "/acp/rpc",
		headers: { accept: "application/json, text/event-stream", ...(after === 0 ? {} : { "last-event-id": String(after) }) },
		body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "xworkmate.plans.subscribe", params: { planId } }),
	});
	const parse = createSseParser();
	response.setEncoding("utf8");
	for await (const text of response) {
		for (const { data, id } of parse(String(text))) {
			const message: { method?: string; params?: unknown } = JSON.parse(data);
			if (message.method !== "plan.update") continue;
			const update = PlanUpdate.parse(message.params);
			expect(id).toBe(String(update.feedSeq));
			response.destroy();
			return update;
		}
	}
	throw new Error("the stream ended without an update");
}
