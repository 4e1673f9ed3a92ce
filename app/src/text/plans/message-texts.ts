import type { DeliveryAction, Occurrence } from "@xworkmate/contracts";
import { channelWords } from "../../strings/plans/plan-words.ts";
import { channelList } from "./channel-list.ts";

/** A text of an occurrence's messages, and the messages that have it. */
export interface MessageText {
	readonly text: string;
	readonly actions: readonly DeliveryAction[];
	/** The record of the text; absent for a text that only messages have, as when another text was written after they were sent. */
	readonly deliverable?: NonNullable<Occurrence["deliverable"]>;
	/** True if every message of the occurrence has this text. */
	readonly isOnly: boolean;
}

/**
 * The texts of an occurrence's messages, each once, in the order of its messages; empty if it has no text of its own. While the work runs
 * again, only the messages that keep the text of an earlier run have one.
 */
export function messageTexts({ deliverable, delivery }: Pick<Occurrence, "deliverable" | "delivery">): readonly MessageText[] {
	const texts = new Map<string, DeliveryAction[]>();
	for (const action of delivery) {
		const text = deliverable === undefined && action.workedBy === undefined ? undefined : (action.content ?? deliverable?.text);
		if (text !== undefined) texts.set(text, [...(texts.get(text) ?? []), action]);
	}
	if (deliverable !== undefined && delivery.length === 0) return [{ text: deliverable.text, actions: [], deliverable, isOnly: true }];
	return [...texts].map(([text, actions]) => ({
		text,
		actions,
		isOnly: actions.length === delivery.length,
		...(text === deliverable?.text && { deliverable }),
	}));
}

/**
 * The channels of a text's messages, to tell it from the other `texts`; with the recipients if another text has one of these channels too.
 * `to`: the words after a message's channel that say who gets it, such as " to anna".
 */
export function placesOf({ text, actions }: MessageText, texts: readonly MessageText[], to: (action: DeliveryAction) => string): string {
	const others = texts.filter((one) => one.text !== text).flatMap((one) => one.actions.map(({ channel }) => channel));
	if (!actions.some(({ channel }) => others.includes(channel))) return channelList(actions);
	const places = new Set(actions.map((action) => `${channelWords[action.channel]}${to(action)}`));
	return new Intl.ListFormat("en", { type: "conjunction" }).format(places);
}
