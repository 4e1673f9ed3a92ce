import { PlanUpdate } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { lane, logOfUpdates } from "../../../src/ui/plan-log/log-of-updates.ts";
import { AT, action, occurrence, plan } from "../plan-stories.ts";

const report = { at: AT, message: "131026: undeliverable" };
const sent = { status: "completed", code: undefined, proof: "sent", attempts: 1 };
const delivery = (kind: "task:delivery" | "task:delivery_complete", change: object) => ({
	kind,
	occurrence: occurrence(),
	action: action({ code: undefined, ...change }),
});

/** What the log says of updates: title, lanes and, if it says more, the rest. */
function told(...updates: readonly object[]) {
	const parsed = updates.map((update, index) =>
		PlanUpdate.parse({ planId: "p1", seq: index + 1, feedSeq: index + 1, at: AT, status: "running", update }),
	);
	return logOfUpdates(parsed).map(({ title, from, to = from, say }) => [title, from, to, say]);
}

it("a log without its older updates calls no older due time new", () => {
	const cancelled = occurrence({ status: "cancelled", code: "CANCELLED", delivery: [], revision: 5 });
	const again = occurrence({ status: "running", kind: "manual", delivery: [], runs: [{ threadId: "t", turnId: "p1-1-2" }], revision: 5 });
	expect(told({ kind: "task:occurrence", occurrence: cancelled })).toEqual([["Status: Cancelled", lane.plan, lane.plan, ""]]);
	expect(told({ kind: "task:occurrence", occurrence: again, turnId: "p1-1-2", threadId: "t" })).toEqual([
		["Starting the work", lane.plan, lane.plan, ""],
	]);
});

it("a log says why work could not be started yet, and does not call that another start", () => {
	const waits = { code: "QUEUE_FULL", message: "The queue is full.", since: AT };
	const refused = occurrence({ status: "running", delivery: [], runs: [{ threadId: "t", turnId: "p1-1-1", waits }], revision: 2 });
	expect(told({ kind: "task:occurrence", occurrence: refused, turnId: "p1-1-1", threadId: "t" })).toEqual([
		["Couldn’t start the work yet", lane.plan, lane.plan, "The queue is full."],
	]);
});

it("a log without its older updates says of a paused plan only that it changed", () => {
	const paused = { kind: "task:changed", plan: plan({ status: "paused" }) };
	const renamed = { kind: "task:changed", plan: plan({ status: "paused", revision: 2 }) };
	expect(told(paused, renamed).map(([title]) => title)).toEqual(["Changed", "Changed"]);
	expect(told({ kind: "task:created", plan: plan() }, paused).map(([title]) => title)).toEqual(["Created", "Paused"]);
});

it("a log says of a next time that the bridge moved on by itself that it moved, and not that the user changed the plan", () => {
	const created = { kind: "task:created", plan: plan() };
	const moved = { kind: "task:changed", plan: plan({ nextDueAt: "2026-12-02T01:00:00.000Z" }) };
	const renamed = { kind: "task:changed", plan: plan({ title: "Another", revision: 2 }) };
	expect(told(created, moved, renamed).map(([title, from, to]) => [title, from, to])).toEqual([
		["Created", lane.you, lane.plan],
		["Next time moved", lane.plan, lane.plan],
		["Changed", lane.you, lane.plan],
	]);
});

it("a log says of a plan whose single time is handled already that it has no more due times", () => {
	const { nextDueAt: _over, ...over } = plan();
	expect(told({ kind: "task:created", plan: plan() }, { kind: "task:changed", plan: over }).at(-1)).toEqual([
		"No more due times",
		lane.plan,
		lane.plan,
		"",
	]);
});

it("a log without its older updates presents no older report as new", () => {
	const read = delivery("task:delivery", { ...sent, proof: "read", later: [report] });
	const newer = delivery("task:delivery", { ...sent, proof: "read", later: [report, { at: AT, message: "131000: failed" }] });
	expect(told(read, newer)).toEqual([
		["Later updates", lane.channel, lane.plan, "Email"],
		["Later updates", lane.channel, lane.plan, "Email: 131000: failed"],
	]);
});

it("says that the channel reported an arrival after the user had recorded it, and the user only what the user recorded", () => {
	const settled = { ...sent, proof: undefined, settledBy: "person" };
	expect(told(delivery("task:delivery_complete", settled), delivery("task:delivery", { ...settled, proof: "delivered" }))).toEqual([
		["Recorded that it arrived", lane.you, lane.plan, "Email"],
		["Delivered", lane.channel, lane.plan, "Email"],
	]);
});

it("says nothing of the channel if a stopping bridge took a message back, and does if the channel put it off", () => {
	const waiting = { status: "pending", attempts: 1 };
	expect(told(delivery("task:delivery", waiting))).toEqual([["Not handed over, waiting again", lane.plan, lane.plan, "Email"]]);
	expect(told(delivery("task:delivery", { ...waiting, notBefore: AT, message: "busy" }))).toEqual([
		["Not sent, will be retried", lane.channel, lane.plan, "Email: busy"],
	]);
});

it("names the state that the plan's page shows: nothing is being sent while a message waits", () => {
	const given = occurrence({ status: "delivering", runs: [], delivery: [action({ status: "pending", code: undefined })], revision: 2 });
	expect(told({ kind: "task:occurrence", occurrence: given })).toEqual([["Status: Not sent yet", lane.plan, lane.plan, ""]]);
});
