import type { ChannelId, DeliveryAction, Occurrence, Plan, PlanId } from "@xworkmate/contracts";
import { DeliveryExecutor } from "../../../src/plans/executor/delivery-executor.ts";
import { type DeliveryLimits, defaultDeliveryLimits } from "../../../src/plans/executor/delivery-limits.ts";
import type { ExecutorParts } from "../../../src/plans/executor/executor-parts.ts";
import { PlanLog } from "../../../src/plans/plan-log.ts";
import type { DeliveryChannel, Message } from "../../../src/ports/channels/channel.ts";
import { type Clock, timestamp } from "../../../src/ports/clock.ts";
import type { PlanStore } from "../../../src/ports/plans/plan-store.ts";
import { FakeClock } from "../../ports/fake-clock.ts";
import { duePlan, found, openOne, second } from "../../store/contracts/plan-fixture.ts";
import { openSqliteUnderTest } from "../../store/sqlite-store-under-test.ts";
import { ScriptedChannel } from "./scripted-channel.ts";

/** One bridge's executor over a store. */
export interface Bridge {
	readonly executor: DeliveryExecutor;
	readonly log: PlanLog;
	readonly errors: unknown[];
	readonly fatal: unknown[];
}

interface BridgeTerms {
	readonly clock: Clock;
	readonly channels: readonly DeliveryChannel[];
	readonly limits?: Partial<DeliveryLimits>;
	readonly epoch?: number;
	readonly parts?: Partial<ExecutorParts>;
}

/** A bridge of its own epoch, unless one is given. It has not begun. */
export async function openBridge(store: PlanStore, terms: BridgeTerms): Promise<Bridge> {
	const { clock } = terms;
	const epoch = terms.epoch ?? (await store.beginEpoch(timestamp(clock.now())));
	const errors: unknown[] = [];
	const fatal: unknown[] = [];
	const onError = (error: unknown) => void errors.push(error);
	const log = new PlanLog({ store, clock, epoch, retryForMs: 50, retryEveryMs: 5, onFatal: (error) => fatal.push(error), onError });
	const executor = new DeliveryExecutor({
		store,
		log,
		channels: new Map(terms.channels.map((channel): [ChannelId, DeliveryChannel] => [channel.channel, channel])),
		resolveRecipient: () => undefined,
		messageOf,
		clock,
		limits: { ...defaultDeliveryLimits, ...terms.limits },
		onError,
		...terms.parts,
	});
	return { executor, log, errors, fatal };
}

async function messageOf(occurrence: Occurrence, action: DeliveryAction, plan: Plan): Promise<Message> {
	return {
		actionId: action.actionId,
		planId: plan.planId,
		occurrenceId: occurrence.occurrenceId,
		title: plan.title,
		text: action.content ?? occurrence.deliverable?.text ?? "",
		address: "someone@example.org",
		files: [],
		at: occurrence.dueAt,
	};
}

/** A store, a clock that the test moves, a channel that does as it says, and a bridge. */
export async function openScene(
	terms: {
		readonly limits?: Partial<DeliveryLimits>;
		readonly channel?: ScriptedChannel;
		readonly beside?: readonly ScriptedChannel[];
		readonly parts?: Partial<ExecutorParts>;
	} = {},
) {
	const file = await openSqliteUnderTest();
	const store = file.ports.plans;
	const clock = new FakeClock(Date.parse(second(0)));
	const channel = terms.channel ?? new ScriptedChannel();
	const bridge = await openBridge(store, { clock, channels: [channel, ...(terms.beside ?? [])], ...terms });
	return {
		...bridge,
		store,
		clock,
		channel,
		/** A plan whose messages may leave. */
		plan: (planId: string, delivery: readonly unknown[] = [toEmail()]) => duePlan(store, planId, bridge.log.epoch, { delivery }),
		/** The messages of a plan's newest occurrence. */
		actions: async (planId: PlanId) => (await found(store, planId)).newest?.delivery ?? [],
		first: async (planId: PlanId) => {
			const [action] = (await found(store, planId)).newest?.delivery ?? [];
			if (action === undefined) throw new Error("the plan has no message");
			return action;
		},
		open: async (planId: PlanId) => openOne(await found(store, planId)),
		/** Lets time pass, then has the executor look. */
		pass: (milliseconds: number) => {
			clock.advance(milliseconds);
			bridge.executor.wake();
		},
		[Symbol.asyncDispose]: async () => {
			await bridge.executor[Symbol.asyncDispose]();
			bridge.log[Symbol.dispose]();
			await file[Symbol.asyncDispose]();
		},
	};
}

/** A message whose words are given. */
export function toEmail(content = "Good morning", recipient?: string) {
	return { channel: "email", content, ...(recipient === undefined ? {} : { recipient }) };
}

export const SOON = { interval: 5, timeout: 5_000 };
