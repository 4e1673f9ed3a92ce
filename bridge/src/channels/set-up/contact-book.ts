import { type ChannelId, type Contact, ContactId, ContractError, type MethodParams, type MethodResult } from "@xworkmate/contracts";
import { AddressError, type ChannelKind, type ChannelKinds } from "./channel-kind.ts";
import type { ChannelsFile } from "./channels-file.ts";

/** Where a message goes. */
export interface Recipient {
	/** In the form that the channel uses. */
	readonly address: string;
	/** The name of the contact. Absent: the channel's owner. */
	readonly name?: string;
}

/** The placeholder for an address in a command, by channel. */
const placeholders: Readonly<Record<ChannelId, string>> = { email: "ADDRESS", whatsapp: "NUMBER", discord: "ID", dashboard: "ID" };

/** The people who can receive messages. A run cannot add to them. */
export class ContactBook {
	readonly #file: ChannelsFile;
	readonly #kinds: ChannelKinds;

	constructor(file: ChannelsFile, kinds: ChannelKinds) {
		this.#file = file;
		this.#kinds = kinds;
	}

	async list(): Promise<MethodResult<"xworkmate.contacts.list">> {
		return { contacts: this.#listed(this.#file.contacts()) };
	}

	/**
	 * Adds or replaces a contact, with each address in the form that its channel uses.
	 * @throws ContractError INVALID_PARAMS, CHANNEL_UNAVAILABLE
	 */
	async put(given: MethodParams<"xworkmate.contacts.put">): Promise<Contact> {
		const { contactId, name } = given;
		if (/[\p{Cc}\p{Cs}]/u.test(name)) throw invalid("A contact's name must be one line without control characters.", "Correct the name.");
		const contact = withAddresses(given, (id, address) => addressIn(this.#kind(id), address));
		this.#file.writeContacts((contacts) =>
			[...contacts.filter((each) => each.contactId !== contactId), contact].toSorted((a, b) => (a.contactId < b.contactId ? -1 : 1)),
		);
		return contact;
	}

	/** @throws ContractError INVALID_PARAMS for a contact that does not exist, CHANNEL_UNAVAILABLE */
	async remove({ contactId }: MethodParams<"xworkmate.contacts.remove">): Promise<MethodResult<"xworkmate.contacts.remove">> {
		const contacts = this.#file.writeContacts((all) => {
			if (!all.some((contact) => contact.contactId === contactId))
				throw invalid(`There is no contact ${contactId}.`, "List the contacts: `npm run -s xworkmate -- contacts list`.");
			return all.filter((contact) => contact.contactId !== contactId);
		});
		return { contacts: this.#listed(contacts) };
	}

	/**
	 * Who a message goes to: a contact, or the channel's owner.
	 * @throws ContractError RECIPIENT_REQUIRED, RECIPIENT_UNKNOWN, CHANNEL_UNAVAILABLE, INVALID_PARAMS for a contact's address
	 */
	resolve(channel: ChannelId, contactId: string | undefined): Recipient {
		const kind = this.#kinds.get(channel);
		if (kind === undefined) throw absentChannel(channel);
		if (contactId === undefined) {
			const address = kind.channel.owner();
			if (address === undefined)
				throw new ContractError("RECIPIENT_REQUIRED", {
					detail: `${kind.name} has no owner, and the message has no recipient.`,
					fix: `Specify a contact, or set \`owner\`: \`npm run -s xworkmate -- channels setup ${channel} --owner ${placeholders[channel]}\`.`,
				});
			return { address };
		}
		const contact = this.#file.contacts().find((each) => each.contactId === contactId);
		const address = contact?.addresses[channel];
		if (contact === undefined)
			throw new ContractError("RECIPIENT_UNKNOWN", {
				detail: `There is no contact ${shown(contactId)}.`,
				...fixOfAbsent(channel, contactId),
			});
		if (address === undefined)
			throw new ContractError("RECIPIENT_UNKNOWN", { detail: `${kind.name} has no address for the contact ${contact.contactId}.` });
		return { address: addressIn(kind, address), name: contact.name };
	}

	/**
	 * The contacts with each address in the form that its channel uses, which is how a message records where it went. The file may still have
	 * what the user typed. An address to which nothing can be sent is listed as it is, so that the user can correct it.
	 */
	#listed(contacts: readonly Contact[]): Contact[] {
		return contacts.map((contact) =>
			withAddresses(contact, (id, address) => {
				try {
					return this.#find(id)?.address(address) ?? address;
				} catch (error) {
					if (!(error instanceof AddressError)) throw error;
					return address;
				}
			}),
		);
	}

	#kind(id: string): ChannelKind {
		const kind = this.#find(id);
		if (kind === undefined) throw invalid(`This bridge has no channel named ${shown(id)}.`, "Leave out the address for this channel.");
		return kind;
	}

	#find(id: string): ChannelKind | undefined {
		return [...this.#kinds.values()].find(({ channel }) => channel.channel === id);
	}
}

/** The error for a channel that this bridge does not have. */
export function absentChannel(channel: ChannelId): ContractError {
	return new ContractError("CHANNEL_UNAVAILABLE", {
		detail: `This bridge has no channel named ${channel}.`,
		fix: "Use one of the channels that `npm run -s xworkmate -- channels` lists.",
	});
}

function withAddresses(contact: Contact, addressOf: (channel: string, address: string) => string): Contact {
	const addresses = Object.entries(contact.addresses).map(([id, address]) => [id, addressOf(id, address)]);
	return { ...contact, addresses: Object.fromEntries(addresses) };
}

function addressIn(kind: ChannelKind, given: string): string {
	try {
		return kind.address(given);
	} catch (error) {
		if (!(error instanceof AddressError)) throw error;
		throw invalid(error.message, "Correct the address.");
	}
}

/**
 * What to do about an id that no contact has. The page gives each contact that it adds an id of its own, so adding someone there again
 * does not help; only the command can add a contact with this id. Empty for text that can't be an id, and for the dashboard, which no
 * contact has an address in.
 */
function fixOfAbsent(channel: ChannelId, contactId: string): { readonly fix?: string } {
	if (channel === "dashboard" || !ContactId.safeParse(contactId).success) return {};
	const add = `contacts add ${contactId} --name NAME --${channel} ${placeholders[channel]}`;
	return { fix: `Choose another recipient, or add a contact with this id: \`npm run -s xworkmate -- ${add}\`.` };
}

function shown(text: string): string {
	return text.replace(/[^\w.@-]/g, "?").slice(0, 64);
}

function invalid(detail: string, fix: string): ContractError {
	return new ContractError("INVALID_PARAMS", { detail, fix });
}
