import type { Receipt } from "@xworkmate/contracts";
import { cancelledWords, receiptWords } from "../strings/call-words.ts";
import { fill } from "../strings/interface.ts";
import { planCodeWords } from "../strings/plan-code-words.ts";
import { channelWords } from "../strings/plan-words.ts";
import { runEventLine, runReceiptLine, whoOf, wordOf } from "./decision-line.ts";

const titles = Object.fromEntries(Object.entries(planCodeWords).map(([code, { title }]) => [code, title]));

/** Like `runEventLine`, but for a receipt of a run or a plan. */
export function eventLine(receipt: Pick<Receipt, "type" | "detail">): string | undefined {
	return deliveryLine(receipt) ?? runEventLine(receipt);
}

/** A receipt of a run or a plan on one line. */
export function receiptLine(receipt: Receipt): string {
	return deliveryLine(receipt) ?? runReceiptLine(receipt);
}

/**
 * Why a message of a plan was not sent; undefined for any other receipt. Not part of `runEventLine`, because the page's first paint does
 * not need the words for plans.
 */
function deliveryLine({ type, detail = {} }: Pick<Receipt, "type" | "detail">): string | undefined {
	if (type === "delivery.cancelled") {
		const { by, decision } = detail;
		const why = decision === "cancel" ? fill(cancelledWords.plan, { who: whoOf(`${by}`) }) : cancelledWords.work;
		return `${receiptWords[type]}: ${why}`;
	}
	if (type !== "delivery.failed") return undefined;
	// A message that its channel refused for now has no code: it is tried again.
	const { code, channel, attempt } = detail;
	const why = wordOf(titles, code);
	const values = { channel: wordOf(channelWords, channel) ?? `${channel}`, count: `${attempt}` };
	return why && `${receiptWords[type]}: ${fill(why, values)}`;
}
