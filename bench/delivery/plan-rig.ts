import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NewPlan, Redaction } from "@xworkmate/contracts";
import { openChannels } from "../../bridge/src/channels/open-channels.ts";
import { decideBegin } from "../../bridge/src/plans/domain/decide-occurrence.ts";
import { DeliveryExecutor } from "../../bridge/src/plans/executor/delivery-executor.ts";
import { defaultDeliveryLimits } from "../../bridge/src/plans/executor/delivery-limits.ts";
import { createMessages } from "../../bridge/src/plans/messages.ts";
import { PlanLog } from "../../bridge/src/plans/plan-log.ts";
import { createPlanService } from "../../bridge/src/plans/service/plan-service.ts";
import { systemClock, timestamp } from "../../bridge/src/ports/clock.ts";
import { openSqliteStore } from "../../bridge/src/store/sqlite/index.ts";
import { within } from "../../e2e/support/machine/wait-until.ts";
import { KeyedQueue } from "../../platform/src/async/keyed-queue.ts";

const SENT_BOUND_MS = 300_000;
const UNBOUNDED = 1_000_000;

/** The executor over a real database and real channels, in this process, with nothing else of a bridge. */
export async function openPlanRig() {
	const home = await mkdtemp(join(tmpdir(), "plan rig-"));
	const store = openSqliteStore(home);
	const { plans } = store;
	const clock = systemClock;
	const onError = (error: unknown) => console.error(error);
	const {
		channels,
		resolveRecipient,
		service: ways,
	} = openChannels({ bridgeHome: home, redaction: new Redaction([]), clock, store: plans });
	const epoch = await plans.beginEpoch(timestamp(clock.now()));
	const log = new PlanLog({ store: plans, clock, epoch, retryForMs: 1_000, onFatal: onError, onError });
	const noRuns = () => Promise.reject(new Error("there are no runs"));
	const messageOf = createMessages(resolveRecipient, { files: noRuns, answer: noRuns });
	const base = { store: plans, log, channels, resolveRecipient, messageOf, clock, onError };
	const maxPlans = UNBOUNDED;
	const words = { askModel: noRuns, scene: noRuns };
	const others = { resolveRouting: noRuns, runs: { cancel: noRuns }, queue: new KeyedQueue(), words };
	const service = createPlanService({ ...base, ...others, maxPlans });
	const limits = { ...defaultDeliveryLimits, sendsPerHour: UNBOUNDED };
	let requests = 0;

	/** Makes a plan whose one message is ready to leave. */
	async function ready(delivery: object): Promise<void> {
		const requestId = `request-${++requests}`;
		const terms = { requestId, title: "Reminder", type: "immediate", delivery: [delivery] };
		const { planId } = await service.create(NewPlan.parse(terms));
		await log.change(planId, ({ open, plan }) => open.flatMap((one) => decideBegin(one, plan, plan.threadId)));
	}

	return {
		ways,
		/**
		 * Milliseconds until messages that are ready have left.
		 * @param deliveryOf the message with this number; each needs a text of its own, because a repeated text is held (DUPLICATE_CONTENT)
		 */
		async send(count: number, deliveryOf: (n: number) => object): Promise<number> {
			for (let n = 0; n < count; n++) await ready(deliveryOf(n));
			const { promise, resolve, reject } = Promise.withResolvers<void>();
			let left = count;
			const unsubscribe = log.onCommitted((events) => {
				for (const { event } of events) {
					const action = "occurrence" in event.body ? event.body.occurrence.delivery[0] : undefined;
					if (action?.status === "completed" && --left === 0) resolve();
					if (action?.status === "needs_review" || action?.status === "failed") reject(new Error(`${action.code}: ${action.message}`));
				}
			});
			const executor = new DeliveryExecutor({ ...base, limits });
			const from = performance.now();
			executor.begin();
			await within("all messages to leave", SENT_BOUND_MS, promise);
			const took = performance.now() - from;
			unsubscribe();
			await executor[Symbol.asyncDispose]();
			return took;
		},
		async [Symbol.asyncDispose]() {
			log[Symbol.dispose]();
			store.close();
			await rm(home, { recursive: true, force: true });
		},
	};
}
