import type { ActionId, ChannelId, DeliveryAction, OccurrenceId, PlanId } from "@xworkmate/contracts";
import { omitUndefined } from "@xworkmate/contracts";
import type { DeliveryChannel, Unsettled } from "../../ports/channels/channel.ts";
import type { ChannelStore } from "../../ports/channels/channel-store.ts";
import { type Clock, timestamp } from "../../ports/clock.ts";
import type { FedPlanEvent } from "../../ports/plans/plan-event.ts";
import type { PlanStore } from "../../ports/plans/plan-store.ts";
import { findOpenAction } from "../executor/actions/open-action.ts";
import { type TellPlanParts, tellPlan } from "./tell-plan.ts";

export interface SettlementParts extends TellPlanParts {
	readonly store: TellPlanParts["store"] & Pick<PlanStore, "openPlans" | "payload">;
	readonly told: Pick<ChannelStore, "findAction">;
	readonly channels: ReadonlyMap<ChannelId, DeliveryChannel>;
	readonly clock: Clock;
	/** How long a channel may take to report what happened to a message, in milliseconds. */
	readonly askMs: number;
	readonly onError: (error: unknown) => void;
}

interface Asked {
	readonly planId: PlanId;
	readonly occurrenceId: OccurrenceId;
	readonly actionId: ActionId;
	/** The number of the attempt in question. */
	readonly attempt: number;
	/** The waits before the remaining tries, in milliseconds. */
	readonly waits: readonly number[];
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** How long to wait before each query about a message: about ten minutes in total. After that, the user settles the message. */
const WAITS: readonly number[] = [0, 15 * SECOND, MINUTE, 3 * MINUTE, 5 * MINUTE];
/** A channel is queried once about each message that an earlier bridge left unsettled. */
const AT_START: readonly number[] = [0];
const PAGE = 100;

/**
 * Asks channels what happened to messages whose outcome is not known, if the channel can report it. Never sends anything: the answers are
 * handled like any other report.
 */
export class Settlements implements AsyncDisposable {
	readonly #parts: SettlementParts;
	readonly #ended = new AbortController();
	/** Tries that are scheduled, by action. */
	readonly #waiting = new Map<ActionId, { readonly attempt: number; readonly timer: Disposable }>();
	readonly #asking = new Map<ActionId, Promise<void>>();
	#unsubscribe: () => void = () => undefined;

	constructor(parts: SettlementParts) {
		this.#parts = parts;
	}

	/**
	 * Asks about messages that an earlier bridge left unsettled, and about those whose outcome becomes unknown from now on. A failure of the
	 * store is passed to `onError`.
	 */
	async begin(): Promise<void> {
		const { store, log, onError } = this.#parts;
		this.#unsubscribe = log.onCommitted((events) => this.#note(events));
		try {
			for (let page = await store.openPlans(PAGE); page.length > 0; page = await store.openPlans(PAGE, page.at(-1)))
				for (const planId of page)
					for (const { occurrence } of (await store.find(planId))?.open ?? [])
						for (const action of occurrence.delivery) this.#notice(planId, occurrence.occurrenceId, action, AT_START);
		} catch (error) {
			onError(error);
		}
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.#unsubscribe();
		this.#ended.abort();
		for (const { timer } of this.#waiting.values()) timer[Symbol.dispose]();
		this.#waiting.clear();
		await Promise.all(this.#asking.values());
	}

	#note(events: readonly FedPlanEvent[]): void {
		for (const { planId, event } of events)
			if ("occurrence" in event.body)
				for (const action of event.body.occurrence.delivery) this.#notice(planId, event.body.occurrence.occurrenceId, action, WAITS);
	}

	#notice(planId: PlanId, occurrenceId: OccurrenceId, action: DeliveryAction, waits: readonly number[]): void {
		const { actionId, attempts: attempt } = action;
		const waiting = this.#waiting.get(actionId);
		if (action.status !== "unknown") {
			waiting?.timer[Symbol.dispose]();
			this.#waiting.delete(actionId);
			return;
		}
		if (waiting?.attempt === attempt || this.#asking.has(actionId)) return;
		if (this.#parts.channels.get(action.channel)?.settle === undefined) return;
		this.#plan({ planId, occurrenceId, actionId, attempt, waits });
	}

	/** Schedules the next try. */
	#plan(asked: Asked): void {
		const [wait, ...waits] = asked.waits;
		if (wait === undefined || this.#ended.signal.aborted) return;
		const { clock } = this.#parts;
		const timer = clock.at(clock.now() + wait, () => this.#begin({ ...asked, waits }));
		this.#waiting.set(asked.actionId, { attempt: asked.attempt, timer });
	}

	#begin(asked: Asked): void {
		const { actionId } = asked;
		this.#waiting.delete(actionId);
		const asking = this.#ask(asked)
			.catch((error: unknown) => {
				this.#parts.onError(error);
				return "again" as const;
			})
			.then((end) => {
				this.#asking.delete(actionId);
				if (end === "again") this.#plan(asked);
			});
		this.#asking.set(actionId, asking);
	}

	/** `again`: the channel has not reported the outcome yet. */
	async #ask(asked: Asked): Promise<"over" | "again"> {
		const { store, channels, told } = this.#parts;
		const { planId, actionId, attempt } = asked;
		const state = await store.find(planId);
		const action = state && findOpenAction(state, asked)?.action;
		if (action?.status !== "unknown" || action.attempts !== attempt || action.payloadHash === undefined) return "over";
		const channel = channels.get(action.channel);
		const [payload, place] = await Promise.all([store.payload(action.payloadHash), told.findAction(actionId, action.channel)]);
		if (channel?.settle === undefined || payload === undefined || place?.handedOverAt === undefined) return "over";
		const { providerMessageId } = action;
		const unsettled = { actionId, attempt, since: place.handedOverAt, payload, ...omitUndefined({ providerMessageId }) };
		const news = await this.#answer(channel, unsettled);
		if (news === undefined || this.#ended.signal.aborted) return "again";
		await tellPlan(this.#parts, place, { news, attempt, saidAt: timestamp(this.#parts.clock.now()), providerMessageId });
		return "over";
	}

	/** What the channel reports; undefined if the channel does not know the outcome yet or takes too long, or if the bridge is stopping. */
	async #answer(channel: DeliveryChannel, unsettled: Unsettled) {
		const { clock, askMs } = this.#parts;
		const late = new AbortController();
		const { promise: none, resolve } = Promise.withResolvers<undefined>();
		const signal = AbortSignal.any([late.signal, this.#ended.signal]);
		signal.addEventListener("abort", () => resolve(undefined), { once: true });
		using _timer = clock.at(clock.now() + askMs, () => late.abort());
		return await Promise.race([channel.settle?.(unsettled, signal), none]);
	}
}
