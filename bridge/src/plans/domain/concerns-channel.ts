import type { ChannelId, DeliveryCode } from "@xworkmate/contracts";

/**
 * Whether a channel that held a message with this code would refuse any other message too, so that its last test no longer counts. Other
 * channels than email also answer with `CHANNEL_BLOCKED` if only this recipient, or this place on Discord, is closed to them.
 */
export function concernsChannel(channel: ChannelId, code: DeliveryCode): boolean {
	return code === "CHANNEL_AUTH" || (code === "CHANNEL_BLOCKED" && channel === "email");
}
