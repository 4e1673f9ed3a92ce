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
	await expect(again("fourth")).rejects.toMatchObject({ code: "NOTHING_TO_SEND", message: expect.stringContaining("already been resent") });
});

it("sends a message again to its earlier recipient, to another contact, or to the channel's owner", async () => {
	await using scene = await openPlanScene("2026-03-02T12:00:00.000Z");
	const { service, log } = scene;
	const { planId } = await scene.create({ delivery: [{ channel: "dashboard", recipient: "anna", content: "Call mom" }] });
	const { occurrenceId, delivery } = await service.run({ planId, requestId: RequestId.parse("by-hand") });
	await log.tryChange(planId, ({ open }: PlanState) => {
		const occurrence = open[0]?.occurrence;
		const [message] = occurrence?.delivery ?? [];
		if (occurrence === undefined || message === undefined) throw new Error("there is no open message");
		const action: DeliveryAction = { ...message, status: "failed", code: "NOT_SENT" };
		const over: Occurrence = { ...occurrence, status: "failed", code: "DELIVERY_FAILED", delivery: [action] };
		return [{ body: { kind: "task:delivery", occurrence: over, action }, claims: {} }];
	});
	const actionIds = delivery.map(({ actionId }) => actionId);
	const again = async (requestId: string, to: { readonly recipient?: string; readonly toOwner?: true }) => {
		const made = await service.resend({ occurrenceId, actionIds, requestId: RequestId.parse(requestId), ...to });
		return made.delivery.map(({ recipient }) => recipient);
	};
	expect(await again("to-owner", { toOwner: true })).toEqual([undefined]);
	expect(await again("to-ben", { recipient: "ben" })).toEqual(["ben"]);
	expect(await again("as-before", {})).toEqual(["anna"]);
	// Each of these is still open.
	await expect(again("to-owner-twice", { toOwner: true })).rejects.toMatchObject({ code: "NOTHING_TO_SEND" });
	await expect(again("to-both", { recipient: "ben", toOwner: true })).rejects.toMatchObject({ code: "INVALID_PARAMS" });
});
