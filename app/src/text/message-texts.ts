import type { DeliveryAction, Occurrence } from "@xworkmate/contracts";

/** A text of an occurrence's messages, and the messages that have it. */
export interface MessageText {
	readonly text: string;
	readonly actions: readonly DeliveryAction[];
	/** The record of the text; absent for a text that only messages have, as when another text was written after they were sent. */
	readonly deliverable?: NonNullable<Occurrence["deliverable"]>;
}

/** The texts of an occurrence's messages, each once, in the order of its messages; empty if it has no text of its own. */
export function messageTexts({ deliverable, delivery }: Pick<Occurrence, "deliverable" | "delivery">): readonly MessageText[] {
	if (deliverable === undefined) return [];
	const texts = new Map<string, DeliveryAction[]>();
	for (const action of delivery) {
		const text = action.content ?? deliverable.text;
		texts.set(text, [...(texts.get(text) ?? []), action]);
	}
	if (texts.size === 0) return [{ text: deliverable.text, actions: [], deliverable }];
	return [...texts].map(([text, actions]) => ({ text, actions, ...(text === deliverable.text && { deliverable }) }));
}
