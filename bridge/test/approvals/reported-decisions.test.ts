import type { Approval, ApprovalId, ReceiptDraft, ToolCallId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { timestamp } from "../../src/ports/clock.ts";
import { decide, type RunCommand } from "../../src/runs/domain/decide.ts";
import { apply, initialState } from "../../src/runs/domain/run-state.ts";
import { record as run } from "../runs/domain/arbitrary.ts";

const reported: ReceiptDraft = {
	type: "tool.call.requested",
	origin: "reported",
	toolCallId: "tool-1" as ToolCallId,
	toolId: "goose:execute" as NonNullable<ReceiptDraft["toolId"]>,
	risk: "destructive",
	inputHash: "1".repeat(64),
};

const asked: Approval = {
	approvalId: "a1" as ApprovalId,
	runId: run.runId,
	threadId: run.threadId,
	asker: { target: "agent", providerId: run.provider.providerId },
	toolCallId: "tool-1" as ToolCallId,
	title: "rm -r build",
	toolKind: "execute",
	inputHash: "0".repeat(64),
	options: ["allow_once", "deny"],
	requestedAt: timestamp(0),
	expiresAt: timestamp(900_000),
	state: "pending",
};
const ofGateway: Approval = { ...asked, asker: { ...run.provider, target: "gateway" } };

const record = (...drafts: readonly ReceiptDraft[]): RunCommand => ({ type: "record", runId: run.runId, drafts });
const answer = (decision: "allow_once" | "deny", decidedBy = "person"): RunCommand => ({
	...{ type: "answer", approvalId: "a1", decision, decidedBy, windowSeconds: 900 },
});

/** The trail of a run after these commands, without the requests of its calls. */
function trailOf(...commands: readonly RunCommand[]) {
	let state = initialState;
	const receipts: object[] = [];
	for (const command of [{ type: "accept" }, { type: "start", budgetMs: 60_000 }, ...commands] as const) {
		for (const event of decide(state, command, 0)) {
			state = apply(state, { seq: state.lastSeq + 1, at: timestamp(0), event });
			if (event.type !== "receipt" || event.receipt.type === "tool.call.requested") continue;
			const { type, origin, toolId, inputHash, decision } = event.receipt;
			receipts.push({ type, origin, toolId, inputHash, ...decision });
		}
	}
	return receipts;
}

const call = { origin: "reported", toolId: "goose:execute", inputHash: "1".repeat(64), approvalId: "a1" };

describe("the decision on an agent's request", () => {
	it.for([
		[answer("allow_once"), { type: "tool.call.approved", by: "person", decision: "allow_once" }],
		[answer("deny"), { type: "tool.call.denied", by: "person", decision: "deny", reason: "person" }],
		[
			{ type: "expire", approvalId: "a1" },
			{ type: "tool.call.denied", by: "bridge", decision: "deny", reason: "expired" },
		],
	] as const)("is in the trail of the call that the agent reported: %j", ([command, receipt], { expect }) => {
		expect(trailOf(record(reported), { type: "ask", record: asked }, command)).toEqual([{ ...call, ...receipt }]);
	});

	it.for([
		[{ type: "cancel" }, "run_stopped"],
		[{ type: "end_provider", outcome: { kind: "ended" } }, "run_ended"],
		[{ type: "fail", message: "fault" }, "run_ended"],
		[{ type: "interrupt", code: "DEADLINE_EXCEEDED", message: "late" }, "run_ended"],
		[{ type: "interrupt", code: "BRIDGE_STOPPED", message: "stopped" }, "bridge_stopped"],
		[{ type: "take_up" }, "bridge_stopped"],
		[{ type: "withdraw", approvalId: "a1" }, "withdrawn"],
	] as const)("that no one gave says why, and is no policy's: %j", ([command, reason], { expect }) => {
		const [denied] = trailOf(record(reported), { type: "ask", record: asked }, command);
		expect(denied).toEqual({ ...call, type: "tool.call.denied", by: "bridge", decision: "deny", reason });
	});

	it("says which permission allowed it without asking", () => {
		const decided: Approval = { ...asked, state: "decided", decision: "allow_once", decidedBy: "window:apr-9" };
		expect(trailOf(record(reported), { type: "ask", record: decided })).toEqual([
			{ ...call, type: "tool.call.approved", by: "window:apr-9", decision: "allow_once" },
		]);
	});

	it("says why it was denied without asking", () => {
		const denied: Approval = { ...asked, state: "decided", decision: "deny", decidedBy: "policy", reason: "unattended" };
		expect(trailOf(record(reported), { type: "ask", record: denied })).toEqual([
			{ ...call, type: "tool.call.denied", by: "policy", decision: "deny", reason: "unattended" },
		]);
	});

	it("leaves no receipt for a call that was not reported, that is over, or that the bridge itself makes", () => {
		const ask: RunCommand = { type: "ask", record: asked };
		const { type: _type, ...facts } = reported;
		const over = record(reported, { ...facts, type: "tool.call.started" }, { ...facts, type: "tool.call.succeeded" });
		const types = (...commands: readonly RunCommand[]) => trailOf(...commands).map((receipt) => "decision" in receipt);
		expect(trailOf(ask, answer("deny"))).toEqual([]);
		expect(types(over, ask, answer("deny"))).toEqual([false, false]);
		expect(trailOf(record({ ...reported, origin: "executed" }), ask, answer("allow_once"))).toEqual([]);
	});

	it("is in the trail once, however often the agent asks about one call", () => {
		const again: Approval = { ...asked, approvalId: "a2" as ApprovalId };
		const commands: readonly RunCommand[] = [{ type: "ask", record: asked }, { type: "ask", record: again }, { type: "cancel" }];
		expect(trailOf(record(reported), ...commands)).toHaveLength(1);
		expect(trailOf(record(reported), ...commands.slice(0, 2), answer("deny"), { type: "cancel" })).toHaveLength(1);
	});
});

describe("the decision on a gateway's request, where another answer may have come first", () => {
	const begin = [record(reported), { type: "ask", record: ofGateway }] as const;
	const denied: Approval = { ...ofGateway, state: "decided", decision: "deny", decidedBy: "person" };

	it("is a denial in the trail only once the gateway has it", () => {
		expect(trailOf(...begin, answer("deny"))).toEqual([]);
		const receipt = { ...call, type: "tool.call.denied", by: "person", decision: "deny", reason: "person" };
		expect(trailOf(...begin, answer("deny"), { type: "confirm", record: denied })).toEqual([receipt]);
		expect(trailOf(...begin, answer("deny"), { type: "confirm", record: denied }, { type: "confirm", record: denied })).toEqual([receipt]);
	});

	it("is what counted there, when that is another one", () => {
		const counted: Approval = { ...denied, decision: "allow_once", decidedBy: "gateway" };
		const receipt = { ...call, type: "tool.call.approved", by: "gateway", decision: "allow_once" };
		expect(trailOf(...begin, answer("deny"), { type: "correct", record: counted })).toEqual([receipt]);
		const refused: Approval = { ...denied, decidedBy: "gateway" };
		expect(trailOf(...begin, answer("allow_once"), { type: "correct", record: refused })).toMatchObject([
			{ type: "tool.call.approved", by: "person" },
			{ type: "tool.call.denied", by: "gateway" },
		]);
	});

	it("that was given there is in the trail at once", () => {
		expect(trailOf(...begin, answer("deny", "gateway"))).toMatchObject([{ type: "tool.call.denied", by: "gateway", reason: "person" }]);
	});
});
