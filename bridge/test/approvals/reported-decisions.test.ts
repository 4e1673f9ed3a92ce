import { type Approval, type ApprovalId, omitUndefined, type Receipt, type ReceiptDraft, type ToolCallId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { timestamp } from "../../src/ports/clock.ts";
import { activityOfTrail } from "../../src/runs/domain/call-trail.ts";
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

const { type: _type, inputHash: _inputHash, ...facts } = reported;
const started: ReceiptDraft = { ...facts, type: "tool.call.started" };
const did: ReceiptDraft = { ...facts, type: "tool.call.succeeded", detail: { unpermitted: "unanswered" } };

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

/** A run after these commands, with its receipts. */
function played(...commands: readonly RunCommand[]) {
	let state = initialState;
	const receipts: Receipt[] = [];
	for (const command of [{ type: "accept" }, { type: "start", budgetMs: 60_000 }, ...commands] as const) {
		for (const event of decide(state, command, 0)) {
			state = apply(state, { seq: state.lastSeq + 1, at: timestamp(0), event });
			if (event.type === "receipt") receipts.push(event.receipt);
		}
	}
	return { state, receipts };
}

const stateOf = (...commands: readonly RunCommand[]) => played(...commands).state;
const receiptsOf = (...commands: readonly RunCommand[]) => played(...commands).receipts;

/** The trail of a run after these commands, without the requests of its calls. */
function trailOf(...commands: readonly RunCommand[]) {
	return receiptsOf(...commands)
		.filter(({ type }) => type !== "tool.call.requested")
		.map(({ type, origin, toolId, inputHash, decision }) => ({ type, origin, toolId, ...omitUndefined({ inputHash }), ...decision }));
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

	it("that a backup lacks is not taken for a denial: what became of the call is unknown", () => {
		const ends: RunCommand = { type: "interrupt", code: "STORE_RESTORED", message: "restored" };
		const [, ended, ...more] = receiptsOf(record(reported), { type: "ask", record: asked }, ends);
		expect(ended).toMatchObject({ type: "tool.call.unknown", outcome: { code: "OUTCOME_UNKNOWN", attempt: 0 } });
		expect([ended?.decision, more]).toEqual([undefined, []]);
	});

	it("says which permission allowed it without asking", () => {
		const decided: Approval = { ...asked, state: "decided", decision: "allow_once", decidedBy: "window:apr-9" };
		expect(trailOf(record(reported), { type: "ask", record: decided })).toEqual([
			{ ...call, type: "tool.call.approved", by: "window:apr-9", decision: "allow_once" },
		]);
	});

	it("says why it was denied without asking", () => {
		const denied: Approval = { ...asked, state: "decided", decision: "deny", decidedBy: "bridge", reason: "unattended" };
		expect(trailOf(record(reported), { type: "ask", record: denied })).toEqual([
			{ ...call, type: "tool.call.denied", by: "bridge", decision: "deny", reason: "unattended" },
		]);
	});

	it("leaves no receipt for a call that was not reported, or that the bridge itself makes", () => {
		const ask: RunCommand = { type: "ask", record: asked };
		expect(trailOf(ask, answer("deny"))).toEqual([]);
		expect(trailOf(record({ ...reported, origin: "executed" }), ask, answer("allow_once"))).toEqual([]);
	});

	it("is in the trail of a call that the agent did not wait with, whose outcome it leaves as it is", () => {
		const run = (decision: "allow_once" | "deny") => {
			const commands = [record(reported), { type: "ask", record: asked }, record(started, did), answer(decision), answer("deny")] as const;
			const { trail } = stateOf(...commands);
			return { receipts: trailOf(...commands).slice(2), open: trail?.open.size, items: trail && activityOfTrail(trail).items };
		};
		const { inputHash: _hash, ...late } = call;
		const done = { toolCallId: "tool-1", status: "succeeded", unpermitted: "unanswered", receiptRef: `${asked.runId}.3` };
		expect(run("deny")).toEqual({
			receipts: [{ ...late, type: "tool.call.denied", by: "person", decision: "deny", reason: "person" }],
			open: 0,
			items: [expect.objectContaining({ ...done, approval: { required: true, decision: "deny", by: "person" } })],
		});
		expect(run("allow_once")).toMatchObject({
			receipts: [{ type: "tool.call.approved", by: "person" }],
			open: 0,
			items: [{ ...done, approval: { decision: "allow_once" } }],
		});
	});

	it("is in the trail of a call that had begun when the agent asked", () => {
		const denied = trailOf(record(reported, started), { type: "ask", record: asked }, answer("deny"));
		expect(denied.slice(1)).toEqual([{ ...call, type: "tool.call.failed", by: "person", decision: "deny", reason: "person" }]);
	});

	it.for([
		["a denial", "deny"],
		["an allowance", "allow_once"],
	] as const)("names in %s what was asked, if that is not what the agent had reported", ([, decision], { expect }) => {
		const rm = { words: "rm -rf build", input: { text: '{"command":"rm -rf build"}', truncated: false } };
		const first: RunCommand = record({ ...reported, words: "Run tests" });
		const receipts = (words: typeof rm, by = answer(decision)) =>
			receiptsOf(first, { type: "ask", record: asked, asked: words }, by).map((receipt) => [receipt.words, receipt.input]);
		expect(receipts(rm)).toEqual([
			["Run tests", undefined],
			[rm.words, rm.input],
		]);
		const state = stateOf(first, { type: "ask", record: asked, asked: rm }, answer(decision));
		expect(state.trail && activityOfTrail(state.trail).items).toMatchObject([{ words: "rm -rf build" }]);
		expect(receipts(rm, { type: "cancel" })[1]).toEqual([rm.words, rm.input]);
		expect(receipts({ ...rm, words: "Run tests" })[1]).toEqual([undefined, rm.input]);
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
