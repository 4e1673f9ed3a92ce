import type { DeliveryAction, Occurrence } from "@xworkmate/contracts";
import { channelWords } from "../../strings/plans/plan-words.ts";
import { recipientWords } from "./recipient-words.ts";

type Messages = Pick<Occurrence, "occurrenceId" | "delivery">;

/**
 * The id by which a printed command names a message: its own if its due time has several messages, so that the command does nothing to the
 * others; otherwise, or without a message, the due time's.
 */
export function idInCommand({ occurrenceId, delivery }: Messages, action?: DeliveryAction): string {
	return action !== undefined && delivery.length > 1 ? action.actionId : occurrenceId;
}

/** The words that name a message, such as "Email to anna". */
export function messageName(action: DeliveryAction): string {
	return `${channelWords[action.channel]}${recipientWords(action)}`;
}

/** Which message a command is for, in parentheses; empty if the message's due time has no other message. */
export function whichMessage({ delivery }: Messages, action: DeliveryAction): string {
	return delivery.length > 1 ? ` (${messageName(action)})` : "";
}
