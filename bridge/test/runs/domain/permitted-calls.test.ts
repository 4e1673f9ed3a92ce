import { Approval, type ApprovalDecision, deriveActivity, type Preview, Redaction, renderActivity, verifyRun } from "@xworkmate/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AskedWords } from "../../../src/ports/runs/run-event.ts";
import { activityOfTrail } from "../../../src/runs/domain/call-trail.ts";
import type { RunCommand } from "../../../src/runs/domain/decide.ts";
import { PlayedRun, runId } from "./played-run.ts";

const reporter = { runId, providerId: "codex", redaction: new Redaction([]) };
const commandOf = (command: string): Preview => ({ text: JSON.stringify({ command }), truncated: false });

const says = (state: "pending" | "running" | "completed" | "failed" | "denied", input?: Preview): RunCommand => ({
	type: "say",
	update: { kind: "tool_call", toolCallId: "c1", title: "Run tests", toolKind: "execute", state, ...(input && { input }) },
	reporter,
});

function recordOf(approvalId: string, more: object = {}): Approval {
	return Approval.parse({
		...{ approvalId, runId, threadId: "thread1", toolCallId: "c1", title: "Run tests", toolKind: "execute" },
		...{ asker: { target: "agent", providerId: "codex" }, inputHash: "0".repeat(64), options: ["allow_once", "deny"] },
		...{ requestedAt: "2000-01-01T00:00:00.000Z", expiresAt: "2999-01-01T00:00:00.000Z", state: "pending" },
		...more,
	});
}

const asks = (approvalId: string, asked: AskedWords = { words: "Run tests" }): RunCommand => ({
	...{ type: "ask", record: recordOf(approvalId), asked },
});
/** A request that a temporary permission or a setting answers, so that no one is asked. */
const isGranted = (approvalId: string, decidedBy: string): RunCommand => ({
	...{ type: "ask", record: recordOf(approvalId, { state: "decided", decision: "allow_once", decidedBy }), asked: { words: "Run tests" } },
});
const answers = (approvalId: string, decision: ApprovalDecision = "allow_once", decidedBy = "person"): RunCommand => ({
	...{ type: "answer", approvalId, decision, decidedBy, windowSeconds: 900 },
});

/** A run after these commands, whose receipts are a whole chain and give the same activity on any machine. */
function played(...commands: readonly RunCommand[]): PlayedRun {
	const run = new PlayedRun();
	for (const command of commands) run.do(command);
	expect(verifyRun(run.receipts, runId, { heads: [], isRemoved: false }, false)).toEqual([]);
	expect(run.state.trail && activityOfTrail(run.state.trail)).toEqual(deriveActivity(runId, run.receipts));
	return run;
}

const steps = (run: PlayedRun) => run.types().map((type) => type.replace("c1 ", ""));
const itemOf = (run: PlayedRun) => deriveActivity(runId, run.receipts).items[0];
const deciders = (run: PlayedRun) => run.receipts.flatMap(({ decision }) => (decision ? [`${decision.approvalId} ${decision.by}`] : []));

