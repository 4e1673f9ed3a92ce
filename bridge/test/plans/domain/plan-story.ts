import { type Deliverable, PlanId, ThreadId } from "@xworkmate/contracts";
import { decideClaim, decideHandOver, decideOutcome } from "../../../src/plans/domain/decide-delivery.ts";
import { decideBegin, decideDue, decideWorked, type WorkResult } from "../../../src/plans/domain/decide-occurrence.ts";
import { decideCreate } from "../../../src/plans/domain/decide-plan.ts";
import { decideReview, type ReviewDecision } from "../../../src/plans/domain/decide-review.ts";
import { placed } from "../../../src/plans/domain/plan-state.ts";
import type { SendOutcome } from "../../../src/ports/channels/channel.ts";
import type { PlanEvent, PlanState } from "../../../src/ports/plans/plan-event.ts";
import { actionOf, hashOf, newPlan, openOne, second } from "../../store/contracts/plan-fixture.ts";

const threadId = ThreadId.parse("thread-p");
/** The one claim, at the one time of a story. */
export const held = { epoch: 1, until: second(60) };
export const now = Date.parse(second(1));
export const patience = { now, until: now + 3_600_000, most: 2, firstMs: 30_000, mostMs: 900_000 };

export function said(text: string): Deliverable {
	return { text, sha256: hashOf(text), source: "model" };
}

/** Work that went well. */
export function done(text: string): WorkResult {
	return { run: { status: "completed" }, output: text, gate: { valid: true }, deliverable: said(text) };
}

/** A plan's state, changed by what is decided about it. */
export class Story {
	state: PlanState;

	constructor(delivery: readonly unknown[]) {
		const ids = { planId: PlanId.parse("p"), threadId };
		const events = decideCreate(newPlan("p", { delivery }), ids, { nextDueAt: second(60), words: "daily" }, second(0));
		this.state = placed(undefined, events, second(0)).state;
	}

	/** True if something was decided. */
	decides(decide: (state: PlanState) => readonly PlanEvent[], seconds = 1): boolean {
		const events = decide(this.state);
		if (events.length > 0) this.state = placed(this.state, events, second(seconds)).state;
		return events.length > 0;
	}

	due(): this {
		this.decides((state) => decideDue(state, { kind: "manual", dueAt: second(1) }));
		this.decides((state) => decideBegin(openOne(state), state.plan, threadId));
		return this;
	}

	worked(result: WorkResult): this {
		this.decides((state) => {
			const one = openOne(state);
			const turnId = one.occurrence.runs.at(-1)?.turnId;
			return turnId === undefined ? [] : decideWorked(one, state.plan, turnId, result);
		});
		return this;
	}

	claim(index = 0): boolean {
		return this.decides((state) => decideClaim(openOne(state), actionOf(openOne(state), index), held, now));
	}

	handOver(index = 0): boolean {
		const built = { payloadHash: hashOf("bytes") };
		return this.decides((state) => decideHandOver(openOne(state), actionOf(openOne(state), index), held, now, built));
	}

	outcome(outcome: SendOutcome, index = 0): boolean {
		return this.decides((state) => decideOutcome(openOne(state), actionOf(openOne(state), index), 1, outcome, second(2), patience));
	}

	sent(index: number, outcome: SendOutcome): this {
		this.claim(index);
		this.handOver(index);
		this.outcome(outcome, index);
		return this;
	}

	review(decision: ReviewDecision, index?: number): boolean {
		return this.decides((state) =>
			decideReview(openOne(state), index === undefined ? undefined : actionOf(openOne(state), index), decision, threadId),
		);
	}

	get newest() {
		return this.state.newest;
	}

	get statuses() {
		return this.newest?.delivery.map(({ status, code }) => (code === undefined ? status : `${status} ${code}`));
	}
}
