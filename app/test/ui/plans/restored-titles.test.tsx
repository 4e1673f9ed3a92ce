import { expect, it } from "vitest";
import { occurrenceMeaning, occurrenceTitle } from "../../../src/text/plans/code-title.ts";
import { action, occurrence } from "../plan-stories.ts";

it("does not say that nothing was sent of a message that may have been sent since a backup, unless it is known to have arrived", () => {
	const failed = { status: "failed", code: "RECIPIENT_REFUSED", mayHaveBeenSent: true };
	const of = (change: object) => occurrence({ delivery: [action({ ...failed, ...change })] });
	const meaning = (change: object) => occurrenceMeaning("DELIVERY_FAILED", of(change));
	expect(meaning({})).toBeUndefined();
	expect(meaning({ mayHaveBeenSent: undefined })).toBe("The message was not sent.");
	const title = (change: object) => occurrenceTitle("DELIVERY_FAILED", of(change));
	expect(title({})).toBe("May have been sent");
	expect(title({ proof: "delivered" })).not.toBe("May have been sent");
});
