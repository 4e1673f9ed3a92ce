import {
	Approval as ApprovalSchema,
	deriveActivity,
	lackingIn,
	type Receipt,
	type ReceiptDraft,
	Redaction,
	type RunStatus,
	type ToolCall,
	verifyRun,
} from "@xworkmate/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { activityOfTrail } from "../../../src/runs/domain/call-trail.ts";
import type { RunCommand } from "../../../src/runs/domain/decide.ts";
import { PlayedRun, runId } from "./played-run.ts";

const reporter = { runId, providerId: "goose", redaction: new Redaction(["the-known-secret"]) };

const draft = (toolCallId: string, step: string): ReceiptDraft => ({
	type: `tool.call.${step}` as ReceiptDraft["type"],
	origin: "executed",
	toolCallId,
	risk: "write",
});

const record = (...drafts: readonly ReceiptDraft[]): RunCommand => ({ type: "record", runId, drafts });

const says = (toolCallId: string, state: "pending" | "running" | "completed" | "failed" | "denied"): RunCommand => ({
	type: "say",
	update: { kind: "tool_call", toolCallId, title: "Writes", toolKind: "edit", state },
	reporter,
});

const saysDespite = (toolCallId: string, unpermitted: "denied" | "found" | "unanswered", more: Partial<ToolCall> = {}): RunCommand => ({
	type: "say",
	update: {
		...{ kind: "tool_call", toolCallId, title: "Writes", toolKind: "edit", unpermitted, ...more },
		state: unpermitted === "unanswered" ? "completed" : "denied",
	},
	reporter,
});

const steps = ["requested", "approved", "denied", "started", "succeeded", "failed", "unknown"] as const;
const closing = ["denied", "succeeded", "failed", "unknown"];

