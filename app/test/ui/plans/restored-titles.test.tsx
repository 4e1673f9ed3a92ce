import { expect, it } from "vitest";
import { occurrenceStatusOf, shownCodeOf } from "../../../src/strings/plans/plan-words.ts";
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

it.each(["DISCARDED", "CANCELLED"] as const)(
	"does not say only that a message was dropped that may have been sent since a backup: %s",
	(dropped) => {
		const code = dropped === "DISCARDED" ? "DELIVERY_FAILED" : "CANCELLED";
		const of = (change: object) =>
			occurrence({
				status: code === "CANCELLED" ? "cancelled" : "failed",
				code,
				delivery: [action({ status: "failed", code: dropped, ...change })],
			});
		const told = (change: object) => {
			const one = of(change);
			const shown = shownCodeOf(one);
			return shown === undefined ? occurrenceStatusOf(one) : occurrenceTitle(shown, one);
		};
		expect(told({ mayHaveBeenSent: true })).toBe("May have been sent");
		expect(occurrenceMeaning(code, of({ mayHaveBeenSent: true }))).toBeUndefined();
		expect(told({})).toMatch(/^(?:discarded|Cancelled)$/);
	},
);
