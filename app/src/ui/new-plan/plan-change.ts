import type { MethodInput, NewDelivery, Plan, RequestId, Routing } from "@xworkmate/contracts";
import { fill } from "../../strings/interface.ts";
import { newPlanWords } from "../../strings/plans/new-plan-words.ts";
import { termsOf } from "../../text/plans/plan-terms.ts";
import { formatClockTime } from "../text/format.ts";
import { formOfPlan } from "./form-of-plan.ts";
import { newPlanOf, type PlanDraft } from "./plan-draft.ts";

const { said } = newPlanWords;

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

/**
 * The fields that saving the form would overwrite: changed both in the form and in the plan since the form was filled in, to different
 * values.
 * @param base the plan that the form was filled in from
 * @param theirs the plan as it is now
 */
export function overwritten(base: Plan, theirs: Plan, draft: PlanDraft): readonly Member[] {
	const now = new Date();
	const [mine, differing] = [base, theirs].map((plan) => changeOf(formOfPlan(plan, now), draft));
	const changed = new Set(differences(base, theirs).map(({ name }) => name));
	return members.filter((name) => mine !== undefined && name in mine && differing !== undefined && name in differing && changed.has(name));
}

interface Difference {
	readonly name: Member;
	readonly before: string;
	readonly after: string;
}

/** A value that a change could overwrite, such as a message. */
interface Part {
	readonly text: string;
	/**
	 * The exact value, which differs for any two different values. It is shown if their `text` is the same, as for two times within a minute.
	 */
	readonly exact: string;
}

const none: Part = { text: "", exact: "" };

/**
 * The differences between two versions of a plan, in everything that a change could overwrite. Each message and each work item is a
 * separate difference.
 */
export function differences(before: Plan, after: Plan): readonly Difference[] {
	return members.flatMap((name) => {
		const [was, is] = [partsOf(before, name), partsOf(after, name)];
		const longer = was.length > is.length ? was : is;
		return longer.flatMap((_, index) => differenceOf(name, was[index], is[index]));
	});
}

function differenceOf(name: Member, was: Part = none, is: Part = none): readonly Difference[] {
	if (was.exact === is.exact) return [];
	const shown = was.text === is.text ? "exact" : "text";
	return [{ name, before: was[shown], after: is[shown] }];
}

function partsOf(plan: Plan, name: Member): readonly Part[] {
	const { scheduleWords, scheduledFor, cron, routing, catchUp } = plan;
	switch (name) {
		case "work":
			return termsOf(plan).work.map(({ description }) => ({ text: description, exact: description }));
		case "delivery":
			return termsOf(plan).delivery.map(messagePart);
		case "scheduledFor":
			return scheduledFor === undefined ? [] : [{ text: scheduleWords, exact: formatClockTime(scheduledFor) }];
		case "cron":
			return cron === undefined ? [] : [{ text: scheduleWords, exact: cron }];
		case "routing":
			return routing === undefined ? [] : [routingPart(routing)];
		case "catchUp":
			return catchUp === undefined ? [] : [{ text: `${catchUp / 3_600_000} h`, exact: `${catchUp} ms` }];
		default:
			return [{ text: plan[name] ?? "", exact: plan[name] ?? "" }];
	}
}

function messagePart({ channel, recipient, subject, attach = false, content }: NewDelivery): Part {
	const parts = [
		recipient === undefined ? channel : `${channel} ${recipient}`,
		...(subject === undefined ? [] : [fill(said.subject, { subject })]),
		...(attach ? [said.attach] : []),
		...(content === undefined ? [] : [fill(said.content, { text: content })]),
	];
	return { text: parts.join(", "), exact: JSON.stringify([channel, recipient, subject, attach, content]) };
}

function routingPart({ executionTarget, providerId, model }: Routing): Part {
	const agent = providerId ?? executionTarget;
	const text = model === undefined ? agent : `${agent}, ${fill(said.model, { model })}`;
	return { text, exact: `${executionTarget}: ${text}` };
}

function isSame(one: unknown, other: unknown): boolean {
	return JSON.stringify(one) === JSON.stringify(other);
}
