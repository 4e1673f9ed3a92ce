import type { ChannelId } from "@xworkmate/contracts";

/** The destination of a message. `name`: the contact's name; absent for the channel's owner. */
export interface Recipient {
	readonly address: string;
	readonly name?: string;
}

/**
 * Looks up a contact, or the channel's owner.
 * @throws ContractError RECIPIENT_REQUIRED, RECIPIENT_UNKNOWN, CHANNEL_UNAVAILABLE, INVALID_PARAMS for a contact's address
 */
export type ResolveRecipient = (channel: ChannelId, contactId: string | undefined) => Recipient;
