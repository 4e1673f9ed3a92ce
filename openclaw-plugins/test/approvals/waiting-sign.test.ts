import { OpenClawApproval } from "@xworkmate/contracts";
import { describe, expect, it, vi } from "vitest";
import { showWaiting } from "../../src/approvals/waiting-sign.ts";
import { runRef } from "../support/run-refs.ts";

describe("a call that waits for a person", () => {
	it("is shown to the gateway as a tool at work, every minute, until it is answered", () => {
		vi.useFakeTimers();
		try {
			const { runId, sessionKey } = runRef(1);
			const approval = OpenClawApproval.parse({
				id: "a",
				runId,
				sessionKey,
				title: "exec make",
				toolKind: "execute",
				inputHash: "0".repeat(64),
				requestedAt: "2026-01-01T00:00:00.000Z",
			});
			const said: unknown[] = [];
			const waitIsOver = showWaiting(approval, ({ type, runId: whose, toolCallId }) => said.push([type, whose, toolCallId]));
			vi.advanceTimersByTime(10 * 60_000);
			waitIsOver();
			vi.advanceTimersByTime(10 * 60_000);
			expect(said).toEqual([
				...Array.from({ length: 11 }, () => ["tool.execution.started", runId, "approval:a"]),
				["tool.execution.completed", runId, "approval:a"],
			]);
		} finally {
			vi.useRealTimers();
		}
	});
});
