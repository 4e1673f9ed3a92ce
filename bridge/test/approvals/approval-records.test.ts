import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { timestamp } from "../../src/ports/clock.ts";
import type { RunEvent } from "../../src/ports/runs/run-event.ts";
import { decide, type RunCommand } from "../../src/runs/domain/decide.ts";
import { apply, initialState } from "../../src/runs/domain/run-state.ts";
import { Core, ended, say } from "../runs/core-fixture.ts";
import { command } from "../runs/domain/arbitrary.ts";
import { trailOf } from "./typed-calls.ts";

/** The events of a run that has started, whatever is asked of it then. */
function eventsOf(commands: readonly RunCommand[]): RunEvent[] {
	let state = initialState;
	return [{ type: "accept" } as const, { type: "start", budgetMs: 60_000 } as const, ...commands].flatMap((step, index) => {
		const events = decide(state, step, index * 1_000);
		for (const event of events) state = apply(state, { seq: state.lastSeq + 1, at: timestamp(index * 1_000), event });
		return events;
	});
}

describe("an approval's record", () => {
	it("has an outcome once the turn has ended, and only one", () => {
		fc.assert(
			fc.property(fc.array(command, { maxLength: 30, size: "max" }), (commands) => {
				const events = eventsOf([...commands, { type: "end_provider", outcome: { kind: "ended" } }]);
				const records = events.flatMap((event) => (event.type === "approval" ? [event.record] : []));
				const byId = Map.groupBy(records, (record) => record.approvalId);
				for (const states of byId.values()) {
					const asked = states.filter(({ state }) => state === "pending").length;
					expect(states.at(-1)?.state).not.toBe("pending");
					expect(states.filter(({ state }) => state !== "pending").length).toBeLessThanOrEqual(asked);
				}
			}),
			{ numRuns: 500 },
		);
	});

	it("leaves a receipt that names what was asked, without secrets, and not what its call was reported as", async () => {
		const secret = `ghp_${"a1B2".repeat(9)}`;
		await using core = await Core.open(async (_turn, sink) => {
			const call = { toolCallId: "tool-1", toolKind: "execute" } as const;
			await sink.emit({ kind: "tool_call", ...call, title: "Run tests", state: "pending" });
			const input = { text: `rm -rf build ${secret}`, truncated: false };
			const hash = { inputHash: "0".repeat(64) };
			await sink.requestPermission({ ...call, ...hash, title: `rm ${secret}`, input, options: ["allow_once", "deny"] });
			return ended;
		});
		const runId = await core.submit("t1");
		const { event } = await core.until(runId, (logged) => logged.event.type === "approval");
		if (event.type !== "approval") throw new Error("no approval was asked for");
		await core.service.decideApproval(event.record.approvalId, "deny", "person");
		await core.settled(runId);
		const receipts = await trailOf(core, runId);
		expect(receipts.map(({ type, words, input }) => [type, words, input?.text])).toEqual([
			["tool.call.requested", "Run tests", undefined],
			["tool.call.denied", "rm [redacted]", "rm -rf build [redacted]"],
		]);
		expect((await core.service.snapshot(runId)).activity?.items).toMatchObject([{ status: "denied", words: "rm [redacted]" }]);
	});

	it("keeps the first decision against one that comes after the run", async () => {
		await using core = await Core.open(async (_turn, sink) => {
			const { decision } = await sink.requestPermission({
				title: "Write a file",
				toolKind: "edit",
				inputHash: "0".repeat(64),
				options: ["allow_once", "deny"],
			});
			await say(sink, decision);
			return ended;
		});
		const runId = await core.submit("t1");
		const { event } = await core.until(runId, (logged) => logged.event.type === "approval");
		if (event.type !== "approval") throw new Error("no approval was asked for");
		const { approvalId } = event.record;
		await expect(core.service.decideApproval(approvalId, "deny", "a person")).resolves.toMatchObject({ applied: true });
		await core.settled(runId);
		const late = await core.service.decideApproval(approvalId, "allow_once", "somebody else");
		expect(late).toMatchObject({ applied: false, record: { state: "decided", decision: "deny", decidedBy: "a person" } });
	});
});
