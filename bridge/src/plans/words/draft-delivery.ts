import { ChannelId, type Contact, type DraftChoice, type DraftProblem, type NewDelivery } from "@xworkmate/contracts";
import type { OwnerWords } from "../../ports/channels/owner-words.ts";
import { channelNames, channelWordIn } from "./channel-words.ts";
import { draftRecipient, type RecipientScene, recipientChoices } from "./draft-recipient.ts";
import { givenSpan, quotedSpans, stands, unquoted } from "./given-text.ts";
import type { MessageForm } from "./plan-form.ts";

const MAX_QUOTES = 5;
const SUBJECT_LENGTH = 80;

/** What a draft needs to know about a channel. */
export interface ChannelView {
	readonly channel: ChannelId;
	readonly hasOwner: boolean;
	/** The words for the recipient of messages that name none. If absent, the user is the recipient. */
	readonly ownerWords?: OwnerWords;
	/** The reason why the channel cannot be used now. Absent if it can be used. */
	readonly unavailable?: string;
}

export interface DeliveryScene {
	/** The text as the user wrote it. */
	readonly text: string;
	/** The text without the messages that it quotes. */
	readonly rest: string;
	readonly channels: readonly ChannelView[];
	readonly contacts: readonly Contact[];
	readonly meantElsewhere: ReadonlySet<string>;
}

/** A message of a draft. If it has no delivery, its channel is not decided yet, and each choice of a channel is a whole delivery. */
export interface DeliveryDraft {
	readonly delivery?: NewDelivery;
	readonly said?: string;
	/** The problem with the message's channel or, if there is none, the problems with its recipient and its content, in that order. */
	readonly problems: readonly Omit<DraftProblem, "delivery">[];
}

/** The delivery that the words describe for one message, and its problems. */
export function draftDelivery(form: MessageForm, scene: DeliveryScene): DeliveryDraft {
	const given = givenContent(form, scene.text);
	const content = given ?? {};
	const known = ChannelId.safeParse(form.channel);
	const said = known.success ? channelWordIn(scene.rest, known.data) : undefined;
	if (!known.success || said === undefined) return { problems: [unnamed(form, content, scene)] };
	const view = scene.channels.find(({ channel }) => channel === known.data);
	if (view === undefined || view.unavailable !== undefined) {
		const message = view?.unavailable ?? `This bridge can't send through ${channelNames[known.data]}.`;
		const question = `${message} How should the message be sent?`.slice(0, 500);
		const choices = channelChoices(content, scene).filter(({ delivery }) => delivery?.channel !== known.data);
		return {
			delivery: { channel: known.data, ...content },
			said,
			problems: [{ code: "CHANNEL_UNAVAILABLE", blocks: true, question, choices }],
		};
	}
	const { hasOwner, ownerWords = "you" } = view;
	const people: RecipientScene = { ...scene, text: scene.rest, hasOwner, ownerWords };
	const who = draftRecipient(form, view.channel, people);
	const message = messageOf(form, view.channel, content, scene.text);
	const delivery = "contact" in who && who.contact !== undefined ? { ...message, recipient: who.contact.contactId } : message;
	const recipient = "code" in who ? [{ ...who, blocks: true, choices: recipientChoices(message, people) }] : [];
	return { delivery, said, problems: [...recipient, ...changedContent(form, given, delivery, scene.text)] };
}

/** The content of the message, word for word as the user wrote it; undefined if the text does not contain it. */
function givenContent({ content }: MessageForm, text: string): { readonly content: string } | undefined {
	const span = content === undefined ? undefined : givenSpan(text, content);
	return span === undefined ? undefined : { content: text.slice(span.start, span.end) };
}

function changedContent({ content }: MessageForm, given: object | undefined, delivery: NewDelivery, text: string) {
	if (content === undefined || unquoted(content) === "" || given !== undefined) return [];
	const quotes = quotedSpans(text).slice(0, MAX_QUOTES);
	const choices: DraftChoice[] = [
		...quotes.map(({ start, end }) => ({
			label: `Send exactly: ${text.slice(start, end)}`.slice(0, 300),
			delivery: { ...delivery, content: text.slice(start, end) },
		})),
		{ label: "Let an agent write it", delivery },
	];
	const question = "Your sentence doesn't contain this message word for word, so an agent would write it. What should be sent?";
	return [{ code: "CONTENT_CHANGED" as const, blocks: true, question, choices }];
}

/**
 * An email's subject defaults to the plan's title, which the model wrote. If the text contains the subject, or else the message, word for
 * word, the subject is taken from there instead.
 */
function messageOf(form: MessageForm, channel: ChannelId, given: { readonly content?: string }, text: string): NewDelivery {
	if (channel !== "email") return { channel, ...given };
	const span = form.subject === undefined ? undefined : givenSpan(text, form.subject);
	const words = span === undefined ? given.content : text.slice(span.start, span.end);
	const subject = words === undefined ? "" : oneLine(words).slice(0, SUBJECT_LENGTH).toWellFormed().trim();
	return { channel, ...given, ...(subject !== "" && { subject }) };
}

function unnamed(form: MessageForm, content: { readonly content?: string }, scene: DeliveryScene): Omit<DraftProblem, "delivery"> {
	const choices = channelChoices(content, scene);
	const { channelWords } = form;
	if (channelWords === undefined || !stands(scene.rest, channelWords)) {
		const question = "Your sentence doesn't name a channel. How should the message be sent?";
		return { code: "CHANNEL_MISSING", blocks: true, question, choices };
	}
	const question = `This bridge has no channel “${channelWords.slice(0, 100)}”. How should the message be sent?`;
	return { code: "CHANNEL_UNKNOWN", blocks: true, question, choices };
}

/** For each channel that has an owner and can be used now, the message to its owner. */
function channelChoices(content: { readonly content?: string }, { channels }: DeliveryScene): DraftChoice[] {
	return channels
		.filter(({ unavailable, hasOwner }) => unavailable === undefined && hasOwner)
		.map(({ channel, ownerWords = "you" }) => ({
			label: `${channelNames[channel].charAt(0).toUpperCase()}${channelNames[channel].slice(1)}, to ${ownerWords}`,
			delivery: { channel, ...content },
		}));
}

/** Replaces line breaks, and other characters that a line must not contain, with spaces. */
export function oneLine(text: string): string {
	return text.replace(/[\p{Cc}\p{Cs}\u{2028}\u{2029}\s]+/gu, " ").trim();
}
