import { DeliveryAction } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { planReviewOutcome } from "../../src/operator/discord/text/review-plan.ts";

it("a message that was recorded as not sent and delivered after all is not called unsent", () => {
	const lost = { channel: "whatsapp", actionId: "plan1-2-1", status: "failed", code: "NOT_SENT", settledBy: "person", attempts: 1 };
	const later = [{ at: "2026-04-01T09:00:00.000Z", message: "The channel reports that the message was delivered after all." }];
	const outcome = (change: object) => planReviewOutcome(DeliveryAction.parse({ ...lost, ...change }), { status: "failed" }, "Plan", "you");
	expect(outcome({})).toBe("**Not sent, as you recorded**: By WhatsApp to you, Plan");
	expect(outcome({ proof: "delivered", later })).toBe(
		"**Delivered**: By WhatsApp to you, Plan\nThe channel reports that the message was delivered after all\\.",
	);
});
