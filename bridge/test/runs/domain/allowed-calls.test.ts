import { Approval as ApprovalSchema, Redaction, type ToolCall, verifyRun } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { activityOfTrail } from "../../../src/runs/domain/call-trail.ts";
import { PlayedRun, runId } from "./played-run.ts";

const reporter = { runId, providerId: "goose", redaction: new Redaction([]) };
const lint = { kind: "tool_call", toolCallId: "c1", title: "npm run lint", toolKind: "execute" } as const;

/** A run in which a call was allowed, and in which its agent then reports this of it. */
function played(update: Partial<ToolCall>): PlayedRun {
	const run = new PlayedRun();
	const asked = ApprovalSchema.parse({
		...{ approvalId: "apr-1", runId, threadId: "thread1", toolCallId: "c1", title: "npm run lint", toolKind: "execute" },
		...{ asker: { target: "agent", providerId: "goose" }, inputHash: "0".repeat(64), options: ["allow_once", "deny"] },
		...{ requestedAt: "2026-11-23T00:00:00.000Z", expiresAt: "2026-11-23T00:15:00.000Z", state: "pending" },
	});
	run.do({ type: "say", update: { ...lint, state: "pending" }, reporter });
	run.do({ type: "ask", record: asked, asked: { words: "npm run lint" } });
	run.do({ type: "answer", approvalId: "apr-1", decision: "allow_once", decidedBy: "person", windowSeconds: 900 });
	run.do({ type: "say", update: { ...lint, state: "pending", ...update }, reporter });
	return run;
}

it("an allowed call that its agent reports as failed has failed, though it was never reported as running, with the command that it names then", () => {
	const swapped = { allowed: "npm run lint", reported: "npm run deploy" };
	const run = played({ title: "npm run deploy", state: "failed", unpermitted: "another", swapped });
	expect(run.types()).toEqual(["c1 requested", "c1 approved", "c1 failed"]);
	const { trail } = run.state;
	expect(trail && activityOfTrail(trail).items).toMatchObject([{ status: "failed", code: "TOOL_FAILED", unpermitted: "another", swapped }]);
	expect(verifyRun(run.receipts, runId, { heads: [], isRemoved: false }, false)).toEqual([]);
});

it.each(["pending", "running"] as const)(
	"one that it last reports as something else and as %s is unknown, and not as it was allowed",
	(state) => {
		const swapped = { allowed: "npm run lint", reported: "npm run deploy" };
		const run = played({ title: "npm run deploy", state, unpermitted: "another", swapped });
		expect(run.types().at(-1)).toBe("c1 unknown");
		const { trail } = run.state;
		expect(trail && activityOfTrail(trail).items).toMatchObject([
			{ status: "unknown", code: "NOT_REPORTED", unpermitted: "another", swapped },
		]);
		expect(verifyRun(run.receipts, runId, { heads: [], isRemoved: false }, false)).toEqual([]);
	},
);
