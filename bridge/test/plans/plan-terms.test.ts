import { type DeliveryAction, type Occurrence, RequestId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { PlanState } from "../../src/ports/plans/plan-event.ts";
import { openPlanScene } from "./plan-scene.ts";

it("says what the plan asks for, whatever was resent, and what it will ask for once it is changed", async () => {
	await using scene = await openPlanScene("2026-03-02T12:00:00.000Z");
	const { service, log } = scene;
	const delivery = [
		{ channel: "dashboard", recipient: "anna", content: "Call mom" },
		{ channel: "dashboard", content: "Call mom" },
	] as const;
	const asked = { work: [{ description: "Read" }], delivery };
	const { planId, terms, revision } = await scene.create({ work: [{ description: "Read" }], delivery: [...delivery] });
	expect(terms).toEqual(asked);
	const { occurrenceId, delivery: messages } = await service.run({ planId, requestId: RequestId.parse("by-hand") });
	await log.tryChange(planId, ({ open }: PlanState) => {
		const occurrence = open[0]?.occurrence;
		const [message] = messages;
		if (occurrence === undefined || message === undefined) throw new Error("there is no open message");
		const action: DeliveryAction = { ...message, status: "failed", code: "NOT_SENT" };
		const over: Occurrence = { ...occurrence, status: "failed", code: "DELIVERY_FAILED", delivery: [action, ...messages.slice(1)] };
		return [{ body: { kind: "task:delivery", occurrence: over, action }, claims: {} }];
	});
	const actionIds = messages.slice(0, 1).map(({ actionId }) => actionId);
	await service.resend({ occurrenceId, actionIds, requestId: RequestId.parse("to-ben"), recipient: "ben" });
	const resent = await service.get({ planId });
	expect(resent.delivery).toMatchObject([{ recipient: "ben" }]);
	expect(resent.terms).toEqual(asked);
	const change = { delivery: [{ channel: "dashboard", recipient: "carl", content: "Call dad" }] } as const;
	const changed = await service.update({ planId, revision, change: { delivery: [...change.delivery] } });
	expect(changed.terms).toEqual({ ...asked, ...change });
	expect((await service.list({ limit: 10 })).items.map((plan) => plan.terms)).toEqual([{ ...asked, ...change }]);
});
