import { plansPageWords } from "../../strings/plans/plans-page-words.ts";

/**
 * The words after a message's channel that say who gets it, such as " to anna". On Discord, the bridge's settings decide whether that is
 * the user or a channel. The caller makes hidden characters visible.
 */
export function toRecipient(channel: string, recipient: string | undefined): string {
	if (channel === "dashboard") return "";
	return ` to ${recipient ?? (channel === "discord" ? plansPageWords.youOrUsual : "you")}`;
}
