import type { ChannelId } from "@xworkmate/contracts";

/** Where a message goes. `name`: of a contact; absent: the channel's owner. */
export interface Recipient {
	readonly address: string;
	readonly name?: string;
}

/** Looks a contact up, or the channel's owner. @throws ContractError RECIPIENT_REQUIRED, RECIPIENT_UNKNOWN */
export type ResolveRecipient = (channel: ChannelId, contactId: string | undefined) => Recipient;
