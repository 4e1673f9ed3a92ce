import { expect, it } from "vitest";
import { decideCancel } from "../../../src/plans/domain/decide-occurrence.ts";
import { deliveryReceipts } from "../../../src/plans/domain/delivery-receipts.ts";
import { openOne } from "../../store/contracts/plan-fixture.ts";
import { done, Story } from "./plan-story.ts";

const heldByChannel = { kind: "held", code: "CHANNEL_AUTH", message: "no", fix: "sign in" } as const;

it("a message that waited for a review and is cancelled with its plan has a receipt that says so, and by whom", () => {
	const story = new Story([{ channel: "email" }]).due().worked(done("The answer"));
	story.sent(0, heldByChannel);
	expect(story.statuses).toEqual(["needs_review CHANNEL_AUTH"]);
	const receipts = decideCancel(openOne(story.state), "person").flatMap((event) => deliveryReceipts(story.state, event));
	expect(receipts).toEqual([
		{
			type: "delivery.cancelled",
			origin: "executed",
			detail: expect.objectContaining({ status: "failed", code: "CANCELLED", by: "person", decision: "cancel" }),
		},
	]);
});

it("a message whose work was stopped is cancelled too, and one whose work failed is not sent", () => {
	const ended = (status: "cancelled" | "failed") => {
		const story = new Story([{ channel: "email" }]).due();
		const before = story.state;
		story.worked({ run: { status }, output: "" });
		const { newest } = story;
		if (newest === undefined) throw new Error("nothing came due");
		return deliveryReceipts(before, { body: { kind: "task:result", occurrence: newest, output: "", work: [] } } as never);
	};
	expect(ended("cancelled")).toEqual([
		{ type: "delivery.cancelled", origin: "executed", detail: expect.objectContaining({ code: "CANCELLED" }) },
	]);
	expect(ended("failed")).toEqual([
		{ type: "delivery.failed", origin: "executed", detail: expect.objectContaining({ code: "WORK_FAILED" }) },
	]);
});
