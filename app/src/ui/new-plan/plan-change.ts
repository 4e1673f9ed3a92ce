import type { MethodInput, Plan, RequestId } from "@xworkmate/contracts";
import { termsOf } from "../../text/plan-terms.ts";
import { newPlanOf, type PlanDraft } from "../plans/plan-draft.ts";

export type Change = MethodInput<"xworkmate.plans.update">["change"];

const members = [
	"title",
	"instructions",
	"work",
	"delivery",
	"scheduledFor",
	"cron",
	"timezone",
	"routing",
	"workingDirectory",
	"overlap",
	"catchUp",
	"conversation",
	"whenDeclined",
] as const;
export type Member = (typeof members)[number];

/** Optional fields. In a change, `null` removes them. */
const leavable: ReadonlySet<Member> = new Set(["scheduledFor", "cron", "routing", "workingDirectory", "catchUp"]);

/** What the form changes about a plan. Nothing else is sent, so parts of the plan that the form has no field for stay unchanged. */
export function changeOf(before: PlanDraft, after: PlanDraft): Change {
	const [was, is] = [before, after].map((draft) => newPlanOf(draft, "change" as RequestId));
	if (was === undefined || is === undefined) return {};
	return Object.fromEntries(
		members
			.filter((name) => !isSame(was[name], is[name]) && (is[name] !== undefined || leavable.has(name)))
			.map((name) => [name, is[name] ?? null]),
	);
}

/** The differences between two versions of a plan, in short. */
export function differences(
	before: Plan,
	after: Plan,
): readonly { readonly name: Member; readonly before: string; readonly after: string }[] {
	const pairs = members.map((name) => ({ name, before: shortOf(before, name), after: shortOf(after, name) }));
	return pairs.filter((pair) => pair.before !== pair.after);
}

function shortOf(plan: Plan, name: Member): string {
	switch (name) {
		case "work":
			return termsOf(plan)
				.work.map(({ description }) => description)
				.join(", ");
		case "delivery":
			return termsOf(plan)
				.delivery.map(({ channel, recipient, content }) => [channel, recipient, content].filter(Boolean).join(" "))
				.join(", ");
		case "scheduledFor":
		case "cron":
			return plan[name] === undefined ? "" : plan.scheduleWords;
		case "routing":
			return plan.routing?.providerId ?? "";
		case "catchUp":
			return plan.catchUp === undefined ? "" : `${plan.catchUp / 3_600_000} h`;
		default:
			return plan[name] ?? "";
	}
}

function isSame(one: unknown, other: unknown): boolean {
	return JSON.stringify(one) === JSON.stringify(other);
}
