import { type NewPlan, NewPlan as NewPlanSchema, type PlanId } from "@xworkmate/contracts";
import { KeyedQueue } from "@xworkmate/platform/async";
import { DashboardChannel } from "../../src/channels/dashboard/dashboard-channel.ts";
import { createMessages } from "../../src/plans/messages.ts";
import { PlanLog } from "../../src/plans/plan-log.ts";
import { Scheduler } from "../../src/plans/scheduler.ts";
import { createPlanService } from "../../src/plans/service/plan-service.ts";
import { timestamp } from "../../src/ports/clock.ts";
import type { RunService } from "../../src/ports/runs/run-service.ts";
import { FakeClock } from "../ports/fake-clock.ts";
import { openSqliteUnderTest } from "../store/sqlite-store-under-test.ts";

const DAY_MS = 24 * 60 * 60_000;

/**
 * Plans over a real store, with a clock that the test moves; nothing works on what comes due, and nothing is sent. `cancel`: asks a run to
 * stop.
 */
export async function openPlanScene(at: string, cancel: RunService["cancel"] = () => Promise.reject(new Error("there are no runs"))) {
	const file = await openSqliteUnderTest();
	const store = file.ports.plans;
	const clock = new FakeClock(Date.parse(at));
	const errors: unknown[] = [];
	const onError = (error: unknown) => void errors.push(error);
	const epoch = await store.beginEpoch(timestamp(clock.now()));
	const log = new PlanLog({ store, clock, epoch, retryForMs: 50, retryEveryMs: 5, onFatal: onError, onError });
	const channels = new Map([["dashboard" as const, new DashboardChannel({ lint: () => [] })]]);
	const resolveRecipient = () => ({ address: "dashboard" });
	const absent = () => Promise.reject(new Error("there are no runs"));
	const messageOf = createMessages(resolveRecipient, { files: absent, answer: absent });
	const base = { store, log, channels, clock, onError, messageOf, resolveRecipient, resolveRouting: absent };
	const service = createPlanService({
		...base,
		runs: { cancel },
		queue: new KeyedQueue(),
		maxPlans: 10_000,
		words: { askModel: absent, scene: absent },
	});
	let requests = 0;
	return {
		store,
		log,
		clock,
		errors,
		service,
		scheduler: () => new Scheduler({ store, log, clock, catchUpMs: DAY_MS, onError }),
		/** A daily reminder at nine, if the terms do not say. */
		create: (terms: Partial<NewPlan>) =>
			service.create(
				NewPlanSchema.parse({
					requestId: `request-${++requests}`,
					title: "Reminder",
					type: "recurring",
					...(terms.type === undefined || terms.type === "recurring" ? { cron: "0 9 * * *" } : {}),
					delivery: [{ channel: "dashboard", content: "Call mom" }],
					...terms,
				}),
			),
		/** Oldest first. An alarm that was set meanwhile, for a time that has passed, acts now. */
		occurrences: async (planId: PlanId) => {
			clock.advance(0);
			return (await store.occurrences(planId, 200)).items.toReversed();
		},
		async [Symbol.asyncDispose]() {
			await file[Symbol.asyncDispose]();
		},
	};
}
