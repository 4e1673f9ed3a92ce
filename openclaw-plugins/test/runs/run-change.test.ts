import { isOpenClawEnd } from "@xworkmate/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyRunChange, type RunChange } from "../../src/runs/run-change.ts";
import { RunRecord, toTask } from "../../src/runs/run-record.ts";
import { runRef } from "../support/run-refs.ts";

const at = "2026-01-01T00:00:00.000Z";
const prepared: RunRecord = RunRecord.parse({
	schemaVersion: 1,
	...runRef(1),
	workspaceDirectory: "/w",
	artifactDirectory: `/w/${runRef(1).artifactScope}`,
	state: "prepared",
	cancelRequested: false,
	preparedAt: at,
	evidence: { named: [], backgroundTasks: [], reportedTasks: [], exclusive: true },
});

const changes: fc.Arbitrary<RunChange> = fc.oneof(
	fc.constantFrom<RunChange>({ kind: "begun" }, { kind: "cancel_requested" }, { kind: "lost" }, { kind: "collected" }),
	fc.record({
		kind: fc.constant("ended" as const),
		state: fc.constantFrom("completed" as const, "failed" as const, "cancelled" as const),
		text: fc.string(),
	}),
);

describe("a run's state", () => {
	it("never changes again once it has ended, whatever is said later", () => {
		fc.assert(
			fc.property(fc.array(changes), fc.array(changes), (before, after) => {
				const ended = before.reduce((record, change) => applyRunChange(record, change, at), prepared);
				fc.pre(isOpenClawEnd(ended.state));
				const later = after.reduce((record, change) => applyRunChange(record, change, "2026-01-02T00:00:00.000Z"), ended);
				expect({ ...toTask(later), collected: false }).toEqual({ ...toTask(ended), collected: false });
			}),
		);
	});

	it("takes the first end: OpenClaw says `end, aborted` and then `error` for one abort", () => {
		const running = applyRunChange(prepared, { kind: "begun" }, at);
		const aborted = applyRunChange(running, { kind: "ended", state: "cancelled" }, at);
		expect(applyRunChange(aborted, { kind: "ended", state: "failed", error: "This operation was aborted" }, at)).toBe(aborted);
		expect(aborted).toMatchObject({ state: "cancelled", startedAt: at, endedAt: at });
	});

	it("[T4-19] is cancelled by the request alone while it has not begun, and waits for the end when it has", () => {
		expect(applyRunChange(prepared, { kind: "cancel_requested" }, at)).toMatchObject({ state: "cancelled", cancelRequested: true });
		const running = applyRunChange(prepared, { kind: "begun" }, at);
		expect(applyRunChange(running, { kind: "cancel_requested" }, at)).toMatchObject({ state: "running", cancelRequested: true });
	});

	it("cuts long words between characters and says how long they were", () => {
		const { output } = applyRunChange(prepared, { kind: "ended", state: "completed", text: "ä".repeat(200_000) }, at);
		expect(output).toMatchObject({ truncated: true, totalBytes: 400_000 });
		expect(Buffer.byteLength(output?.text ?? "")).toBe(256 * 1024);
		expect(output?.text).not.toContain("\ufffd");
	});
});
