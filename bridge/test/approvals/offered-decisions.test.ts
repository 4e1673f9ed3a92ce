import type { ApprovalDecision } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { notOffered } from "../../src/approvals/not-offered.ts";
import { Core, ended, say } from "../runs/core-fixture.ts";

it("takes no decision that was not offered, and waits on", async () => {
	await using core = await Core.open(async (_turn, sink) => {
		const request = { title: "Run ls", toolKind: "execute", inputHash: "0".repeat(64), options: ["allow_once", "deny"] } as const;
		const { decision } = await sink.requestPermission(request);
		await say(sink, decision);
		return ended;
	});
	const runId = await core.submit("t1");
	const { event } = await core.until(runId, (logged) => logged.event.type === "approval");
	if (event.type !== "approval") throw new Error("no approval was asked for");
	const decide = (decision: ApprovalDecision) => core.service.decideApproval(event.record.approvalId, decision, "a person");
	await expect(decide("allow_window")).rejects.toMatchObject({
		code: "INVALID_PARAMS",
		detail: "This request can only be allowed once or denied.",
		fix: "Answer it in one of these ways, or let it expire.",
	});
	expect((await core.service.snapshot(runId)).pendingApprovals).toMatchObject([{ state: "pending" }]);
	expect(await decide("deny")).toMatchObject({ applied: true, record: { decision: "deny" } });
	expect((await core.settled(runId)).output?.text).toBe("deny");
});

it("says of a request that can only be denied what to do, not that a parameter is wrong", () => {
	expect(notOffered(["deny"])).toMatchObject({
		detail: "This request can only be denied.",
		fix: "Its agent offers no way to allow it only once, so deny it or let it expire.",
	});
});
