import { ContractError, limits, PlanId, RunId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { PlanLine } from "../../src/api/plan-view.ts";
import type { AppChange } from "../../src/api/ui-api.ts";
import { CoreScene } from "../support/core-scene.ts";
import { FakePlans } from "../support/fake-plans.ts";
import { action, occurrence, plan } from "../support/plan-story.ts";
import { until } from "../support/until.ts";

const planId = PlanId.parse("beaches");
const held = plan({ status: "needs_review", needsReview: 3, occurrence: occurrence({ status: "needs_review" }) });

async function scene() {
	const core = await CoreScene.open({ bridgeAskMs: 40 });
	const plans = new FakePlans(core.bridge);
	core.app.resume();
	const view = () => core.api.planBook();
	const statuses = async () => (await view()).plans.map((each) => `${each.planId} ${each.status}`);
	/** How often everything was listed, not only the position of the feed. */
	const lists = () =>
		core.bridge.calls.filter(({ method, params }) => method === "xworkmate.plans.list" && params.limit === limits.listMax).length;
	return Object.assign(core, { plans, view, statuses, lists });
}

it("lists the bridge's plans once, then follows what happens to them, and counts what waits", async () => {
	await using core = await scene();
	core.plans.put(plan({ status: "running" }));
	expect(await core.view()).toMatchObject({ known: false, plans: [] });
	await until("the list", async () => (await core.view()).known);
	await until("the feed", () => core.plans.open === 1);
	expect(core.plans.asked).toEqual([1]);
	core.plans.put(held);
	core.plans.unread = 2;
	core.plans.put(plan({ planId: PlanId.parse("other") }), {
		kind: "task:delivery_complete",
		occurrence: occurrence(),
		action: action({ channel: "dashboard" }),
	});
	await until("both", async () => (await core.view()).unread === 2);
	expect(await core.view()).toMatchObject({ needsReview: 1, unread: 2 });
	expect(await core.statuses()).toEqual(["other completed", "beaches needs_review"]);
	core.plans.put({ ...held, status: "deleted", needsReview: 1 });
	await until("the deletion of one that needs the user", async () => (await core.statuses()).includes("beaches deleted"));
	expect(await core.view()).toMatchObject({ needsReview: 1 });
	core.plans.put({ ...held, status: "deleted", needsReview: 0 });
	await until("the deletion", async () => (await core.view()).plans.length === 1);
	expect(core.bridge.countOf("xworkmate.plans.list")).toBe(1);
	expect(core.faults).toEqual([]);
});

it("says as of when it knows while the bridge is away, keeps what it knew, and resumes after the last feedSeq", async () => {
	await using core = await scene();
	core.plans.put(held);
	await core.view();
	await until("the feed", () => core.plans.open === 1);
	expect(await core.view()).not.toHaveProperty("asOf");
	core.plans.put({ ...held, lastSeq: 9 });
	await until("a change", async () => (await core.view()).plans[0]?.lastSeq === 9);
	await core.bridge.down();
	await until("the loss", async () => (await core.view()).asOf !== undefined);
	expect(await core.statuses()).toEqual(["beaches needs_review"]);
	core.plans.put(plan());
	const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>();
	const { promise: answer, resolve: go } = Promise.withResolvers<void>();
	core.bridge.answers.set("xworkmate.plans.get", async () => {
		asked();
		await answer;
		return plan();
	});
	await core.bridge.listen();
	await isAsked;
	// The bridge reports changes again, but the copy is still the earlier one.
	expect([await core.statuses(), (await core.view()).asOf]).toEqual([["beaches needs_review"], expect.any(String)]);
	go();
	await until("the change", async () => (await core.statuses())[0] === "beaches completed");
	await until("no time", async () => (await core.view()).asOf === undefined);
	expect(core.plans.asked.at(-1)).toBe(2);
	expect(core.lists()).toBe(1);
});

it("knows that a bridge that is too old for plans has none, and lists those of the newer one that replaces it", async () => {
	await using core = await scene();
	const list = core.bridge.answers.get("xworkmate.plans.list");
	core.bridge.answers.set("xworkmate.plans.list", () => {
		throw new ContractError("METHOD_NOT_FOUND");
	});
	await core.view();
	await until("it is known", async () => (await core.view()).known);
	expect(await core.view()).toEqual({ known: true, needsReview: 0, unread: 0, plans: [] });
	core.plans.put(held);
	await core.bridge.down();
	// The app asks the newer bridge at once only if it has noticed that the older one was away.
	await until("the loss", async () => (await core.api.testBridge()).state === "unreachable");
	if (list !== undefined) core.bridge.answers.set("xworkmate.plans.list", list);
	await core.bridge.listen();
	await until("the newer bridge", async () => (await core.api.testBridge()).state === "connected");
	await until("the newer bridge's plans", async () => (await core.view()).needsReview === 1);
	expect(core.faults).toEqual([]);
});

it("lists again when the bridge was restored from a backup and knows less than was read", async () => {
	await using core = await scene();
	core.plans.put(held);
	core.plans.put(plan());
	await core.view();
	await until("the feed", () => core.plans.open === 1);
	await core.bridge.down();
	core.plans.forget();
	core.plans.plans.clear();
	await core.bridge.listen();
	await until("the second list", async () => core.lists() === 2 && (await core.view()).plans.length === 0);
	expect(core.faults).toEqual([]);
});

it("an app that nobody asks about plans does not ask the bridge about them", async () => {
	await using core = await scene();
	await core.api.capabilities();
	expect(core.plans.asked).toEqual([]);
	expect(core.bridge.countOf("xworkmate.plans.list")).toBe(0);
});

it("a window hears which plan changed, and what is shown of all of them", async () => {
	await using core = await scene();
	const seen: AppChange[] = [];
	const window = core.api.changes()[Symbol.asyncIterator]();
	const reading = (async () => {
		for await (const change of { [Symbol.asyncIterator]: () => window }) seen.push(change);
	})();
	await until("the feed", () => core.plans.open === 1);
	await until("the list", () => seen.some((change) => change.type === "plans" && change.plans.known === true));
	expect(seen[0]).toMatchObject({ type: "state", state: { plans: { known: false } } });
	core.plans.put(held);
	await until("the plan", () => seen.some((change) => change.type === "plan" && change.planId === planId));
	await until("the count", () => seen.some((change) => change.type === "plans" && change.plans.needsReview === 1));
	await window.return?.();
	await reading;
});

it("a window hears how many plans wait for the user, with those whose agent asks, each once", async () => {
	await using core = await scene();
	core.bridge.onRun = (run) => void run.text("working");
	const { turnId, threadId } = await core.send("a plan's work");
	await until("the run", () => core.bridge.runs.length === 1);
	const [run] = core.bridge.runs;
	const runs = [{ runId: RunId.parse(run?.runId), threadId, turnId }];
	const counts: unknown[] = [];
	const window = core.api.changes()[Symbol.asyncIterator]();
	const reading = (async () => {
		for await (const change of { [Symbol.asyncIterator]: () => window })
			if (change.type === "plans") counts.push([change.plans.needsReview, change.plans.needsYou]);
	})();
	await until("the feed", () => core.plans.open === 1);
	core.plans.put({ ...held, planId: PlanId.parse("held") });
	core.plans.put(plan({ status: "running", occurrence: occurrence({ status: "running", runs }) }));
	await until("the plans", async () => (await core.view()).plans.length === 2);
	await until("the held one", () => String(counts.at(-1)) === "1,1");
	run?.asks("go");
	await until("the one that asks too", () => String(counts.at(-1)) === "1,2");
	run?.asks("go", "deny");
	await until("the answer", () => String(counts.at(-1)) === "1,1");
	await window.return?.();
	await reading;
	expect(core.faults).toEqual([]);
});

it("a watcher gets a plan's log without a gap and in order, also over a bridge that goes away", async () => {
	await using core = await scene();
	core.plans.put(plan({ status: "pending" }));
	core.plans.put(plan({ planId: PlanId.parse("other") }));
	const lines: PlanLine[] = [];
	const watching = core.api.watchPlan({ planId })[Symbol.asyncIterator]();
	const reading = (async () => {
		for await (const line of { [Symbol.asyncIterator]: () => watching }) lines.push(line);
	})();
	const seqs = () => lines.flatMap((line) => (line.type === "update" ? [line.update.seq] : []));
	await until("the first", () => seqs().length === 1);
	await until("the feed", () => core.plans.open === 1);
	core.plans.put(plan({ status: "running" }));
	await until("the second", () => seqs().length === 2);
	await core.bridge.down();
	await until("the loss", () => lines.at(-1)?.type === "connection_lost");
	core.plans.put(held);
	core.plans.put(plan());
	await core.bridge.listen();
	await until("the rest", () => seqs().length === 4);
	expect(seqs()).toEqual([1, 2, 3, 4]);
	expect(lines.map(({ type }) => type)).toEqual(["update", "update", "connection_lost", "connection_restored", "update", "update"]);
	await watching.return?.();
	await reading;
	expect(core.faults).toEqual([]);
});
