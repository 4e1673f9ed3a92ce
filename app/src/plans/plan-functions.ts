import type { PlanFunctions } from "../api/plan-rows.ts";
import type { BridgeClient } from "../bridge-client/index.ts";
import type { AppEvents } from "../threads/app-events.ts";
import type { PlanBook } from "./plan-book.ts";
import { watchPlan } from "./watch-plan.ts";

export interface PlanParts {
	readonly client: Pick<BridgeClient, "call">;
	readonly events: AppEvents;
	readonly book: PlanBook;
}

export function planFunctions({ client, events, book }: PlanParts): PlanFunctions {
	return {
		planBook: async () => {
			book.follow();
			return book.view;
		},
		listPlans: (query) => client.call("xworkmate.plans.list", query),
		plan: (plan) => client.call("xworkmate.plans.get", plan),
		planOccurrences: (query) => client.call("xworkmate.plans.occurrences", query),
		planUpdates: (query) => client.call("xworkmate.plans.updates", query),
		watchPlan: (plan) => watchPlan({ client, events, book }, plan),
		planSchedule: (schedule) => client.call("xworkmate.plans.schedule", schedule),
		extractPlan: (words) => client.call("xworkmate.plans.extract", words),
		createPlan: (plan) => client.call("xworkmate.plans.create", plan),
		updatePlan: (change) => client.call("xworkmate.plans.update", change),
		runPlan: (plan) => client.call("xworkmate.plans.run", plan),
		pausePlan: (plan) => client.call("xworkmate.plans.pause", plan),
		resumePlan: (plan) => client.call("xworkmate.plans.resume", plan),
		deletePlan: (plan) => client.call("xworkmate.plans.delete", plan),
		cancelPlan: (plan) => client.call("xworkmate.plans.cancel", plan),
		previewMessage: (message) => client.call("xworkmate.plans.preview", message),
		reviewMessage: (decision) => client.call("xworkmate.plans.review", decision),
		settleMessage: (outcome) => client.call("xworkmate.plans.settle", outcome),
		resendMessages: (messages) => client.call("xworkmate.plans.resend", messages),
	};
}
