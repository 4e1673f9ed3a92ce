import type { MethodResult, NewDelivery, Routing } from "@xworkmate/contracts";

export type Extraction = MethodResult<"xworkmate.plans.extract">;
export type ReadDraft = NonNullable<Extraction["task"]>;
export type Problem = Extraction["problems"][number];

/** The index of each chosen answer, keyed by the index of its problem. */
export type Answers = Readonly<Record<number, number>>;

/** The draft with these answers applied. Everything else is unchanged. */
export function answered(task: ReadDraft, problems: readonly Problem[], answers: Answers): ReadDraft {
	let { delivery, scheduledFor, type } = task;
	problems.forEach(({ delivery: at, choices }, index) => {
		const choice = choices[answers[index] ?? -1];
		if (choice?.delivery !== undefined) delivery = placed(delivery, at, choice.delivery);
		if (choice?.scheduledFor === undefined) return;
		scheduledFor = choice.scheduledFor;
		type = timed(type);
	});
	return { ...task, delivery, type, ...(scheduledFor !== undefined && { scheduledFor }) };
}

/** The problems that have to be answered before a plan can be made. */
export function openProblems(problems: readonly Problem[], answers: Answers): readonly Problem[] {
	return problems.filter(({ blocks, choices }, index) => blocks && choices[answers[index] ?? -1] === undefined);
}

/** The params of `createPlan` without the request id: exactly what the draft shows. */
export function planOfDraft(draft: ReadDraft, words: string, routing: Routing | undefined) {
	const { title, instructions, work, delivery, type, scheduledFor, cron, timezone } = draft;
	const isWorked = needsAgent(draft);
	return {
		type,
		title,
		words,
		instructions: isWorked ? instructions : "",
		work: isWorked ? [...work] : [],
		delivery: [...delivery],
		timezone,
		...(type === "scheduled" && scheduledFor !== undefined && { scheduledFor }),
		...(type === "recurring" && cron !== undefined && { cron }),
		...(isWorked && routing !== undefined && { routing }),
	};
}

/** False if the plan only sends messages with given text, for which no agent is needed. */
export function needsAgent({ delivery }: Pick<ReadDraft, "delivery">): boolean {
	return delivery.length === 0 || delivery.some(({ content }) => content === undefined);
}

function timed(type: ReadDraft["type"]): ReadDraft["type"] {
	return type === "immediate" ? "scheduled" : type;
}

function placed(all: readonly NewDelivery[], at: number | undefined, one: NewDelivery): NewDelivery[] {
	return at === undefined || at >= all.length ? [...all, one] : all.map((other, index) => (index === at ? one : other));
}
