import type { ChannelId, Contact, NewDelivery } from "@xworkmate/contracts";
import type { OwnerWords } from "../../ports/channels/owner-words.ts";
import { channelNames } from "./channel-words.ts";
import { folded, stands } from "./given-text.ts";
import type { MessageForm } from "./plan-form.ts";

const ME = new Set([
	...[
		"me",
		"my",
		"myself",
		"i",
		"us",
		"you",
		"user",
		"owner",
		"mir",
		"mich",
		"mein",
		"meine",
		"meinen",
		"meinem",
		"moi",
		"m",
		"m'",
		"mon",
		"ma",
	],
	...["mí", "mi", "yo", "我", "自己", "我自己", "ฉัน", "ผม", "หนู", "เรา", "ตัวเอง"],
]);
const PHONE_NUMBER = /\+\d[\d ()-]{6,20}/;
const SHOWN_CONTACTS = 18;

export interface RecipientScene {
	/** The text without the messages that it quotes. */
	readonly text: string;
	readonly contacts: readonly Contact[];
	/** True if the message's channel has an owner. */
	readonly hasOwner: boolean;
	readonly ownerWords: OwnerWords;
	/** Contacts to whom other messages of the plan go. */
	readonly meantElsewhere: ReadonlySet<string>;
}

/** The recipient of a message: a contact, or the owner if there is no contact; or a question, if the recipient is unclear. */
export type RecipientDraft =
	| { readonly contact: Contact | undefined }
	| { readonly code: "RECIPIENT_UNKNOWN" | "RECIPIENT_REQUIRED"; readonly question: string };

/** The contact that the words mean. A name counts only if it appears in the text and exactly one contact has it. */
export function draftRecipient({ recipient }: MessageForm, channel: ChannelId, scene: RecipientScene): RecipientDraft {
	const { text, contacts, hasOwner } = scene;
	if (recipient === undefined || ME.has(folded(recipient.trim()))) {
		const other = otherIn(text, scene);
		if (other !== undefined) return unknown(`Your sentence names “${other}”. Who is the message for?`);
		if (hasOwner) return { contact: undefined };
		return { code: "RECIPIENT_REQUIRED", question: `Your own address for ${channelNames[channel]} is not set. Who is the message for?` };
	}
	if (!stands(text, recipient)) return unknown("Your sentence doesn't say who this message is for. Who is it for?");
	const name = folded(recipient.trim());
	const [contact, ...others] = contacts.filter((each) => folded(each.name) === name || each.contactId === name);
	const shown = recipient.trim().slice(0, 100);
	if (contact === undefined) return unknown(`“${shown}” is not in your contacts. Who is the message for?`);
	if (others.length > 0) return unknown(`Several contacts are called “${shown}”. Which one do you mean?`);
	if (contact.addresses[channel] === undefined)
		return unknown(`${contact.name.slice(0, 100)} has no address for ${channelNames[channel]}. Who is the message for?`);
	return { contact };
}

/** Contacts that the channel can reach, at most `SHOWN_CONTACTS`, the likeliest first; then the owner. */
export function recipientChoices(delivery: NewDelivery, { contacts, hasOwner, ownerWords, text }: RecipientScene) {
	const reachable = contacts.filter(({ addresses }) => addresses[delivery.channel] !== undefined);
	const likeliest = reachable.toSorted((a, b) => Number(isNamed(text, b)) - Number(isNamed(text, a))).slice(0, SHOWN_CONTACTS);
	const { recipient: _, ...message } = delivery;
	return [
		...likeliest.map(({ contactId, name }) => ({ label: name.slice(0, 300), delivery: { ...message, recipient: contactId } })),
		...(hasOwner ? [{ label: ownerWords === "you" ? "You" : "Your usual channel", delivery: message }] : []),
	];
}

/** A recipient that the text names: a contact to whom no other message goes, or an address. */
function otherIn(text: string, { contacts, meantElsewhere }: RecipientScene): string | undefined {
	const contact = contacts.find((each) => !meantElsewhere.has(each.contactId) && stands(text, each.name));
	return (contact?.name ?? addressIn(text))?.slice(0, 100);
}

/** An address or a phone number in the text. It is not looked up among the contacts. */
function addressIn(text: string): string | undefined {
	return text.split(/[\s<>]+/).find((word) => /[^@]@[^@]/.test(word)) ?? PHONE_NUMBER.exec(text)?.[0];
}

function isNamed(text: string, { name }: Contact): boolean {
	return name.split(/\s+/).some((part) => part.length > 1 && stands(text, part));
}

function unknown(question: string): RecipientDraft {
	return { code: "RECIPIENT_UNKNOWN", question };
}
