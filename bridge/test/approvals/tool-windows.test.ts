import type { Approval, PolicyDecision, Sha256, ThreadId, ToolId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { TypedCallPolicy } from "../../src/approvals/typed-call-policy.ts";
import { FakeClock } from "../ports/fake-clock.ts";
import { Core } from "../runs/core-fixture.ts";
import { asker } from "../runs/plays.ts";
import { askedCall, deleting, openCore, question, startRun, trailOf } from "./typed-calls.ts";

const MINUTE = 60_000;
const asked = { decision: "ask", mayWindow: true } as const;

/** A run in whose thread calls of the tool are allowed for a time. */
async function allowed(core: Core) {
	const runId = await startRun(core);
	const { approvalId } = await askedCall(core, runId);
	await core.service.decideApproval(approvalId, "allow_window", "person");
	return { runId, approvalId, by: `window:${approvalId}` };
}

describe("[T1-21] a permission for a tool", () => {
	it("allows its calls in its thread, and nothing else", async () => {
		await using core = await openCore();
		const { runId, by } = await allowed(core);
		const { callPolicy } = core.runs;
		expect(await callPolicy.answer(question(core, runId))).toEqual({ decision: "allow", by });
		const others = [{ toolHash: "b".repeat(64) as Sha256 }, { toolId: "calendar.event.create" as ToolId }];
		for (const other of others) expect(await callPolicy.answer(question(core, runId, { tool: { ...deleting, ...other } }))).toEqual(asked);
		const elsewhere = await startRun(core, "t2");
		expect(await callPolicy.answer(question(core, elsewhere))).toEqual(asked);
	});

	it("is listed with what it covers, and says which window allowed a call", async () => {
		await using core = await openCore();
		const { runId, approvalId } = await allowed(core);
		expect(await core.service.grants("t1" as ThreadId)).toMatchObject([
			{ approvalId, grantScope: { kind: "tool", toolId: deleting.toolId, toolHash: deleting.toolHash }, windowSeconds: 900 },
		]);
		expect((await trailOf(core, runId)).at(-1)).toMatchObject({
			type: "tool.call.approved",
			decision: { approvalId, decision: "allow_window" },
		});
	});

	it("is not listed while another version of its tool is in use, or none", async () => {
		await using core = await openCore();
		const { approvalId } = await allowed(core);
		const listed = async () => (await core.service.grants()).map((grant) => grant.approvalId);
		core.versionState = ({ toolId, toolHash }) => (toolId === deleting.toolId && toolHash === deleting.toolHash ? "accepted" : "gone");
		expect(await listed()).toEqual([approvalId]);
		core.versionState = ({ toolHash }) => (toolHash === "b".repeat(64) ? "accepted" : "gone");
		expect(await listed()).toEqual([]);
		core.versionState = () => "unaccepted";
		expect(await listed()).toEqual([]);
	});

	it("is not in force while a rule denies its tool", async () => {
		await using core = await openCore();
		const { approvalId } = await allowed(core);
		const listed = async () => (await core.service.grants()).map((grant) => grant.approvalId);
		let rule: PolicyDecision | undefined = "ask";
		core.toolRules = { version: "v1", ruleOf: (toolId) => (toolId === deleting.toolId ? rule : "deny") };
		await core.die();
		await core.load();
		expect(await listed()).toEqual([approvalId]);
		rule = "deny";
		expect(await listed()).toEqual([]);
		rule = undefined;
		expect(await listed()).toEqual([approvalId]);
	});

	it("never allows code that nobody accepted", async () => {
		await using core = await openCore();
		const { runId } = await allowed(core);
		const tool = { ...deleting, isAccepted: false };
		expect(await core.runs.callPolicy.answer(question(core, runId, { tool }))).toEqual({ decision: "ask", mayWindow: false });
	});

	it("ends after 15 minutes, also in the next bridge, and is not extended by a clock that is set back", async () => {
		const clock = new FakeClock();
		let back = 0;
		const jumping = { now: () => clock.now() - back, at: (time: number, act: () => void) => clock.at(time + back, act) };
		await using core = await openCore({ runBudgetMs: 24 * 60 * MINUTE }, jumping);
		const { runId, by } = await allowed(core);
		clock.advance(15 * MINUTE - 1);
		await core.die();
		await core.load();
		expect(await core.runs.callPolicy.answer(question(core, runId))).toEqual({ decision: "allow", by });
		back = 60 * MINUTE;
		expect(await core.runs.callPolicy.answer(question(core, runId))).toEqual(asked);
		back = 0;
		clock.advance(1);
		expect(await core.runs.callPolicy.answer(question(core, runId))).toEqual(asked);
	});

	it("covers nothing from the moment in which it is revoked, also a call that it allowed and that has not started", async () => {
		await using core = await openCore();
		const { runId, approvalId, by } = await allowed(core);
		const { callPolicy } = core.runs;
		const call = question(core, runId);
		const [answer, revoked] = await Promise.all([callPolicy.answer(call), core.service.revokeGrant(approvalId)]);
		expect(revoked).toMatchObject({ applied: true, record: { revokedAt: expect.any(String) } });
		if (answer.decision === "allow")
			expect(callPolicy.denial(call, answer.by)).toEqual({ decision: "deny", by: "person", reason: "policy" });
		else expect(answer).toEqual(asked);
		expect(callPolicy.denial(call, by)).toEqual({ decision: "deny", by: "person", reason: "policy" });
		expect(callPolicy.denial(call, "person")).toBeUndefined();
		expect(await callPolicy.answer(call)).toEqual(asked);
		await core.die();
		await core.load();
		expect(await core.runs.callPolicy.answer(question(core, runId))).toEqual(asked);
	});

	it("that is revoked while the policy reads it allows nothing", async () => {
		await using core = await openCore();
		const { runId, approvalId } = await allowed(core);
		const { record: window } = await core.service.approval(approvalId);
		const found = Promise.withResolvers<Approval>();
		const revoked = new Set<string>();
		const policy = new TypedCallPolicy({
			rules: { ruleOf: () => undefined, version: "1" },
			windowOf: () => found.promise,
			isRevoked: (id) => revoked.has(id),
			waiting: () => 0,
		});
		const answer = policy.answer(question(core, runId));
		revoked.add(approvalId);
		found.resolve(window);
		expect(await answer).toEqual(asked);
	});
});

describe("what the run and the user set for a tool", () => {
	const turnOf = (xworkmateAssistant: object) => ({ metadata: { xworkmateAssistant } });
	const { toolId } = deleting;

	it("counts: the run's override before the user's rule, and any deny before both", async () => {
		await using core = await openCore();
		const rules = new Map<ToolId, PolicyDecision>();
		core.toolRules = { ruleOf: (id) => rules.get(id), version: "rules-7" };
		await core.restart();
		const { callPolicy } = core.runs;
		expect(callPolicy.version).toBe("rules-7");
		const plain = await startRun(core, "t1");
		expect(await callPolicy.answer(question(core, plain))).toEqual(asked);
		rules.set(toolId, "allow");
		expect(await callPolicy.answer(question(core, plain))).toEqual({ decision: "allow", by: "person" });
		const careful = await startRun(core, "t2", turnOf({ toolPolicy: { [toolId]: "ask" } }));
		expect(await callPolicy.answer(question(core, careful))).toEqual(asked);
		const generous = await startRun(core, "t3", turnOf({ toolPolicy: { [toolId]: "allow" } }));
		expect(await callPolicy.answer(question(core, generous))).toEqual({ decision: "allow", by: "run" });
		rules.set(toolId, "deny");
		const denied = { decision: "deny", by: "person", reason: "policy" };
		expect(await callPolicy.answer(question(core, generous))).toEqual(denied);
		expect(callPolicy.denial(question(core, generous))).toEqual(denied);
	});

	it("denies in an unattended turn what it would ask, but not what a permission allows", async () => {
		await using core = await openCore();
		const unattended = turnOf({ unattended: true });
		const runId = await startRun(core, "t1", unattended);
		const denied = { decision: "deny", by: "bridge", reason: "unattended" };
		expect(await core.runs.callPolicy.answer(question(core, runId))).toEqual(denied);
		const reading = { ...deleting, risk: "read" } as const;
		expect(await core.runs.callPolicy.answer(question(core, runId, { tool: reading }))).toEqual({ decision: "allow", by: "policy" });
		const given: Approval = await askedCall(core, runId);
		await core.service.decideApproval(given.approvalId, "allow_window", "person");
		expect(await core.runs.callPolicy.answer(question(core, runId))).toEqual({ decision: "allow", by: `window:${given.approvalId}` });
	});

	it("denies in an unattended turn what an agent asks, at once, and says why", async () => {
		await using core = await Core.open(asker(["allow_once", "deny"]));
		const runId = await core.submit("t1", turnOf({ unattended: true }));
		expect((await core.settled(runId)).output?.text).toBe("deny");
		const { items } = await core.service.listApprovals({ runId, limit: 10 });
		expect(items).toMatchObject([{ state: "decided", decision: "deny", decidedBy: "bridge", reason: "unattended" }]);
	});

	it("is part of the turn: the same turn with other rules is refused", async () => {
		await using core = await openCore();
		const runId = await startRun(core, "t1", turnOf({ unattended: true }));
		expect(await core.service.input({ runId })).toMatchObject({ assistant: { unattended: true } });
		const again = { sessionId: "t1", threadId: "t1" };
		expect(await core.submit("t1", { ...again, ...turnOf({ unattended: true }) })).toBe(runId);
		await expect(core.submit("t1", again)).rejects.toMatchObject({ code: "TURN_CONFLICT" });
	});

	it("does not mistake a name of every object for a rule", async () => {
		await using core = await openCore();
		const runId = await startRun(core, "t1", turnOf({ toolPolicy: {} }));
		const tool = { ...deleting, toolId: "constructor" as ToolId };
		expect(await core.runs.callPolicy.answer(question(core, runId, { tool }))).toEqual(asked);
	});
});
