import { ApprovalId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { askedCall, liveRun, openCore, startRun, trailOf } from "./typed-calls.ts";

describe("someone who may not answer", () => {
	it("leaves a receipt in the run's chain, and decides nothing", async () => {
		await using core = await openCore();
		const runId = await startRun(core);
		const asked = await askedCall(core, runId);
		await core.service.refuseActor(asked.approvalId, "discord:mallory (999)");
		await liveRun(core, runId).durable();
		const [requested, refused, ...rest] = await trailOf(core, runId);
		expect(rest).toEqual([]);
		expect(refused).toMatchObject({
			n: 2,
			type: "approval.actor_refused",
			toolCallId: "call-1",
			toolId: "calendar.event.delete",
			inputHash: asked.inputHash,
			detail: { approvalId: asked.approvalId, actor: "discord:mallory (999)" },
			prevHash: requested?.hash,
		});
		expect((await core.service.approval(asked.approvalId)).record).toEqual(asked);
		const decided = await core.service.decideApproval(asked.approvalId, "allow_once", "discord:mira (200)");
		expect(decided).toMatchObject({ applied: true, record: { decision: "allow_once", decidedBy: "discord:mira (200)" } });
	});

	it("is refused at a request that there is not", async () => {
		await using core = await openCore();
		await expect(core.service.refuseActor(ApprovalId.parse("apr-0"), "discord:1")).rejects.toMatchObject({ code: "NOT_FOUND" });
	});

	it("leaves nothing in a run that has ended", async () => {
		await using core = await openCore();
		const runId = await startRun(core);
		const asked = await askedCall(core, runId);
		const over = core.until(runId, ({ event }) => event.type === "ended");
		await core.service.cancel(runId);
		await over;
		const before = await trailOf(core, runId);
		await core.service.refuseActor(asked.approvalId, "discord:1");
		expect(await trailOf(core, runId)).toEqual(before);
	});
});
