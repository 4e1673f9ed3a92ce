import type { DeliveryAction } from "@xworkmate/contracts";
import { plansPageWords } from "../../strings/plans-page-words.ts";
import { builtFor } from "../../text/built-for.ts";
import { oneLine } from "../../text/printable.ts";

/**
 * The words after a message's channel that say who gets it, such as " to anna". On Discord, the bridge's settings decide whether that is the
 * user or a channel.
 */
export function recipientWords({ channel, recipient }: Pick<DeliveryAction, "channel" | "recipient">): string {
	if (channel === "dashboard") return "";
	if (recipient !== undefined) return ` to ${oneLine(recipient, 64)}`;
	return ` to ${channel === "discord" ? plansPageWords.youOrUsual : "you"}`;
}

/** Like `recipientWords`, but for a message that was built, the name and address it was built for, even if the contact changed since. */
export function addressedWords(action: DeliveryAction): string {
	const built = builtFor(action);
	if (built === undefined) return recipientWords(action);
	const { address, name } = built;
	const owner = address.startsWith("channel:") ? plansPageWords.usual : "you";
	return ` to ${name === undefined ? owner : oneLine(name, 64)} (${oneLine(address, 200)})`;
}
