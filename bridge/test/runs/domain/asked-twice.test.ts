import { Approval, type ApprovalDecision, deriveActivity, Redaction, verifyRun } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { activityOfTrail } from "../../../src/runs/domain/call-trail.ts";
import { PlayedRun, runId } from "./played-run.ts";

const reporter = { runId, providerId: "goose", redaction: new Redaction([]) };
const call = { kind: "tool_call", toolCallId: "c1", title: "npm test", toolKind: "execute" } as const;

function asked(approvalId: string, requestedAt: string): Approval {
	return Approval.parse({
		...{ approvalId, runId, threadId: "thread1", toolCallId: "c1", title: "npm test", toolKind: "execute", requestedAt },
		...{ asker: { target: "agent", providerId: "goose" }, inputHash: "0".repeat(64), options: ["allow_once", "deny"] },
		...{ expiresAt: "2999-01-01T00:00:00.000Z", state: "pending" },
	});
}

/** The receipts and the activity of a call that two requests asked about at once, and that is then reported as done. */
function played(...answers: readonly [string, ApprovalDecision][]) {
	const run = new PlayedRun();
	run.do({ type: "say", update: { ...call, state: "pending" }, reporter });
	for (const id of ["apr-1", "apr-2"]) {
		run.do({ type: "ask", record: asked(id, "2000-01-01T00:00:00.000Z"), asked: { words: "npm test" } });
	}
	for (const [approvalId, decision] of answers) run.do({ type: "answer", approvalId, decision, decidedBy: "person", windowSeconds: 900 });
	run.do({ type: "say", update: { ...call, state: "completed" }, reporter });
	expect(verifyRun(run.receipts, runId, { heads: [], isRemoved: false }, false)).toEqual([]);
	const { trail } = run.state;
	const [item] = trail === undefined ? [] : activityOfTrail(trail).items;
	return [run.types(), item?.status, item?.approval?.decision];
}

it("two requests for one call at once, answered differently, are recorded the same way in either order: as allowed", () => {
	const allowed = [["c1 requested", "c1 approved", "c1 started", "c1 succeeded"], "succeeded", "allow_once"];
	expect(played(["apr-1", "allow_once"], ["apr-2", "deny"])).toEqual(allowed);
	expect(played(["apr-1", "deny"], ["apr-2", "allow_once"])).toEqual(allowed);
	expect(played(["apr-2", "deny"], ["apr-1", "allow_once"])).toEqual(allowed);
});

it("two requests for one call that are both denied are recorded as denied", () => {
	expect(played(["apr-1", "deny"], ["apr-2", "deny"])).toEqual([["c1 requested", "c1 denied"], "denied", "deny"]);
});

it("a request that follows the permission for its call, and is denied, is recorded as denied", () => {
	const run = new PlayedRun();
	run.do({ type: "say", update: { ...call, state: "pending" }, reporter });
	run.do({ type: "ask", record: asked("apr-1", "2000-01-01T00:00:00.000Z"), asked: { words: "npm test" } });
	run.do({ type: "answer", approvalId: "apr-1", decision: "allow_once", decidedBy: "person", windowSeconds: 900 });
	run.do({ type: "ask", record: asked("apr-2", "2900-01-01T00:00:00.000Z"), asked: { words: "npm test" } });
	run.do({ type: "answer", approvalId: "apr-2", decision: "deny", decidedBy: "person", windowSeconds: 900 });
	expect(run.types()).toEqual(["c1 requested", "c1 approved", "c1 denied"]);
});

