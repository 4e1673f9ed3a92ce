import type { NewDelivery, Plan } from "@xworkmate/contracts";
import { termsOf } from "../../text/plans/plan-terms.ts";
import { localDate } from "../text/local-date.ts";
import { repeatOf } from "./cron-choice.ts";
import { emptyDraft, localTimeOf, type PlanDraft } from "./plan-draft.ts";

/** What the form needs to know about a plan, or about a draft of one. */
export type PlanTerms = Pick<Plan, "title" | "instructions" | "type" | "timezone"> &
	Partial<Pick<Plan, "routing" | "workingDirectory" | "catchUp" | "overlap" | "conversation" | "whenDeclined" | "terms">> & {
		readonly scheduledFor?: string | undefined;
		readonly cron?: string | undefined;
		readonly work: readonly { readonly description: string }[];
		readonly delivery: readonly NewDelivery[];
	};

const whens = { immediate: "now", scheduled: "once", recurring: "repeats" } as const;

/** The form, filled in with a plan. Parts of the plan that the form has no field for are kept unchanged. */
export function formOfPlan(plan: PlanTerms, now: Date): PlanDraft {
	const empty = emptyDraft(now, plan.routing);
	const { title, instructions, timezone, workingDirectory, catchUp, type, scheduledFor, cron } = plan;
	const { work, delivery } = termsOf(plan);
	const isGiven = delivery.length > 0 && delivery.every(({ content }) => content !== undefined);
	const text = isGiven ? (delivery[0]?.content ?? "") : "";
	const at = scheduledFor === undefined ? undefined : new Date(scheduledFor);
	return {
		...empty,
		title,
		instructions,
		...(work.length > 0 && { kept: { instructions, work: work.map(({ description }) => description) } }),
		workingDirectory: workingDirectory ?? "",
		writer: isGiven ? "person" : "agent",
		text,
		to: delivery.map(({ channel, recipient = "", subject = "", attach = false, content }, index) => ({
			key: index + 1,
			channel,
			recipient,
			subject,
			attach,
			...(content !== undefined && !(isGiven && content === text) && { content }),
		})),
		when: whens[type],
		...(at !== undefined && { date: localDate(at), time: localTimeOf(at), exactly: at.toISOString() }),
		...(cron !== undefined && { ...repeatOf(cron), cron }),
		timezone,
		catchUpHours: catchUp === undefined ? undefined : catchUp / 3_600_000,
		...(plan.overlap && { overlap: plan.overlap }),
		...(plan.conversation && { conversation: plan.conversation }),
		...(plan.whenDeclined && { whenDeclined: plan.whenDeclined }),
	};
}
