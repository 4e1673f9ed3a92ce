import type { ChannelId, Plan } from "@xworkmate/contracts";
import {
	Ban,
	Check,
	CheckCheck,
	CircleCheck,
	CircleDashed,
	CircleMinus,
	Clock,
	Hand,
	LoaderCircle,
	type LucideIcon,
	Mail,
	Mailbox,
	MessageCircle,
	MessagesSquare,
	OctagonX,
	Pause,
	RotateCw,
	Trash2,
	Unplug,
} from "lucide-react";
import type { DeliveryState, ShownOccurrenceStatus, ShownPlanStatus } from "../../strings/plans/plan-words.ts";
import type { WorkState } from "../../strings/plans/work-words.ts";

/**
 * How a state is shown beside its word. `moves`: the icon spins while the bridge responds. `waits`: the state ends without any action by
 * the user, as states with the tone `run` do.
 */
export interface Look {
	readonly icon: LucideIcon;
	readonly tone: "need" | "run" | "ok" | "bad" | "unk" | "off";
	readonly moves?: boolean;
	readonly waits?: boolean;
}

export const planLooks: Readonly<Record<ShownPlanStatus, Look>> = {
	pending: { icon: Clock, tone: "off", waits: true },
	asks: { icon: Hand, tone: "need" },
	cancelled: { icon: Ban, tone: "off" },
	discarded: { icon: Trash2, tone: "off" },
	skipped: { icon: CircleMinus, tone: "off" },
	running: { icon: LoaderCircle, tone: "run", moves: true },
	needs_review: { icon: Hand, tone: "need" },
	unknown: { icon: Unplug, tone: "unk" },
	unverified: { icon: CircleDashed, tone: "unk" },
	completed: { icon: CircleCheck, tone: "ok" },
	failed: { icon: OctagonX, tone: "bad" },
	paused: { icon: Pause, tone: "off" },
	deleted: { icon: Trash2, tone: "off" },
};

export const occurrenceLooks: Readonly<Record<ShownOccurrenceStatus, Look>> = {
	due: { icon: Clock, tone: "off", waits: true },
	running: { icon: LoaderCircle, tone: "run", moves: true },
	delivering: { icon: LoaderCircle, tone: "run", moves: true },
	unsent: { icon: Clock, tone: "off", waits: true },
	partly_unsent: { icon: Clock, tone: "off", waits: true },
	retrying: { icon: RotateCw, tone: "run" },
	needs_review: { icon: Hand, tone: "need" },
	unknown: { icon: Unplug, tone: "unk" },
	unverified: { icon: CircleDashed, tone: "unk" },
	completed: { icon: CircleCheck, tone: "ok" },
	failed: { icon: OctagonX, tone: "bad" },
	cancelled: { icon: Ban, tone: "off" },
	discarded: { icon: Trash2, tone: "off" },
	skipped: { icon: CircleMinus, tone: "off" },
};

export const workLooks: Readonly<Record<WorkState, Look>> = {
	pending: { icon: CircleDashed, tone: "off", waits: true },
	working: { icon: LoaderCircle, tone: "run", moves: true },
	asks: { icon: Hand, tone: "need" },
	stopping: { icon: LoaderCircle, tone: "run", moves: true },
	waiting: { icon: Clock, tone: "off", waits: true },
	queued: { icon: Clock, tone: "off", waits: true },
	// Not in the color of a success, because only the agent says that the item is done. Its thread shows it in the same way.
	completed: { icon: CircleCheck, tone: "off" },
	failed: { icon: OctagonX, tone: "bad" },
	unknown: { icon: Unplug, tone: "unk" },
	unverified: { icon: CircleDashed, tone: "unk" },
	cancelled: { icon: Ban, tone: "off" },
	skipped: { icon: CircleMinus, tone: "off" },
	called_off: { icon: Ban, tone: "off" },
	not_done: { icon: CircleMinus, tone: "off" },
};

export const deliveryLooks: Readonly<Record<DeliveryState, Look>> = {
	scheduled: { icon: Clock, tone: "off", waits: true },
	paused: { icon: Pause, tone: "off" },
	waiting: { icon: Clock, tone: "off", waits: true },
	sending: { icon: LoaderCircle, tone: "run", moves: true },
	unconfirmed: { icon: CircleDashed, tone: "run" },
	retrying: { icon: RotateCw, tone: "run" },
	sent: { icon: Check, tone: "ok" },
	delivered: { icon: CheckCheck, tone: "ok" },
	read: { icon: CheckCheck, tone: "ok" },
	needs_review: { icon: Hand, tone: "need" },
	unknown: { icon: Unplug, tone: "unk" },
	not_sent: { icon: OctagonX, tone: "bad" },
	perhaps_sent: { icon: Unplug, tone: "unk" },
	discarded: { icon: Trash2, tone: "off" },
	cancelled: { icon: Ban, tone: "off" },
	nothing: { icon: CircleMinus, tone: "off" },
};

export const channelIcons: Readonly<Record<ChannelId, LucideIcon>> = {
	email: Mail,
	whatsapp: MessageCircle,
	discord: MessagesSquare,
	dashboard: Mailbox,
};

/** The groups on the page of plans, in their order. */
export type PlanGroup = "needs" | "running" | "next" | "rest";

/**
 * Groups plans by the states that they are shown in: first those that wait for the user; then those that are running or sending; then those
 * that are due, by their time; then those that are paused or over, the newest first.
 */
export function groupPlans(
	plans: readonly Plan[],
	stateOf: (plan: Plan) => ShownPlanStatus,
): readonly { readonly group: PlanGroup; readonly plans: readonly Plan[] }[] {
	const groups: Readonly<Record<PlanGroup, Plan[]>> = { needs: [], running: [], next: [], rest: [] };
	for (const plan of plans) groups[groupOf(plan, stateOf(plan))].push(plan);
	groups.next.sort((one, other) => compareTexts(one.nextDueAt ?? "", other.nextDueAt ?? ""));
	return (["needs", "running", "next", "rest"] as const)
		.map((group) => ({ group, plans: groups[group] }))
		.filter((one) => one.plans.length > 0);
}

function compareTexts(one: string, other: string): number {
	return one < other ? -1 : one > other ? 1 : 0;
}

function groupOf({ needsReview, status }: Plan, state: ShownPlanStatus): PlanGroup {
	if (needsReview > 0 || status === "needs_review" || state === "asks") return "needs";
	if (state === "running") return "running";
	return state === "pending" ? "next" : "rest";
}
