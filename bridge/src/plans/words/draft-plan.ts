import type { Contact, DraftProblem, MethodResult } from "@xworkmate/contracts";
import { type ChannelView, type DeliveryDraft, draftDelivery, oneLine } from "./draft-delivery.ts";
import { blanked, givenSpan, quotedSpans, stands } from "./given-text.ts";
import { leftOutPeople } from "./overlooked.ts";
import type { PlanForm, TaskForm } from "./plan-form.ts";
import { readTime } from "./read-time.ts";

const TITLE_LENGTH = 120;

/** The facts that a draft is checked against. */
export interface DraftScene {
	/** All of the user's words that the plan may be based on. */
	readonly text: string;
	/** The last message among them. If absent, the whole text counts as the last message. */
	readonly newest?: string;
	readonly timezone: string;
	/** Milliseconds since the epoch. */
	readonly now: number;
	readonly channels: readonly ChannelView[];
	readonly contacts: readonly Contact[];
}

export type Draft = MethodResult<"xworkmate.plans.extract">;

/**
 * The plan that a form describes, checked against the text. A message, a recipient, a channel or a time that the text does not name becomes
 * a question and is left out of the draft. Pure.
 */
export function draftPlan(form: PlanForm, scene: DraftScene): Draft {
	const reason = form.reason === undefined ? {} : { reason: oneLine(form.reason).slice(0, 500).toWellFormed() };
	if (!form.shouldCreateTask || form.task === undefined) return { shouldCreateTask: false, ...reason, problems: [] };
	const { task } = form;
	const rest = restOf(scene.text, task);
	// Only the newest message is searched for overlooked words, because the user may have answered a question about an earlier one.
	const newest = scene.newest === undefined ? rest : restOf(scene.newest, task);
	const time = readTime(task.when, { ...scene, text: rest, newest });
	const deliveries = draftDeliveries(task, rest, scene);
	const messages = deliveries.flatMap(({ delivery }) => (delivery === undefined ? [] : [delivery]));
	const isGiven = messages.length > 0 && messages.length === deliveries.length && messages.every(({ content }) => content !== undefined);
	const work = isGiven ? [] : task.work.map((description) => ({ description: wellFormed(description) }));
	const isAsked = deliveries.some(({ problems }) => problems.some(({ code }) => code.startsWith("RECIPIENT_")));
	const draft = {
		title: titleOf(task, scene),
		instructions: isGiven ? "" : instructionsOf(task, scene.text),
		...{ work, delivery: messages, ...time.terms },
		said: {
			...(time.said !== undefined && { time: time.said }),
			channels: deliveries.flatMap(({ said }) => (said === undefined ? [] : [said])),
		},
	};
	return {
		shouldCreateTask: true,
		task: draft,
		problems: [...placedProblems(deliveries), ...(isAsked ? [] : leftOutPeople(newest, messages, scene)), ...time.problems],
	};
}

function draftDeliveries({ delivery: forms }: TaskForm, rest: string, { text, channels, contacts }: DraftScene): readonly DeliveryDraft[] {
	const named = (recipient: string | undefined) =>
		contacts.filter(
			({ name, contactId }) => recipient !== undefined && stands(rest, recipient) && (stands(name, recipient) || contactId === recipient),
		);
	return forms.map((form) => {
		const meantElsewhere = new Set(
			forms.flatMap((other) => (other === form ? [] : named(other.recipient).map(({ contactId }) => contactId))),
		);
		return draftDelivery(form, { text, rest, channels, contacts, meantElsewhere });
	});
}

/** Numbers the messages without a channel after the others, because answering the question about the channel appends them. */
function placedProblems(deliveries: readonly DeliveryDraft[]): readonly DraftProblem[] {
	const placed = deliveries.filter(({ delivery }) => delivery !== undefined);
	const open = deliveries.filter(({ delivery }) => delivery === undefined);
	return [...placed, ...open].flatMap(({ problems }, index) => problems.map((problem) => ({ ...problem, delivery: index })));
}

/** The text without the messages that it quotes, which do not name the plan's times, channels or recipients. */
function restOf(text: string, { delivery }: TaskForm): string {
	const contents = delivery.flatMap(({ content }) => (content === undefined ? [] : [content]));
	if (contents.length === 0) return text;
	const spans = contents.flatMap((content) => givenSpan(text, content) ?? []);
	return blanked(text, [...spans, ...quotedSpans(text)]);
}

function titleOf({ title }: TaskForm, { text }: DraftScene): string {
	const named = wellFormed(oneLine(title).slice(0, TITLE_LENGTH)).trim();
	return named === "" ? wellFormed(oneLine(text).slice(0, TITLE_LENGTH)).trim() || "A plan" : named;
}

function instructionsOf({ instructions, work }: TaskForm, text: string): string {
	const named = wellFormed(instructions.trim());
	return named !== "" || work.length > 0 ? named : text;
}

/** Removes halves of surrogate pairs, which cutting a text may leave, and replacement characters. */
function wellFormed(text: string): string {
	return text.toWellFormed().replaceAll("\u{fffd}", "");
}
