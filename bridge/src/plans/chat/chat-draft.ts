import { type DraftProblem, NewPlan, type PlanDraft, visibleWithin } from "@xworkmate/contracts";
import { type Draft, type DraftScene, draftPlan } from "../words/draft-plan.ts";
import type { TaskForm } from "../words/plan-form.ts";

/** The longest text that `plans.extract` accepts. */
const PROMPT_LENGTH = 4_000;
const TEXT_LENGTH = 16_000;
const PROBLEM_LENGTH = 1_500;
const SHOWN_CHOICES = 8;

/** The facts against which a task described by a model is checked. */
export interface ChatScene extends Omit<DraftScene, "text" | "newest"> {
	/** The user's newest message. */
	readonly prompt: string;
	/** The user's messages before it, oldest first. */
	readonly earlier: readonly string[];
}

/** Everything in a plan except the id of its request. */
export type ChatTerms = Omit<NewPlan, "requestId">;

/** A plan that the user can be asked about, or why there is none, worded for the model. */
export type ChatDraft =
	| { readonly kind: "plan"; readonly terms: ChatTerms; readonly draft: PlanDraft; readonly notes: readonly string[] }
	| { readonly kind: "refused"; readonly message: string };

/**
 * The plan that a model's task describes, checked against the user's own words: only the newest message if it says everything, otherwise
 * also the earlier ones. If the words leave anything open, the result is a question instead of a plan. Pure.
 */
export function chatDraft(task: TaskForm, scene: ChatScene): ChatDraft {
	const { prompt, earlier, ...rest } = scene;
	if (prompt.length > PROMPT_LENGTH) {
		const why = `The message has more than ${PROMPT_LENGTH.toLocaleString("en")} characters, which is too long to create a plan from.`;
		return refused(`${why} The user can create the plan with the form.`);
	}
	const newest = prompt.toWellFormed();
	const alone = drafted(task, { ...rest, text: newest });
	const text = textOf(newest, earlier);
	const found = isOpen(alone) && text !== newest ? drafted(task, { ...rest, text, newest }) : alone;
	const draft = isOpen(found) ? alone : found;
	if (isOpen(draft) || draft.task === undefined) return refused(questionsOf(draft.problems));
	const { said: _said, scheduleWords: _words, ...terms } = draft.task;
	const parsed = NewPlan.omit({ requestId: true }).safeParse({ ...terms, ...(newest.trim() !== "" && { words: newest }) });
	if (!parsed.success) return refused(`The plan is not valid: ${parsed.error.issues[0]?.message ?? "a part of it is wrong"}.`);
	return { kind: "plan", terms: parsed.data, draft: draft.task, notes: draft.problems.map(({ question }) => question) };
}

function drafted(task: TaskForm, scene: DraftScene): Draft {
	return draftPlan({ shouldCreateTask: true, task }, scene);
}

function isOpen({ problems }: Draft): boolean {
	return problems.some(({ blocks }) => blocks);
}

/** The newest message with as many of the earlier ones as fit. */
function textOf(newest: string, earlier: readonly string[]): string {
	const parts = [newest];
	let left = TEXT_LENGTH - newest.length;
	for (const message of earlier.toReversed()) {
		left -= message.length + 2;
		if (left < 0) break;
		parts.unshift(message.toWellFormed());
	}
	return parts.join("\n\n");
}

function questionsOf(problems: readonly DraftProblem[]): string {
	const lines = problems
		.filter(({ blocks }) => blocks)
		.map(({ code, question, choices }) => {
			const labels = choices.slice(0, SHOWN_CHOICES).map(({ label }) => JSON.stringify(visibleWithin(label, 120)));
			return `${code}: ${question}${labels.length === 0 ? "" : ` Possible answers: ${labels.join(", ")}.`}`;
		});
	return [
		"No plan was created, because the user's words leave something open. Ask the user, then call this tool again once they have answered.",
		...lines,
	].join(" ");
}

function refused(message: string): ChatDraft {
	return { kind: "refused", message: visibleWithin(message, PROBLEM_LENGTH) };
}