describe("a permission for a call that its agent had already begun", () => {
	const begun = [says("running"), asks("apr-1"), answers("apr-1")];

	it("leaves a receipt in the commit of the decision, and the call is still running", () => {
		const run = played(...begun.slice(0, 2));
		expect(run.do(answers("apr-1")).map(({ type }) => type)).toEqual(["approval", "receipt"]);
		expect(run.receipts.at(-1)).toMatchObject({
			...{ type: "tool.call.approved", origin: "reported", toolId: "codex:execute" },
			decision: { approvalId: "apr-1", by: "person", decision: "allow_once" },
		});
		expect(itemOf(run)).toMatchObject({ status: "pending", approval: { required: true, decision: "allow_once", by: "person" } });
	});

	it.each([
		["completed", "succeeded", "reported as done, allowed by the user"],
		["failed", "failed", "reported as failed, allowed by the user"],
	] as const)("is said of the call once the agent reports it as %s, and the call began once", (state, end, words) => {
		const run = played(...begun, says("running"), says(state));
		expect(steps(run)).toEqual(["requested", "started", "approved", end]);
		expect(renderActivity(deriveActivity(runId, run.receipts)).join("\n")).toContain(words);
	});

	it("is said of a call whose end the agent never reports", () => {
		const run = played(...begun, { type: "fail", message: "fault" });
		expect(steps(run)).toEqual(["requested", "started", "approved", "unknown"]);
		expect(itemOf(run)).toMatchObject({ status: "unknown", code: "NOT_REPORTED", approval: { decision: "allow_once", by: "person" } });
	});

	it("is the last receipt before the end of a call that a restarted bridge finds open", () => {
		const run = played(...begun, { type: "take_up" }, { type: "interrupt", code: "BRIDGE_RESTARTED", message: "ended" });
		expect(steps(run)).toEqual(["requested", "started", "approved", "unknown"]);
	});

	it.each([
		["the user denies a later request", [asks("apr-2"), answers("apr-2", "deny")]],
		["a later request expires", [asks("apr-2"), { type: "expire", approvalId: "apr-2" }]],
		["its agent reports it as denied", [says("denied")]],
	] as const)("does not hide that the call had begun when %s", (_, after) => {
		const run = played(...begun, ...after);
		expect(steps(run)).toEqual(["requested", "started", "approved", "failed"]);
		expect(run.receipts.at(-1)?.outcome?.code).toBe("DENIED");
	});

	it("leaves a receipt too if no one was asked", () => {
		const run = played(says("running"), isGranted("apr-2", "window:apr-9"));
		expect(deciders(run)).toEqual(["apr-2 window:apr-9"]);
	});

	it("says what was asked if that is not what the agent reported last, and otherwise nothing", () => {
		const [npm, make] = [commandOf("npm test"), commandOf("make")];
		const inputs = (asked: Preview) =>
			played(says("pending", npm), says("running", make), asks("apr-1", { words: "Run tests", input: asked }), answers("apr-1"));
		expect(inputs(make).receipts.at(-1)).not.toHaveProperty("input");
		expect(inputs(npm).receipts.at(-1)?.input).toEqual(npm);
		expect(itemOf(inputs(npm))?.command).toBe("npm test");
	});

	it("does not make the end repeat the input", () => {
		const make = commandOf("make");
		const run = played(
			says("running", make),
			asks("apr-1", { words: "Run tests", input: make }),
			answers("apr-1"),
			says("completed", make),
		);
		expect(run.receipts.filter(({ input }) => input !== undefined)).toHaveLength(1);
	});
});

describe("a second permission for a call", () => {
	it.each([
		["while the first request is open, too", [asks("apr-1"), asks("apr-2"), answers("apr-2"), answers("apr-1")], ["apr-2", "apr-1"]],
		["after the first", [asks("apr-1"), answers("apr-1"), asks("apr-2"), answers("apr-2")], ["apr-1", "apr-2"]],
	] as const)("leaves a receipt of its own if the user gives it: %s", (_, asked, ids) => {
		for (const before of [[says("pending")], [says("running")]]) {
			const run = played(...before, ...asked, says("completed"));
			expect(deciders(run)).toEqual(ids.map((id) => `${id} person`));
			expect(steps(run).filter((step) => step === "started")).toHaveLength(1);
			expect(itemOf(run)).toMatchObject({ status: "succeeded", approval: { by: "person" } });
		}
	});

	it.each(["window:apr-9", "configuration:provider"])("leaves none if no one was asked, so that the user's stays: %s", (by) => {
		const run = played(says("running"), asks("apr-1"), answers("apr-1"), isGranted("apr-2", by), says("completed"));
		expect(deciders(run)).toEqual(["apr-1 person"]);
		expect(itemOf(run)?.approval?.by).toBe("person");
	});

	it("names the call by what was asked last", () => {
		const asked = (id: string, words: string) => [asks(id, { words }), answers(id)];
		const run = played(says("running"), ...asked("apr-1", "Push"), ...asked("apr-2", "Run tests"));
		expect(run.receipts.map(({ words }) => words)).toEqual(["Run tests", undefined, "Push", "Run tests"]);
		expect(itemOf(run)?.words).toBe("Run tests");
	});
});

it("a permission that its gateway confirms, and confirms again, has one receipt", () => {
	for (const state of ["pending", "running"] as const) {
		const both = [asks("apr-1"), asks("apr-2"), answers("apr-1"), answers("apr-2")];
		const confirmed = (approvalId: string): RunCommand => ({
			...{ type: "confirm", record: recordOf(approvalId, { state: "decided", decision: "allow_once", decidedBy: "person" }) },
		});
		const run = played(says(state), ...both, confirmed("apr-1"), confirmed("apr-2"), confirmed("apr-1"));
		expect(deciders(run)).toEqual(["apr-1 person", "apr-2 person"]);
	}
});

it("a permission that its gateway confirms only after it has denied another request about the call takes nothing back", () => {
	const gateway = { asker: { target: "gateway", providerId: "openclaw" }, state: "decided", decidedBy: "person" };
	const confirmed = (approvalId: string, decision: ApprovalDecision): RunCommand => ({
		...{ type: "confirm", record: recordOf(approvalId, { ...gateway, decision }) },
	});
	for (const state of ["pending", "running"] as const) {
		const run = played(
			...[says(state), asks("apr-1"), asks("apr-2"), answers("apr-1"), answers("apr-2", "deny")],
			...[confirmed("apr-2", "deny"), confirmed("apr-1", "allow_once")],
		);
		expect(deciders(run)).toEqual(["apr-1 person", "apr-2 person"]);
		expect(itemOf(run)).toMatchObject({ approval: { decision: "deny" } });
	}
});

