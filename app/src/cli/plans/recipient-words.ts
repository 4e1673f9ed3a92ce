import type { DeliveryAction } from "@xworkmate/contracts";
import { plansPageWords } from "../../strings/plans-page-words.ts";
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
