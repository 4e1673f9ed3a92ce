import { type DeliveryAction, type Occurrence, RequestId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { PlanState } from "../../src/ports/plans/plan-event.ts";
import { openPlanScene } from "./plan-scene.ts";

it("does not send a message a third time without asking, if its repeat was recorded as not sent and delivered after all", async () => {
	await using scene = await openPlanScene("2026-03-02T12:00:00.000Z");
	const { service, log } = scene;
	const { planId } = await scene.create({});
	const ended = async ({ occurrenceId }: Occurrence, change: Partial<DeliveryAction>) => {
		await log.tryChange(planId, ({ open }: PlanState) => {
			const occurrence = open.find((one) => one.occurrence.occurrenceId === occurrenceId)?.occurrence;
			const [message] = occurrence?.delivery ?? [];
			if (occurrence === undefined || message === undefined) throw new Error("there is no open message");
			const action: DeliveryAction = { ...message, status: "failed", code: "NOT_SENT", ...change };
			const over: Occurrence = { ...occurrence, status: "failed", code: "DELIVERY_FAILED", delivery: [action] };
			return [{ body: { kind: "task:delivery", occurrence: over, action }, claims: {} }];
		});
	};
	const first = await service.run({ planId, requestId: RequestId.parse("by-hand") });
	await ended(first, {});
	const actionIds = first.delivery.map(({ actionId }) => actionId);
	const again = (requestId: string) =>
		service.resend({ occurrenceId: first.occurrenceId, actionIds, requestId: RequestId.parse(requestId) });
	await ended(await again("second"), {});
	await ended(await again("third"), { proof: "delivered" });
	await expect(again("fourth")).rejects.toMatchObject({ code: "NOTHING_TO_SEND", message: expect.stringContaining("sent again already") });
});
