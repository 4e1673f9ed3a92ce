import type { Receipt } from "@xworkmate/contracts";
import { cancelledWords, receiptWords } from "../../strings/calls/call-words.ts";
import { fill } from "../../strings/interface.ts";
import { messageDecisionWords } from "../../strings/plans/message-decision-words.ts";
import { planCodeWords } from "../../strings/plans/plan-code-words.ts";
import { channelWords } from "../../strings/plans/plan-words.ts";
import { runEventLine, runReceiptLine, whoOf, wordOf } from "../calls/decision-line.ts";
import { toRecipient } from "../plans/to-recipient.ts";

const titles = Object.fromEntries(Object.entries(planCodeWords).map(([code, { title }]) => [code, title]));

/** Like `runEventLine`, but for a receipt of a run or a plan. */
export function eventLine(receipt: Pick<Receipt, "type" | "detail">): string | undefined {
	return deliveryLine(receipt) ?? runEventLine(receipt);
}

/** A receipt of a run or a plan on one line. */
export function receiptLine(receipt: Receipt): string {
	return deliveryLine(receipt) ?? runReceiptLine(receipt);
}

/** "Outcome recorded (Email to anna): you recorded that it arrived". Undefined if there is nothing to say beyond the receipt's type. */
function deliveryLine(receipt: Pick<Receipt, "type" | "detail">): string | undefined {
	const [message, why] = [messageLine(receipt), messageEndLine(receipt)];
	if (message === undefined && why === undefined) return undefined;
	return `${receiptWords[receipt.type]}${message === undefined ? "" : ` (${message})`}${why === undefined ? "" : `: ${why}`}`;
}

/**
 * The message that a plan's receipt is about, by its channel and its recipient as recorded: "Email to anna". Undefined for any other
 * receipt, and if the receipt does not name them.
 */
export function messageLine({ type, detail = {} }: Pick<Receipt, "type" | "detail">): string | undefined {
	const { channel, recipient } = detail;
	if (!type.startsWith("delivery.") || channel === undefined) return undefined;
	return `${wordOf(channelWords, channel) ?? channel}${toRecipient(`${channel}`, recipient === undefined ? undefined : `${recipient}`)}`;
}

/**
 * Why a message of a plan was not sent, or what the user recorded or decided about it; undefined for any other receipt. Not part of
 * `runEventLine`, because the page's first paint does not need the words for plans.
 */
export function messageEndLine({ type, detail = {} }: Pick<Receipt, "type" | "detail">): string | undefined {
	const { by, decision, code, channel, attempt } = detail;
	if (type === "delivery.cancelled")
		return decision === "cancel" ? fill(cancelledWords.plan, { who: whoOf(`${by}`) }) : cancelledWords.work;
	if (type === "delivery.settled" || type === "delivery.reviewed") {
		const said = wordOf(messageDecisionWords, decision);
		return said && fill(said, { who: whoOf(`${by}`) });
	}
	if (type !== "delivery.failed") return undefined;
	// A receipt without a code: the channel refused the message for now, and it will be tried again.
	const why = wordOf(titles, code);
	return why && fill(why, { channel: wordOf(channelWords, channel) ?? `${channel}`, count: `${attempt}` });
}
