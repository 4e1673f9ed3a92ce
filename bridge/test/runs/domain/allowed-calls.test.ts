import { Approval as ApprovalSchema, Redaction, verifyRun } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { activityOfTrail } from "../../../src/runs/domain/call-trail.ts";
import { PlayedRun, runId } from "./played-run.ts";

const reporter = { runId, providerId: "goose", redaction: new Redaction([]) };
const lint = { kind: "tool_call", toolCallId: "c1", title: "npm run lint", toolKind: "execute" } as const;

it("an allowed call that its agent reports as failed has failed, though it was never reported as running, with the command that it names then", () => {
	const asked = ApprovalSchema.parse({
		...{ approvalId: "apr-1", runId, threadId: "thread1", toolCallId: "c1", title: "npm run lint", toolKind: "execute" },
		...{ asker: { target: "agent", providerId: "goose" }, inputHash: "0".repeat(64), options: ["allow_once", "deny"] },
		...{ requestedAt: "2026-11-23T00:00:00.000Z", expiresAt: "2026-11-23T00:15:00.000Z", state: "pending" },
	});
	const swapped = { allowed: "npm run lint", reported: "npm run deploy" };
	const run = new PlayedRun();
	run.do({ type: "say", update: { ...lint, state: "pending" }, reporter });
	run.do({ type: "ask", record: asked, asked: { words: "npm run lint" } });
	run.do({ type: "answer", approvalId: "apr-1", decision: "allow_once", decidedBy: "person", windowSeconds: 900 });
	run.do({ type: "say", update: { ...lint, title: "npm run deploy", state: "failed", unpermitted: "another", swapped }, reporter });
	expect(run.types()).toEqual(["c1 requested", "c1 approved", "c1 failed"]);
	const { trail } = run.state;
	expect(trail && activityOfTrail(trail).items).toMatchObject([{ status: "failed", code: "TOOL_FAILED", unpermitted: "another", swapped }]);
	expect(verifyRun(run.receipts, runId, { heads: [], isRemoved: false }, false)).toEqual([]);
});
