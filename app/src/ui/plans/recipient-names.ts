import type { Channel, Contact, DeliveryAction, NewDelivery } from "@xworkmate/contracts";
import { useCallback } from "react";
import { fill } from "../../strings/interface.ts";
import { plansPageWords as words } from "../../strings/plans/plans-page-words.ts";
import { builtFor } from "../../text/plans/built-for.ts";
import { visibleName } from "../text/visible-text.ts";
import { useChannels, useContacts } from "./use-recipients.ts";

/** The name of a message's recipient. Undefined for the user, and for a contact that does not exist. */
export type NameOf = (
	message: Pick<NewDelivery, "channel" | "recipient"> & Partial<Pick<DeliveryAction, "status" | "addressedTo">>,
) => string | undefined;

/** Returns a function that names the recipient of a message. */
export function useRecipientNames(): NameOf {
	return useRecipients().nameOf;
}

/** Like `useRecipientNames`, with a function that reads the contacts and channels again, because their changes are not reported. */
export function useRecipients(): { readonly nameOf: NameOf; readAgain(): void } {
	const { value: contacts, read: readContacts } = useContacts();
	const { value: channels, read: readChannels } = useChannels();
	const nameOf = useCallback<NameOf>((message) => recipientName(message, contacts, channels), [contacts, channels]);
	const readAgain = useCallback(() => {
		readContacts();
		readChannels();
	}, [readContacts, readChannels]);
	return { nameOf, readAgain };
}

/** Like `NameOf`, with the contacts and channels that are known. */
export function recipientName(
	message: Parameters<NameOf>[0],
	contacts: readonly Contact[] = [],
	channels: readonly Channel[] = [],
): string | undefined {
	const { channel: id, recipient } = message;
	const built = builtFor(message);
	if (built !== undefined) return built.name ?? (isUsualChannel({ owner: built.address }) ? words.usual : undefined);
	if (recipient !== undefined) return contacts.find(({ contactId }) => contactId === recipient)?.name;
	const channel = channels.find((one) => one.channel === id);
	if (channel === undefined) return id === "discord" ? words.youOrUsual : undefined;
	return isUsualChannel(channel) ? words.usual : undefined;
}

/** True if messages that name no recipient go to a channel that others may read, rather than to the user. */
function isUsualChannel({ owner }: Pick<Channel, "owner">): boolean {
	return owner?.startsWith("channel:") === true;
}

/** What the user is called where a recipient is chosen: with the address in this channel, as far as it is known. */
export function ownerName(channel: Pick<Channel, "owner"> | undefined): string {
	if (channel?.owner === undefined) return words.form.you;
	const at = isUsualChannel(channel) ? words.form.usualAt : words.form.youAt;
	return fill(at, { address: visibleName(channel.owner) });
}
