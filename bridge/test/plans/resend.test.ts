import { type DeliveryAction, type Grounding, type Occurrence, RequestId, Sha256 } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { holdRestored } from "../../src/plans/scheduler.ts";
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
	const again = async (requestId: string, to: { readonly recipient?: string; readonly toOwner?: true; readonly address?: string }) => {
		const made = await service.resend({ occurrenceId, actionIds, requestId: RequestId.parse(requestId), ...to });
		return made.delivery.map(({ recipient }) => recipient);
	};
	expect(await again("to-owner", { toOwner: true })).toEqual([undefined]);
	expect(await again("to-ben", { recipient: "ben" })).toEqual(["ben"]);
	await expect(again("moved", { address: "another" })).rejects.toMatchObject({
		code: "PAYLOAD_CHANGED",
		message: expect.stringContaining("another address"),
	});
	expect(await again("as-before", { address: "dashboard" })).toEqual(["anna"]);
	// Each of these is still open.
	await expect(again("to-owner-twice", { toOwner: true })).rejects.toMatchObject({ code: "NOTHING_TO_SEND" });
	await expect(again("to-both", { recipient: "ben", toOwner: true })).rejects.toMatchObject({ code: "INVALID_PARAMS" });
});

it("asks before it sends a message again that failed before a backup that was restored, to whomever it goes", async () => {
	await using scene = await openPlanScene("2026-03-02T12:00:00.000Z");
	const { service, log, store } = scene;
	const failing = async () => {
		const { planId } = await scene.create({});
		const { occurrenceId, delivery } = await service.run({ planId, requestId: RequestId.parse("by-hand") });
		await log.tryChange(planId, ({ open }: PlanState) => {
			const occurrence = open[0]?.occurrence;
			const [message] = occurrence?.delivery ?? [];
			if (occurrence === undefined || message === undefined) throw new Error("there is no open message");
			const action: DeliveryAction = { ...message, status: "failed", code: "RECIPIENT_REFUSED" };
			const over: Occurrence = { ...occurrence, status: "failed", code: "DELIVERY_FAILED", delivery: [action] };
			return [{ body: { kind: "task:delivery", occurrence: over, action }, claims: {} }];
		});
		return { planId, occurrenceId, actionIds: delivery.map(({ actionId }) => actionId) };
	};
	const [before, deleted] = [await failing(), await failing()];
	await service.delete({ planId: deleted.planId });
	await holdRestored({ ...scene, catchUpMs: 60_000 });
	expect(await store.findOccurrence(before.occurrenceId)).toMatchObject({
		status: "failed",
		code: "DELIVERY_FAILED",
		delivery: [{ status: "failed", code: "RECIPIENT_REFUSED", mayHaveBeenSent: true }],
	});
	expect((await store.findOccurrence(deleted.occurrenceId))?.delivery[0]).not.toHaveProperty("mayHaveBeenSent");
	const { lastSeq } = await service.get(before);
	await holdRestored({ ...scene, catchUpMs: 60_000 });
	expect(await service.get(before)).toMatchObject({ lastSeq });
	const again = (requestId: string, more: object) =>
		service.resend({ occurrenceId: before.occurrenceId, actionIds: before.actionIds, requestId: RequestId.parse(requestId), ...more });
	for (const [index, to] of [{}, { recipient: "anna" }].entries())
		await expect(again(`unasked-${index}`, to)).rejects.toMatchObject({
			code: "NOTHING_TO_SEND",
			message: expect.stringContaining("may have been sent after the restored backup"),
		});
	const made = await again("asked", { allowDuplicate: true });
	expect(made.delivery).toMatchObject([{ status: "pending" }]);
	expect(made.delivery[0]).not.toHaveProperty("mayHaveBeenSent");
	const { planId: _later, ...later } = await failing();
	expect(await service.resend({ ...later, requestId: RequestId.parse("later") })).toMatchObject({ kind: "resend" });
});

it.each(["DISCARDED", "CANCELLED"] as const)("asks before it sends a message after all that was %s after a restore", async (code) => {
	await using scene = await openPlanScene("2026-03-02T12:00:00.000Z");
	const { service, log } = scene;
	const { planId } = await scene.create({});
	const { occurrenceId, delivery, revision } = await service.run({ planId, requestId: RequestId.parse("by-hand") });
	await log.tryChange(planId, ({ open }: PlanState) => {
		const occurrence = open[0]?.occurrence;
		if (occurrence === undefined) throw new Error("there is no open message");
		const held = delivery.map((action) => ({ ...action, status: "needs_review" as const, code: "STORE_RESTORED" as const }));
		return [{ body: { kind: "task:review", occurrence: { ...occurrence, status: "needs_review", delivery: held } }, claims: {} }];
	});
	if (code === "CANCELLED") await service.cancel({ planId, occurrenceId });
	else await service.review({ occurrenceId, revision, decision: "discard" });
	const actionIds = delivery.map(({ actionId }) => actionId);
	const again = (requestId: string, more: object) =>
		service.resend({ occurrenceId, actionIds, requestId: RequestId.parse(requestId), ...more });
	await expect(again("unasked", {})).rejects.toMatchObject({
		code: "NOTHING_TO_SEND",
		message: expect.stringContaining("may have been sent after the restored backup"),
	});
	expect((await again("asked", { allowDuplicate: true })).delivery).toMatchObject([{ status: "pending" }]);
});