describe("the receipts of a run's calls", () => {
	it("[T1-23] [T1-24] [T1-25] [T1-26] a call is requested, approved, started and succeeds, each once", () => {
		const run = new PlayedRun();
		run.do(record(...["requested", "approved", "started", "succeeded"].map((step) => draft("call-1", step))));
		run.do(record(draft("call-1", "failed"), draft("call-1", "requested"), draft("call-2", "started")));
		expect(run.types()).toEqual(["call-1 requested", "call-1 approved", "call-1 started", "call-1 succeeded"]);
	});

	it("of every two steps of a call, the second is recorded only where it may follow the first", () => {
		const after = (step: string) => {
			const way = step === "succeeded" || step === "unknown" ? ["requested", "started", step] : ["requested", step];
			const begun = [...new Set(way)];
			return steps.filter((next) => {
				const run = new PlayedRun();
				run.do(record(...begun.map((each) => draft("call-1", each))));
				expect(run.receipts).toHaveLength(begun.length);
				return run.do(record(draft("call-1", next))).length > 0;
			});
		};
		expect(Object.fromEntries(steps.map((step) => [step, after(step)]))).toEqual({
			requested: ["approved", "denied", "started", "failed", "unknown"],
			approved: ["denied", "started", "unknown"],
			denied: [],
			started: ["started", "succeeded", "failed", "unknown"],
			succeeded: [],
			failed: [],
			unknown: [],
		});
	});

	it("whatever is asked, and whenever the run ends, every call is closed exactly once and the chain is whole", () => {
		const step = fc.record({ call: fc.integer({ min: 1, max: 3 }), step: fc.constantFrom(...steps) });
		const report = fc.record({
			call: fc.integer({ min: 4, max: 6 }),
			state: fc.constantFrom("pending", "running", "completed", "failed", "denied", "despite" as const),
		});
		fc.assert(
			fc.property(fc.array(fc.oneof(step, report), { maxLength: 60 }), fc.constantFrom("fail", "interrupt", "cancel"), (played, how) => {
				const run = new PlayedRun();
				for (const one of played) {
					if ("step" in one) run.do(record(draft(`call-${one.call}`, one.step)));
					else if (one.state === "despite") run.do(saysDespite(`call-${one.call}`, "denied"));
					else run.do(says(`call-${one.call}`, one.state as "pending"));
				}
				if (how === "fail") run.do({ type: "fail", message: "fault" });
				else if (how === "interrupt") run.do({ type: "interrupt", code: "BRIDGE_RESTARTED", message: "ended" });
				else {
					run.do({ type: "cancel" });
					run.do({ type: "end_provider", outcome: { kind: "cancelled", remote: false } });
					run.do({ type: "conclude", provider: { target: "agent", providerId: "goose" } } as RunCommand);
				}
				expect(run.events.at(-1)?.type).toBe("ended");
				for (const id of new Set(run.receipts.map(({ toolCallId }) => toolCallId))) {
					const trail = run.receipts.filter(({ toolCallId }) => toolCallId === id).map(({ type }) => type.replace("tool.call.", ""));
					expect(trail[0]).toBe("requested");
					const ends = trail.filter((type) => closing.includes(type));
					const isDespite = ({ type, toolCallId, detail }: Receipt) =>
						toolCallId === id && type === "tool.call.succeeded" && detail?.unpermitted !== undefined;
					const despite = run.receipts.filter(isDespite);
					const failedLater = ends.slice(-2).join() === "succeeded,failed" ? 1 : 0;
					expect(ends).toHaveLength(1 + despite.length + failedLater);
					expect(closing).toContain(trail.at(-1));
					expect(despite.length).toBeLessThanOrEqual(1);
					if (despite.length > 0) expect(["denied", "failed"]).toContain(ends[0]);
					else if (trail.includes("succeeded")) expect(trail).toContain("started");
				}
				expect(verifyRun(run.receipts, runId, { heads: [], isRemoved: false }, false)).toEqual([]);
				const trail = run.state.trail;
				if (trail !== undefined) expect(activityOfTrail(trail)).toEqual(deriveActivity(runId, run.receipts));
			}),
		);
	});

	it("a run's end closes a started call as unknown, an undecided one as not answered, and a reported one as not reported, before its last event", () => {
		const run = new PlayedRun();
		run.do(record(draft("call-1", "requested"), draft("call-2", "requested"), draft("call-2", "started")));
		run.do(says("c3", "pending"));
		const events = run.do({ type: "fail", message: "fault" });
		expect(events.map((event) => (event.type === "receipt" ? [event.receipt.toolCallId, event.receipt.type] : event.type))).toEqual([
			["call-1", "tool.call.denied"],
			["call-2", "tool.call.unknown"],
			["c3", "tool.call.unknown"],
			"ended",
		]);
		expect(run.receipts.slice(-3)).toMatchObject([
			{ decision: { by: "bridge", decision: "deny", reason: "run_ended" } },
			{ outcome: { code: "OUTCOME_UNKNOWN" } },
			{ outcome: { code: "NOT_REPORTED" } },
		]);
	});

	it("an agent's report leaves receipts in the commit of its tool call, and a repeated one leaves none", () => {
		const run = new PlayedRun();
		expect(run.do(says("c1", "pending")).map(({ type }) => type)).toEqual(["said", "receipt"]);
		run.do(says("c1", "running"));
		run.do(says("c1", "running"));
		run.do(says("c1", "completed"));
		run.do(says("c1", "completed"));
		run.do(says("c1", "running"));
		expect(run.types()).toEqual(["c1 requested", "c1 started", "c1 succeeded"]);
		expect(run.receipts[0]).toMatchObject({ toolId: "goose:edit", risk: "write", origin: "reported", words: "Writes" });
		expect(run.events.find(({ type }) => type === "said")).toMatchObject({
			update: { toolId: "goose:edit", risk: "write", origin: "reported" },
		});
	});

	it("that an agent reports a denied call as done is a receipt of its own, once, and neither done nor undone", () => {
		const run = new PlayedRun();
		run.do(says("c1", "pending"));
		run.do(says("c1", "denied"));
		run.do(says("c1", "completed"));
		expect(run.types()).toEqual(["c1 requested", "c1 denied"]);
		run.do(saysDespite("c1", "denied"));
		run.do(saysDespite("c1", "denied"));
		expect(run.types()).toEqual(["c1 requested", "c1 denied", "c1 succeeded"]);
		expect(run.receipts.at(-1)).toMatchObject({ origin: "reported", toolId: "goose:edit", detail: { unpermitted: "denied" } });
		// One that had begun when it was denied.
		run.do(says("c2", "running"));
		run.do(says("c2", "denied"));
		run.do(saysDespite("c2", "denied"));
		expect(run.types().slice(3)).toEqual(["c2 requested", "c2 started", "c2 failed", "c2 succeeded"]);
		const { trail } = run.state;
		expect(trail && activityOfTrail(trail).items).toMatchObject([
			{ status: "succeeded", unpermitted: "denied", approval: { decision: "deny" } },
			{ status: "succeeded", unpermitted: "denied" },
		]);
		expect(verifyRun(run.receipts, runId, { heads: [], isRemoved: false }, false)).toEqual([]);
	});

	it("a denied edit that its file shows is recorded once, and its run is not a plain success", () => {
		const run = new PlayedRun();
		run.do(says("c1", "denied"));
		run.do(saysDespite("c1", "found"));
		run.do(saysDespite("c1", "found"));
		expect(run.types()).toEqual(["c1 requested", "c1 denied", "c1 succeeded"]);
		expect(run.receipts.at(-1)).toMatchObject({ origin: "reported", detail: { unpermitted: "found" } });
		const activity = run.state.trail && activityOfTrail(run.state.trail);
		expect(activity?.items).toMatchObject([{ unpermitted: "found", approval: { decision: "deny" } }]);
		expect(lackingIn({ ...(activity && { activity }) })).toBe("unverified");
		expect(verifyRun(run.receipts, runId, { heads: [], isRemoved: false }, false)).toEqual([]);
	});

	it("a file of a denied edit that has only changed is recorded as no more than that", () => {
		const run = new PlayedRun();
		run.do(says("c1", "denied"));
		run.do(saysDespite("c1", "found", { onlyChanged: true }));
		expect(run.receipts.at(-1)).toMatchObject({ detail: { unpermitted: "found", onlyChanged: true } });
		expect(run.state.trail && activityOfTrail(run.state.trail).items).toMatchObject([{ unpermitted: "found", onlyChanged: true }]);
	});

	it("a call that is reported as done before its answer says so in its receipt, also when its request was withdrawn", () => {
		const run = new PlayedRun();
		run.do(says("c1", "pending"));
		run.do(saysDespite("c1", "unanswered"));
		expect(run.types()).toEqual(["c1 requested", "c1 started", "c1 succeeded"]);
		expect(run.receipts.at(-1)).toMatchObject({ detail: { unpermitted: "unanswered" } });
		expect(run.state.trail && activityOfTrail(run.state.trail).items).toMatchObject([{ status: "succeeded", unpermitted: "unanswered" }]);
	});

	it("a call that was reported as a read and asked about as a command is the command, and is listed however it ends", () => {
		const saysAs = (toolKind: "read" | "execute", more: object): RunCommand => ({
			type: "say",
			update: { kind: "tool_call", toolCallId: "c1", title: "Wipe the disk", toolKind, state: "pending", ...more },
			reporter,
		});
		const asked = ApprovalSchema.parse({
			...{ approvalId: "apr-1", runId, threadId: "thread1", toolCallId: "c1", title: "Wipe the disk", toolKind: "execute" },
			...{ asker: { target: "agent", providerId: "goose" }, inputHash: "0".repeat(64), options: ["allow_once", "deny"] },
			...{ requestedAt: "2026-11-23T00:00:00.000Z", expiresAt: "2026-11-23T00:15:00.000Z", state: "pending" },
		});
		const run = new PlayedRun();
		run.do(saysAs("read", {}));
		run.do(saysAs("execute", {}));
		run.do({ type: "ask", record: asked, asked: { words: "Wipe the disk" } });
		run.do({ type: "answer", approvalId: "apr-1", decision: "deny", decidedBy: "person", windowSeconds: 900 });
		run.do(saysAs("execute", { state: "denied", unpermitted: "denied" }));
		expect(run.types()).toEqual(["c1 requested", "c1 denied", "c1 succeeded"]);
		expect(run.receipts.map(({ toolId, risk }) => [toolId, risk])).toEqual([
			["goose:read", "read"],
			["goose:execute", "destructive"],
			["goose:execute", "destructive"],
		]);
		const { trail } = run.state;
		expect(trail && activityOfTrail(trail).items).toMatchObject([{ toolId: "goose:execute", risk: "destructive", unpermitted: "denied" }]);
	});

	it("that an agent reports a call as failed that it had reported as done is a receipt, once; without permission it stays so", () => {
		const run = new PlayedRun();
		for (const state of ["completed", "failed", "completed", "failed"] as const) run.do(says("1", state));
		expect(run.types()).toEqual(["1 requested", "1 started", "1 succeeded", "1 failed"]);
		const { trail } = run.state;
		const activity = trail && activityOfTrail(trail);
		expect(activity?.items).toMatchObject([{ status: "failed", code: "TOOL_FAILED" }]);
		expect(deriveActivity(runId, run.receipts)).toEqual(activity);
		run.do(saysDespite("2", "unanswered"));
		run.do(says("2", "failed"));
		expect(deriveActivity(runId, run.receipts).items[1]).toMatchObject({ status: "failed", unpermitted: "unanswered" });
	});

	it("no other call takes a receipt after its end", () => {
		const run = new PlayedRun();
		run.do(says("c1", "failed"));
		run.do(saysDespite("c1", "denied"));
		run.do(record(draft("call-1", "requested"), draft("call-1", "denied")));
		run.do(saysDespite("call-1", "denied"));
		run.do(record({ ...draft("call-1", "succeeded"), detail: { unpermitted: "denied" } }));
		expect(run.types()).toEqual(["c1 requested", "c1 failed", "call-1 requested", "call-1 denied"]);
	});

	it("an agent cannot report on a call that the bridge executes", () => {
		const run = new PlayedRun();
		run.do(record(draft("call-1", "requested"), draft("call-1", "started")));
		run.do(says("call-1", "completed"));
		expect(run.types()).toEqual(["call-1 requested", "call-1 started"]);
	});

	it("only what an agent calls reading, searching or thinking is a read", () => {
		const risks = ["read", "search", "think", "fetch", "edit", "move", "switch_mode", "other", "delete", "execute"] as const;
		const seen = risks.map((toolKind) => {
			const run = new PlayedRun();
			run.do({ type: "say", update: { kind: "tool_call", toolCallId: "c1", title: "t", toolKind, state: "pending" }, reporter });
			return run.receipts[0]?.risk;
		});
		expect(seen).toEqual([...Array(3).fill("read"), ...Array(5).fill("write"), ...Array(2).fill("destructive")]);
	});

	it("known secrets and what looks like one do not reach words or input", () => {
		const run = new PlayedRun();
		const input = { text: `{"password":"hunter22x","note":"the-known-secret"}`, truncated: false };
		const update = {
			kind: "tool_call",
			toolCallId: "c1",
			title: "uses the-known-secret",
			toolKind: "edit",
			state: "pending",
			input,
		} as const;
		run.do({ type: "say", update, reporter });
		expect(JSON.stringify(run.receipts)).not.toMatch(/hunter22x|the-known-secret/);
	});

	it("the oldest of more than a thousand open calls is no longer waited for", () => {
		const run = new PlayedRun();
		for (let call = 0; call <= 1_000; call++) run.do(says(`c${call}`, "running"));
		expect(run.state.trail?.open.size).toBe(1_000);
		expect(run.types()).toContain("c0 unknown");
		const status: RunStatus = run.state.status;
		expect(status).toBe("running");
	});
});
