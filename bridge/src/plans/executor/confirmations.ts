import type { ActionId, OccurrenceId, PlanId } from "@xworkmate/contracts";
import { timestamp } from "../../ports/clock.ts";
import type { FedPlanEvent, OpenOccurrence } from "../../ports/plans/plan-event.ts";
import { decideProof } from "../domain/decide-delivery.ts";
import { ofOpenAction } from "./actions/open-action.ts";
import type { ExecutorParts } from "./executor-parts.ts";

interface Awaited {
	readonly planId: PlanId;
	readonly occurrenceId: OccurrenceId;
	readonly actionId: ActionId;
	/** Milliseconds since the epoch. */
	readonly until: number;
}

const PAGE = 100;

/**
 * Messages that a channel has accepted but not yet confirmed. Without a confirmation in time, the outcome is unknown, unless the channel
 * has passed the message on, in which case it counts as sent.
 */
export class Confirmations {
	readonly #parts: ExecutorParts;
	readonly #awaited = new Map<ActionId, Awaited>();
	#isRead = false;

	constructor(parts: ExecutorParts) {
		this.#parts = parts;
	}

	/** When the first wait ends, in milliseconds since the epoch; undefined if no message waits. */
	get next(): number | undefined {
		const times = [...this.#awaited.values()].map(({ until }) => until);
		return times.length === 0 ? undefined : Math.min(...times);
	}

	/**
	 * Loads, only once, the messages that an earlier bridge left.
	 * @throws the store's error
	 */
	async read(): Promise<void> {
		if (this.#isRead) return;
		const { store } = this.#parts;
		for (let page = await store.openPlans(PAGE); page.length > 0; page = await store.openPlans(PAGE, page.at(-1)))
			for (const planId of page) for (const open of (await store.find(planId))?.open ?? []) this.#note(planId, open);
		this.#isRead = true;
	}

	/** Takes note of a commit, which may have started a wait or ended one. */
	note(events: readonly FedPlanEvent[]): void {
		for (const { planId, event } of events)
			if ("occurrence" in event.body) this.#note(planId, { occurrence: event.body.occurrence, claims: event.claims ?? {} });
	}

	/**
	 * Stops waiting for the confirmation of messages whose time has run out. If this cannot be recorded for a message, the next check tries
	 * again.
	 */
	async giveUp(): Promise<void> {
		const { clock, log, onError } = this.#parts;
		for (const awaited of [...this.#awaited.values()]) {
			const now = clock.now();
			if (awaited.until > now) continue;
			const decide = ofOpenAction(awaited, ({ open }) => decideProof(open, awaited.actionId, { kind: "silent" }, timestamp(now)));
			await log.tryChange(awaited.planId, decide).then(() => this.#awaited.delete(awaited.actionId), onError);
		}
	}

	#note(planId: PlanId, { occurrence: { occurrenceId, delivery }, claims }: OpenOccurrence): void {
		for (const { actionId, status, stage } of delivery) {
			const claim = claims[actionId];
			if (status === "sending" && stage === "accepted" && claim !== undefined)
				this.#awaited.set(actionId, { planId, occurrenceId, actionId, until: Date.parse(claim.until) });
			else this.#awaited.delete(actionId);
		}
	}
}