it("keeps what the text of a message was held for when it is sent again, and not what its channel or its time was", async () => {
	await using scene = await openPlanScene("2026-03-02T12:00:00.000Z");
	const { service, log } = scene;
	const { planId } = await scene.create({});
	const { occurrenceId, delivery } = await service.run({ planId, requestId: RequestId.parse("by-hand") });
	await log.tryChange(planId, ({ open }: PlanState) => {
		const occurrence = open[0]?.occurrence;
		const [message] = occurrence?.delivery ?? [];
		if (occurrence === undefined || message === undefined) throw new Error("there is no open message");
		const heldFor = ["UNVERIFIED_CLAIM", "CHANNEL_AUTH", "LINT_HEADING", "WORK_UNVERIFIED", "STORE_RESTORED"] as const;
		const action: DeliveryAction = { ...message, status: "failed", code: "RECIPIENT_REFUSED", heldFor: [...heldFor] };
		const over: Occurrence = { ...occurrence, status: "failed", code: "DELIVERY_FAILED", delivery: [action] };
		return [{ body: { kind: "task:delivery", occurrence: over, action }, claims: {} }];
	});
	const actionIds = delivery.map(({ actionId }) => actionId);
	const made = await service.resend({ occurrenceId, actionIds, requestId: RequestId.parse("again") });
	expect(made.delivery).toMatchObject([{ status: "pending", heldFor: ["UNVERIFIED_CLAIM", "LINT_HEADING", "WORK_UNVERIFIED"] }]);
});

describe("a message that was held and not sent, and is then sent after all", () => {
	const text = "I booked the table.";
	const deliverable = { text, sha256: Sha256.parse("a".repeat(64)), source: "model" } as const;
	const claim: Grounding = { state: "unverified", problems: [{ code: "CLAIM_WITHOUT_ACTION", start: 0, end: text.length }] };
	const run = { threadId: "thread", turnId: "turn", status: "completed" } as never;
	const doubt = "The agent reports doing something that was denied.";
	const doubted = { runs: [{ ...(run as object), message: doubt }] } as never;

	it.each<[string, Partial<DeliveryAction>, Partial<Occurrence>, object]>([
		["discarded, with a claim", {}, { grounding: claim }, { status: "needs_review", code: "UNVERIFIED_CLAIM" }],
		["cancelled, with a claim", { code: "CANCELLED" }, { grounding: claim }, { status: "needs_review", code: "UNVERIFIED_CLAIM" }],
		["discarded, of work in doubt", {}, doubted, { status: "needs_review", code: "WORK_UNVERIFIED", message: doubt }],
		[
			"whose text was kept when another was edited",
			{ content: text },
			{ grounding: claim },
			{ status: "needs_review", code: "UNVERIFIED_CLAIM" },
		],
		["discarded, with nothing against it", {}, { runs: [run] }, { status: "pending" }],
		["written by the user", { content: "Call mom" }, { grounding: claim }, { status: "pending" }],
		[
			"that the user approved, and that was refused",
			{ code: "RECIPIENT_REFUSED", payloadHash: deliverable.sha256 },
			{ grounding: claim },
			{ status: "pending" },
		],
		["edited by the user", {}, { grounding: claim, deliverable: { ...deliverable, source: "person" } }, { status: "pending" }],
	])("%s: it waits for the user only if no one has approved it", async (_what, change, more, expected) => {
		await using scene = await openPlanScene("2026-03-02T12:00:00.000Z");
		const { service, log } = scene;
		const { planId } = await scene.create({});
		const { occurrenceId, delivery } = await service.run({ planId, requestId: RequestId.parse("by-hand") });
		await log.tryChange(planId, ({ open }: PlanState) => {
			const occurrence = open[0]?.occurrence;
			if (occurrence === undefined) throw new Error("there is no open message");
			const { content: _content, ...message } = { ...delivery[0] } as DeliveryAction;
			const action: DeliveryAction = { ...message, status: "failed", code: "DISCARDED", ...change };
			const over: Occurrence = { ...occurrence, deliverable, ...more, status: "failed", code: "DELIVERY_FAILED", delivery: [action] };
			return [{ body: { kind: "task:review", occurrence: over, action }, claims: {} }];
		});
		const actionIds = delivery.map(({ actionId }) => actionId);
		const made = await service.resend({ occurrenceId, actionIds, requestId: RequestId.parse("after-all") });
		expect(made.delivery).toMatchObject([expected]);
		expect(made.status).toBe("status" in expected && expected.status === "pending" ? "delivering" : "needs_review");
	});
});
