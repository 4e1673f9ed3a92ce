import { type Approval, type ApprovalDecision, emptyChain, hashOf, type RunId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import type { LoggedEvent } from "../../src/ports/runs/run-event.ts";
import type { StepStore } from "../../src/ports/runs/run-step.ts";
import { FakeClock } from "../ports/fake-clock.ts";
import { Core, type Play } from "../runs/core-fixture.ts";
import { hang } from "../runs/plays.ts";
import { askedCall, callRequest, deleting, liveRun, openCore, receiptsIn, recordRequest, startRun, trailOf } from "./typed-calls.ts";

const MINUTE = 60_000;

const decide = (core: Core, { approvalId }: Approval, decision: ApprovalDecision, by = "person") =>
	core.service.decideApproval(approvalId, decision, by);

/** What each commit of a run wrote from now on. */
function commitsOf(core: Core, runId: RunId): readonly (readonly LoggedEvent[])[] {
	const commits: (readonly LoggedEvent[])[] = [];
	core.service.log.onCommitted(runId, (events) => void commits.push(events));
	return commits;
}

describe("a typed call that is asked", () => {
	it("[T1-60] says tool, risk, code, words, secrets and the policy's version, and what a permission would cover", async () => {
		await using core = await openCore();
		const runId = await startRun(core);
		const tool = { ...deleting, secrets: ["CALDAV_PASSWORD"] };
		const asked = await askedCall(core, runId, 1, { tool });
		const recorded = await core.service.approval(asked.approvalId);
		expect(recorded).toEqual({ record: asked });
		expect(asked).toMatchObject({
			runId,
			toolCallId: "call-1",
			title: "calendar.event.delete: Delete event 1",
			toolKind: "other",
			toolId: "calendar.event.delete",
			risk: "destructive",
			toolHash: deleting.toolHash,
			policyVersion: "rules-1",
			words: "Delete event 1",
			secrets: ["CALDAV_PASSWORD"],
			inputHash: hashOf({ uid: "event-1" }),
			input: { text: '{"uid":"event-1"}', truncated: false },
			options: ["allow_once", "allow_window", "deny"],
			grantScope: { kind: "tool", toolId: deleting.toolId, toolHash: deleting.toolHash },
			windowSeconds: 900,
			state: "pending",
		});
		expect(asked).not.toHaveProperty("unaccepted");
		expect(await core.service.snapshot(runId)).toMatchObject({ status: "running", progress: { stage: "waiting_approval" } });
	});

	it("offers no permission for code that nobody accepted, whatever is asked for, and says so", async () => {
		await using core = await openCore();
		const runId = await startRun(core);
		const asked = await askedCall(core, runId, 1, { tool: { ...deleting, isAccepted: false }, mayWindow: true });
		expect(asked).toMatchObject({ options: ["allow_once", "deny"], unaccepted: true });
		expect(asked).not.toHaveProperty("grantScope");
		await expect(decide(core, asked, "allow_window")).rejects.toMatchObject({ code: "INVALID_PARAMS" });
		const second = await askedCall(core, runId, 2, { tool: { ...deleting, mayWindow: false } });
		expect(second.options).toEqual(["allow_once", "deny"]);
	});

	it("shows at most 16 KiB of its input in the log, whole characters, and no secret", async () => {
		await using core = await openCore();
		const runId = await startRun(core);
		const input = { password: "hunter22-hunter22", note: "Bearer abcdefghijklmnop", text: "🙂".repeat(8_000) };
		const { input: shown } = await askedCall(core, runId, 1, { input, inputHash: hashOf(input) });
		expect(shown?.truncated).toBe(true);
		expect(Buffer.byteLength(shown?.text ?? "")).toBeLessThanOrEqual(16 * 1024);
		expect(shown?.text.isWellFormed()).toBe(true);
		expect(shown?.text).not.toMatch(/hunter22|abcdefghijklmnop/);
	});

	it("shows its whole input on request, without secrets, and only the one that was asked about", async () => {
		await using core = await openCore();
		const input = { text: "x".repeat(100_000), token: "0123456789abcdef" };
		const inputs: unknown[] = [{ uid: "other" }, input];
		const steps: StepStore = {
			countOpenCalls: async () => 0,
			readSteps: async () =>
				inputs.map((given, index) => ({
					n: index + 1,
					at: "2026-01-01T00:00:00.000Z",
					step: { kind: "began", call: index + 1, toolId: deleting.toolId, inputHash: hashOf(given), input: given },
				})),
		};
		core.stepStore = steps;
		await core.restart();
		const runId = await startRun(core);
		const asked = await askedCall(core, runId, 2, { input, inputHash: hashOf(input) });
		const shown = await core.service.approval(asked.approvalId);
		expect(JSON.parse(shown.input ?? "")).toEqual({ text: input.text, token: "[redacted]" });
		inputs[1] = { text: "another" };
		expect(await core.service.approval(asked.approvalId)).not.toHaveProperty("input");
	});

	it("is not asked once the run is being stopped", async () => {
		await using core = await openCore();
		const runId = await startRun(core);
		const run = liveRun(core, runId);
		recordRequest(run, callRequest(1));
		const cancelled = core.service.cancel(runId);
		expect(core.runs.broker.askCall(run, callRequest(1))).toBeUndefined();
		await cancelled;
		await core.settled(runId);
	});
});

describe("[T1-24] the decision on a typed call leaves its receipt in the same commit", () => {
	it.for([
		["allow_once", "tool.call.approved", { by: "person", decision: "allow_once" }],
		["allow_window", "tool.call.approved", { by: "person", decision: "allow_window" }],
		["deny", "tool.call.denied", { by: "person", decision: "deny", reason: "person" }],
	] as const)("[T1-20] %s", async ([decision, type, receipt], { expect }) => {
		await using core = await openCore();
		const runId = await startRun(core);
		const asked = await askedCall(core, runId);
		const commits = commitsOf(core, runId);
		expect(await decide(core, asked, decision)).toMatchObject({
			applied: true,
			record: { state: "decided", decision, decidedBy: "person" },
		});
		expect(commits.map((events) => events.map(({ event }) => event.type))).toEqual([["approval", "receipt"]]);
		const [requested, decided] = await trailOf(core, runId);
		expect(decided).toMatchObject({
			type,
			origin: "executed",
			n: 2,
			prevHash: requested?.hash,
			toolCallId: "call-1",
			toolId: deleting.toolId,
			risk: "destructive",
			inputHash: asked.inputHash,
			toolHash: deleting.toolHash,
			decision: { approvalId: asked.approvalId, ...receipt },
		});
		expect(requested?.prevHash).toBe(emptyChain(runId).hash);
	});

	it("expired: denied, and the record says why", async () => {
		const clock = new FakeClock();
		await using core = await openCore({}, clock);
		const runId = await startRun(core);
		const asked = await askedCall(core, runId);
		const commits = commitsOf(core, runId);
		clock.advance(15 * MINUTE);
		await liveRun(core, runId).durable();
		expect(commits.map((events) => events.map(({ event }) => event.type))).toEqual([["approval", "receipt"]]);
		expect((await core.service.approval(asked.approvalId)).record).toMatchObject({ state: "expired", reason: "expired" });
		expect((await trailOf(core, runId)).at(-1)).toMatchObject({
			type: "tool.call.denied",
			decision: { approvalId: asked.approvalId, by: "bridge", decision: "deny", reason: "expired" },
		});
	});

	it.for([
		["a cancel", { type: "cancel" }, "run_stopped"],
		["an interruption", { type: "interrupt", code: "BRIDGE_RESTARTED", message: "restarted" }, "bridge_stopped"],
		["a fault", { type: "fail", message: "no" }, "run_ended"],
		["the end of its program", { type: "end_provider", outcome: { kind: "ended" } }, "run_ended"],
	] as const)("withdrawn by %s: all that were asked are denied, one after the other", async ([, command, reason], { expect }) => {
		await using core = await openCore();
		const runId = await startRun(core);
		const first = await askedCall(core, runId, 1);
		const second = await askedCall(core, runId, 2);
		const run = liveRun(core, runId);
		const commits = commitsOf(core, runId);
		run.dispatch(command);
		await run.durable();
		const denied = receiptsIn(commits[0] ?? []);
		expect(denied.map(({ n, type, decision }) => [n, type, decision?.approvalId, decision?.reason])).toEqual([
			[3, "tool.call.denied", first.approvalId, reason],
			[4, "tool.call.denied", second.approvalId, reason],
		]);
		expect(denied[1]?.prevHash).toBe(denied[0]?.hash);
		expect((await core.service.approval(first.approvalId)).record).toMatchObject({ state: "withdrawn", reason });
	});

	it("withdrawn because a backup was restored: it is unknown whether the calls were made after the backup", async () => {
		await using core = await openCore();
		const runId = await startRun(core);
		const [first, second] = [await askedCall(core, runId, 1), await askedCall(core, runId, 2)];
		const run = liveRun(core, runId);
		run.dispatch({ type: "interrupt", code: "STORE_RESTORED", message: "restored" });
		await run.durable();
		const types = (await trailOf(core, runId)).map(({ type, outcome }) => [type, outcome?.code]);
		expect(types.slice(-2)).toEqual(Array.from({ length: 2 }, () => ["tool.call.unknown", "OUTCOME_UNKNOWN"]));
		for (const { approvalId } of [first, second])
			expect((await core.service.approval(approvalId)).record).toMatchObject({ state: "withdrawn", reason: "backup_restored" });
	});

	it("is the first one: of two answers at once one counts, and the other gets its outcome", async () => {
		await using core = await openCore();
		const runId = await startRun(core);
		const asked = await askedCall(core, runId);
		const answers = await Promise.all([decide(core, asked, "deny"), decide(core, asked, "allow_once", "discord:7")]);
		expect(answers.map(({ applied }) => applied)).toEqual([true, false]);
		expect(answers[1]?.record).toEqual(answers[0]?.record);
		expect(await decide(core, asked, "allow_once")).toMatchObject({ applied: false, record: { decision: "deny" } });
		expect(await trailOf(core, runId)).toHaveLength(2);
	});

	it("is not an approval when it comes late, even if the clock jumped over the request's end", async () => {
		const clock = new FakeClock();
		let ahead = 0;
		const jumping = { now: () => clock.now() + ahead, at: (time: number, act: () => void) => clock.at(time - ahead, act) };
		await using core = await openCore({}, jumping);
		const runId = await startRun(core);
		const asked = await askedCall(core, runId);
		ahead = 60 * MINUTE;
		expect(await decide(core, asked, "allow_once")).toMatchObject({ applied: false, record: { state: "expired" } });
		expect((await trailOf(core, runId)).map(({ type }) => type)).toEqual(["tool.call.requested", "tool.call.denied"]);
	});
});

describe("a typed call that waits while nothing drives its run", () => {
	it("[T1-19] is still asked after the bridge was killed, until an explicit decision, which counts", async () => {
		await using core = await openCore();
		const runId = await startRun(core);
		const asked = await askedCall(core, runId);
		await core.die();
		await core.load();
		expect((await core.service.snapshot(runId)).pendingApprovals).toEqual([asked]);
		expect(await decide(core, asked, "allow_once")).toMatchObject({ applied: true, record: { decision: "allow_once" } });
		expect((await trailOf(core, runId)).map(({ type }) => type)).toEqual(["tool.call.requested", "tool.call.approved"]);
		await core.coordinator.recover();
		expect((await core.service.approval(asked.approvalId)).record).toMatchObject({ state: "decided", decision: "allow_once" });
	});

	it("keeps its request when the run is taken up, and an agent's request is withdrawn", async () => {
		await using core = await openCore();
		const runId = await startRun(core);
		const asked = await askedCall(core, runId);
		const { toolId: _toolId, ...agents } = { ...asked, approvalId: "apr-agent" as Approval["approvalId"] };
		const run = liveRun(core, runId);
		run.dispatch({ type: "ask", record: agents });
		await run.durable();
		await core.crash();
		await core.until(runId, ({ event }) => event.type === "approval" && event.record.state === "withdrawn");
		expect((await core.service.snapshot(runId)).pendingApprovals).toEqual([asked]);
		expect((await trailOf(core, runId)).map(({ type }) => type)).toEqual(["tool.call.requested"]);
	});

	it("expires when its record says so, also in the next bridge", async () => {
		const clock = new FakeClock();
		await using core = await openCore({ runBudgetMs: 24 * 60 * MINUTE }, clock);
		const runId = await startRun(core);
		const asked = await askedCall(core, runId);
		clock.advance(10 * MINUTE);
		await core.die();
		await core.load();
		clock.advance(Date.parse(asked.expiresAt) - clock.now() - 1);
		await liveRun(core, runId).durable();
		expect((await core.service.approval(asked.approvalId)).record).toMatchObject({ state: "pending", expiresAt: asked.expiresAt });
		clock.advance(1);
		await liveRun(core, runId).durable();
		expect((await core.service.approval(asked.approvalId)).record).toMatchObject({ state: "expired" });
		expect(await decide(core, asked, "allow_once")).toMatchObject({ applied: false, record: { state: "expired" } });
	});

	it("has expired when its end was while no bridge was running", async () => {
		const clock = new FakeClock();
		await using core = await openCore({ runBudgetMs: 24 * 60 * MINUTE }, clock);
		const runId = await startRun(core);
		const asked = await askedCall(core, runId);
		await core.die();
		clock.advance(60 * MINUTE);
		await core.load();
		clock.advance(0);
		await liveRun(core, runId).durable();
		expect((await core.service.approval(asked.approvalId)).record).toMatchObject({ state: "expired", reason: "expired" });
	});

	it("a thousand at once have one timer and one expiry each, and a further one is not asked", async () => {
		const clock = new FakeClock();
		const began = Promise.withResolvers<void>();
		const play: Play = (turn, sink, stop) => {
			began.resolve();
			return hang(turn, sink, stop);
		};
		await using core = await Core.open(play, { runBudgetMs: 24 * 60 * MINUTE }, { resumable: true }, undefined, clock);
		const runId = await startRun(core);
		// The run's deadline is watched from then on.
		await began.promise;
		// What watches the start of a run.
		clock.advance(MINUTE);
		const before = clock.pending;
		const run = liveRun(core, runId);
		for (let n = 1; n <= 1_000; n++) {
			const request = callRequest(n);
			recordRequest(run, request);
			core.runs.broker.askCall(run, request);
		}
		await run.durable();
		expect(clock.pending).toBe(before + 1);
		const question = { run: run.record, tool: deleting, inputBytes: 2 };
		expect(await core.runs.callPolicy.answer(question)).toEqual({ decision: "deny", by: "bridge", reason: "too_many_waiting" });
		const [oldest] = (await core.service.snapshot(runId)).pendingApprovals;
		if (oldest === undefined) throw new Error("nothing is asked");
		await decide(core, oldest, "deny");
		expect(await core.runs.callPolicy.answer(question)).toEqual({ decision: "ask", mayWindow: true });
		clock.advance(15 * MINUTE);
		await run.durable();
		expect((await core.service.snapshot(runId)).pendingApprovals).toEqual([]);
		expect(clock.pending).toBe(before);
		const trail = await trailOf(core, runId);
		expect(trail.filter(({ decision }) => decision?.reason === "expired")).toHaveLength(999);
	});
});
