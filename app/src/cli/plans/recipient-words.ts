import type { DeliveryAction } from "@xworkmate/contracts";
import { plansPageWords } from "../../strings/plans/plans-page-words.ts";
import { builtFor } from "../../text/plans/built-for.ts";
import { toRecipient } from "../../text/plans/to-recipient.ts";
import { oneLine } from "../../text/printable.ts";

/** The words after a message's channel that say who gets it, such as " to anna". */
export function recipientWords({ channel, recipient }: Pick<DeliveryAction, "channel" | "recipient">): string {
	return toRecipient(channel, recipient === undefined ? undefined : oneLine(recipient, 64));
}

/**
 * Like `recipientWords`. If the message was built, names the recipient and address that it was built for, even if the contact has changed
 * since.
 */
export function addressedWords(action: DeliveryAction): string {
	const built = builtFor(action);
	if (built === undefined) return recipientWords(action);
	const { address, name } = built;
	const owner = address.startsWith("channel:") ? plansPageWords.usual : "you";
	return ` to ${name === undefined ? owner : oneLine(name, 64)} (${oneLine(address, 200)})`;
}
