import { type ChannelId, type Contact, type NewDelivery, visible } from "@xworkmate/contracts";
import { nextTimes } from "../schedule/schedule.ts";
import { shortMonth } from "../schedule/schedule-words.ts";
import { clockWords, wallTime } from "../schedule/zone.ts";
import { channelNames } from "../words/channel-words.ts";
import type { ChannelView } from "../words/draft-delivery.ts";
import type { ChatDraft } from "./chat-draft.ts";

/** The longest text that can be shown in full wherever the user is asked. */
const MOST_CHARACTERS = 700;
const SHOWN_TIMES = 3;

export interface PlanWordsScene {
	readonly channels: readonly ChannelView[];
	readonly contacts: readonly Contact[];
	readonly now: number;
	readonly zoneNote?: string;
}

/**
 * The plan that would be made, in full: its title and times, each message with its destination, and the task of an agent. Undefined if the
 * text is too long. Pure.
 */
export function planWords({ terms, draft, notes }: Extract<ChatDraft, { kind: "plan" }>, scene: PlanWordsScene): string | undefined {
	const { now, zoneNote } = scene;
	const isTold = terms.instructions.trim() !== "" || terms.work.length > 0;
	const task = [terms.instructions, ...terms.work.map(({ description }) => description)].filter((part) => part.trim() !== "");
	const next = terms.type === "recurring" ? nextTimes(terms, now, SHOWN_TIMES).map(({ at }) => dayAndTime(at, terms.timezone)) : [];
	const parts = [
		`Create the plan ${quoted(terms.title)}, due ${draft.scheduleWords}`,
		...(next.length === 0 ? [] : [`next: ${next.join(", ")}`]),
		...(zoneNote === undefined || terms.type === "immediate" ? [] : [zoneNote]),
		...notes,
		...(isTold ? [`an agent gets these instructions: ${task.map(quoted).join(", ")}`] : []),
		...terms.delivery.map((delivery) => deliveryWords(delivery, scene)),
		...(terms.delivery.length === 0 ? ["nothing is sent"] : []),
	];
	const words = parts.join("; ");
	return words.length > MOST_CHARACTERS ? undefined : words;
}

function deliveryWords({ channel, recipient, content, subject }: NewDelivery, { channels, contacts }: PlanWordsScene): string {
	const owner = channels.find((view) => view.channel === channel)?.ownerWords ?? "you";
	const to = recipient === undefined ? owner : quoted(contacts.find(({ contactId }) => contactId === recipient)?.name ?? recipient);
	const named = subject === undefined ? "" : ` with the subject ${quoted(subject)}`;
	return `${wayWords(channel)} to ${to}${named}: ${content === undefined ? "what the agent writes" : `exactly ${quoted(content)}`}`;
}

function wayWords(channel: ChannelId): string {
	return channel === "dashboard" ? "as an inbox message" : `by ${channelNames[channel]}`;
}

/**
 * Quotes text on one line, with line endings, quotation marks and hidden characters escaped, so that no part of it can be mistaken for the
 * text around it.
 */
function quoted(text: string): string {
	return visible(JSON.stringify(text));
}

function dayAndTime(at: number, zone: string): string {
	const wall = wallTime(zone, at);
	return `${wall.day} ${shortMonth(wall.month)} ${clockWords(wall)}`;
}