it("an automatic permission for an input that no one was shown is recorded as its own", () => {
	const make = commandOf("make clean");
	const granted = recordOf("apr-2", { state: "decided", decision: "allow_once", decidedBy: "configuration:command" });
	const run = played(says("running"), asks("apr-1"), answers("apr-1"), {
		...{ type: "ask", record: granted, asked: { words: "Run tests", input: make } },
	});
	expect(deciders(run)).toEqual(["apr-1 person", "apr-2 configuration:command"]);
	expect(itemOf(run)).toMatchObject({ command: "make clean", approval: { by: "configuration:command" } });
});

describe("a call that is reported as done while a second request about it is open", () => {
	const done: RunCommand = {
		type: "say",
		update: { kind: "tool_call", toolCallId: "c1", title: "Run tests", toolKind: "execute", state: "completed", unpermitted: "unanswered" },
		reporter,
	};

	it("was denied by the user if they deny it, however the first was answered, and no answer after that counts", () => {
		for (const first of [[asks("apr-1"), answers("apr-1")], [isGranted("apr-1", "window:apr-9")]]) {
			const run = played(says("running"), ...first, asks("apr-2"), done, answers("apr-2", "deny"), asks("apr-3"), answers("apr-3"));
			expect(deciders(run).at(-1)).toBe("apr-2 person");
			expect(itemOf(run)).toMatchObject({ status: "succeeded", approval: { decision: "deny", by: "person" } });
			expect(renderActivity(deriveActivity(runId, run.receipts)).join("\n")).toContain("denied by the user");
		}
	});

	it("was allowed by the user if they allow it after a permission that no one was asked for", () => {
		const run = played(says("running"), isGranted("apr-1", "configuration:provider"), asks("apr-2"), done, answers("apr-2"));
		expect(itemOf(run)).toMatchObject({ status: "succeeded", approval: { decision: "allow_once", by: "person" } });
	});
});

it("no permission follows the end of a call that was allowed", () => {
	for (const state of ["completed", "failed"] as const) {
		const run = played(says("running"), asks("apr-1"), answers("apr-1"), says(state), asks("apr-2"), answers("apr-2"));
		expect(deciders(run)).toEqual(["apr-1 person"]);
		expect(run.state.trail?.open.size).toBe(0);
	}
});

it("a gateway's answer that replaces a recorded permission is one receipt, and a repeated one none", () => {
	const counted = recordOf("apr-1", { asker: { target: "gateway", providerId: "openclaw" }, state: "decided", decision: "allow_once" });
	const correct: RunCommand = { type: "correct", record: { ...counted, decidedBy: "gateway" } };
	expect(deciders(played(says("running"), correct, correct))).toEqual(["apr-1 gateway"]);
});

it("whatever the agent reports and is told, a call starts once between its ends, each request decides once, and only late facts follow an end", () => {
	const id = fc.constantFrom("apr-1", "apr-2", "apr-3");
	const command = fc.oneof(
		fc.constantFrom("pending", "running", "running", "completed", "failed", "denied").map((state) => says(state)),
		id.map((one) => asks(one)),
		fc.tuple(id, fc.constantFrom("allow_once", "allow_window", "deny")).map(([one, decision]) => answers(one, decision)),
		id.map((one): RunCommand => ({ type: "withdraw", approvalId: one })),
	);
	fc.assert(
		fc.property(fc.array(command, { maxLength: 25 }), (commands) => {
			const run = played(says("running"), ...commands, { type: "fail", message: "fault" });
			expect(run.state.trail?.open.size).toBe(0);
			let end: "denied" | "final" | undefined;
			let starts = 0;
			for (const { type, decision, outcome } of run.receipts) {
				const step = type.replace("tool.call.", "");
				if (end === "final") expect(decision === undefined ? ["failed"] : ["approved", "denied"]).toContain(step);
				else if (end === "denied") expect(decision === undefined ? [] : ["approved", "denied"]).toContain(step);
				if (step === "started") expect(++starts).toBe(1);
				// A permission takes back a denial.
				if (end === "denied" && step === "approved") [end, starts] = [undefined, 0];
				else if (step === "denied" || outcome?.code === "DENIED") end ??= "denied";
				else if (outcome !== undefined) end = "final";
			}
			const allowed = run.receipts.flatMap(({ type, decision }) => (type === "tool.call.approved" ? [decision?.approvalId] : []));
			expect(new Set(allowed).size).toBe(allowed.length);
		}),
	);
});