it.each([
	["had not begun", [], ["c1 denied"]],
	["had begun", ["running"], ["c1 started", "c1 failed"]],
] as const)("a call that %s when it was denied, and is allowed when it is asked about again, goes on as allowed", (_, states, denied) => {
	const run = new PlayedRun();
	for (const state of ["pending", ...states] as const) run.do({ type: "say", update: { ...call, state }, reporter });
	run.do({ type: "ask", record: asked("apr-1", "2000-01-01T00:00:00.000Z"), asked: { words: "npm test" } });
	run.do({ type: "answer", approvalId: "apr-1", decision: "deny", decidedBy: "person", windowSeconds: 900 });
	run.do({ type: "ask", record: asked("apr-2", "2900-01-01T00:00:00.000Z"), asked: { words: "npm test" } });
	run.do({ type: "answer", approvalId: "apr-2", decision: "allow_once", decidedBy: "person", windowSeconds: 900 });
	const item = () => run.state.trail && activityOfTrail(run.state.trail).items[0];
	expect(item()).toMatchObject({ status: "pending", approval: { decision: "allow_once" } });
	for (const state of ["pending", "completed"] as const) run.do({ type: "say", update: { ...call, state }, reporter });
	expect(run.types()).toEqual(["c1 requested", ...denied, "c1 approved", "c1 started", "c1 succeeded"]);
	expect(item()).toMatchObject({ status: "succeeded", approval: { decision: "allow_once" } });
	expect(item()).not.toHaveProperty("code");
	expect(run.state.trail && activityOfTrail(run.state.trail)).toEqual(deriveActivity(runId, run.receipts));
	expect(verifyRun(run.receipts, runId, { heads: [], isRemoved: false }, false)).toEqual([]);
});

it("a call that was done although it was denied stays so, also if it is allowed later", () => {
	const run = new PlayedRun();
	for (const state of ["pending", "denied"] as const) run.do({ type: "say", update: { ...call, state }, reporter });
	run.do({ type: "say", update: { ...call, state: "denied", unpermitted: "denied" }, reporter });
	run.do({ type: "ask", record: asked("apr-2", "2900-01-01T00:00:00.000Z"), asked: { words: "npm test" } });
	run.do({ type: "answer", approvalId: "apr-2", decision: "allow_once", decidedBy: "person", windowSeconds: 900 });
	expect(run.types()).toEqual(["c1 requested", "c1 denied", "c1 succeeded"]);
});

/** Begins a call that two requests ask about at once. */
function askedTwice(): PlayedRun {
	const run = new PlayedRun();
	run.do({ type: "say", update: { ...call, state: "pending" }, reporter });
	for (const id of ["apr-1", "apr-2"]) {
		run.do({ type: "ask", record: asked(id, "2000-01-01T00:00:00.000Z"), asked: { words: "npm test" } });
	}
	return run;
}

it.each([
	["a stop withdraws", { type: "cancel" }],
	["nobody answers", { type: "expire", approvalId: "apr-2" }],
] as const)("a denial beside another request, which %s then, is recorded as the user's", (_, end) => {
	const run = askedTwice();
	run.do({ type: "answer", approvalId: "apr-1", decision: "deny", decidedBy: "person", windowSeconds: 900 });
	expect(run.types()).toEqual(["c1 requested"]);
	run.do(end);
	expect(run.types()).toEqual(["c1 requested", "c1 denied"]);
	expect(run.receipts.at(-1)?.decision).toEqual({ approvalId: "apr-1", by: "person", decision: "deny", reason: "person" });
});

it("a denial of a later request for an allowed call is recorded, whether an earlier one is still open or not", () => {
	const run = askedTwice();
	run.do({ type: "answer", approvalId: "apr-1", decision: "allow_once", decidedBy: "person", windowSeconds: 900 });
	run.do({ type: "ask", record: asked("apr-3", "2000-01-01T00:00:00.000Z"), asked: { words: "npm test" } });
	run.do({ type: "answer", approvalId: "apr-3", decision: "deny", decidedBy: "person", windowSeconds: 900 });
	run.do({ type: "answer", approvalId: "apr-2", decision: "deny", decidedBy: "person", windowSeconds: 900 });
	expect(run.types()).toEqual(["c1 requested", "c1 approved", "c1 denied"]);
	expect(run.receipts.at(-1)?.decision?.approvalId).toBe("apr-3");
});
