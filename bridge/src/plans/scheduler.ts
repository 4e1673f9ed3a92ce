import { type OccurrenceId, omitUndefined, type PlanId } from "@xworkmate/contracts";
import { type Clock, timestamp } from "../ports/clock.ts";
import type { PlanState } from "../ports/plans/plan-event.ts";
import type { PlanStore } from "../ports/plans/plan-store.ts";
import { type ComingDue, decideDue } from "./domain/decide-occurrence.ts";
import { decidePause } from "./domain/decide-plan.ts";
import { decideRestored } from "./domain/decide-restored.ts";
import { isDue } from "./domain/plan-state.ts";
import { LATE_MS, millis, missedOf, passedTimes } from "./missed-times.ts";
import type { PlanLog } from "./plan-log.ts";
import { scheduleTerms, timesOf } from "./plan-schedule.ts";

export interface SchedulerDeps {
	readonly store: Pick<PlanStore, "due" | "nextDueAt" | "find">;
	readonly log: Pick<PlanLog, "change" | "onCommitted">;
	readonly clock: Clock;
	/** How long after its time an occurrence may begin automatically, in milliseconds, unless the plan says otherwise. */
	readonly catchUpMs: number;
	readonly onError: (error: unknown) => void;
}

type RestoredDeps = Pick<SchedulerDeps, "clock" | "catchUpMs"> & {
	readonly store: Pick<PlanStore, "due" | "find" | "openPlans" | "failedOccurrences">;
	readonly log: Pick<PlanLog, "change">;
};

/** The wall clock is read at least this often, to notice that the computer has slept or the clock was set. */
const LOOK_EVERY_MS = 30_000;
const RETRY_MS = 5_000;
const BATCH = 50;
/** Later than any time that a plan can be due. */
const LAST_TIME = "9999-12-31T23:59:59.999Z";

/**
 * Makes plans come due. The due plans are read from the store each time, and a plan's next time advances in the same commit that makes the
 * occurrence. So no occurrence is lost or repeated, no matter what happens to the process or the clock.
 */
export class Scheduler implements AsyncDisposable {
	readonly #deps: SchedulerDeps;
	#timer: Disposable | undefined;
	#unsubscribe: () => void = () => undefined;
	#working: Promise<void> | undefined;
	#isAskedAgain = false;
	#isStopped = false;

	constructor(deps: SchedulerDeps) {
		this.#deps = deps;
	}

	begin(): void {
		this.#unsubscribe = this.#deps.log.onCommitted((events) => {
			if (events.some(({ event: { body } }) => body.kind === "task:created" || body.kind === "task:changed")) this.wake();
		});
		this.wake();
	}

	/** Checks now. */
	wake(): void {
		if (this.#isStopped) return;
		this.#isAskedAgain = true;
		this.#working ??= this.#look().finally(() => {
			this.#working = undefined;
			// A request that arrived too late for the check that has just ended.
			if (this.#isAskedAgain) this.wake();
		});
	}

	/** Once this settles, no plan comes due any longer. */
	async [Symbol.asyncDispose](): Promise<void> {
		this.#isStopped = true;
		this.#unsubscribe();
		this.#timer?.[Symbol.dispose]();
		await this.#working;
	}

	async #look(): Promise<void> {
		const { clock, store, onError } = this.#deps;
		let wait = RETRY_MS;
		try {
			while (this.#isAskedAgain && !this.#isStopped) {
				this.#isAskedAgain = false;
				await this.#letComeDue();
				const next = await store.nextDueAt();
				wait = next === undefined ? LOOK_EVERY_MS : Math.min(Math.max(millis(next) - clock.now(), 0), LOOK_EVERY_MS);
			}
		} catch (error) {
			onError(error);
			wait = RETRY_MS;
		}
		if (this.#isStopped) return;
		this.#timer?.[Symbol.dispose]();
		this.#timer = clock.at(clock.now() + wait, () => this.wake());
	}

	async #letComeDue(): Promise<void> {
		const { store, clock } = this.#deps;
		const tried = new Set<PlanId>();
		while (!this.#isStopped) {
			const due = (await store.due(timestamp(clock.now()), BATCH + tried.size)).filter((planId) => !tried.has(planId));
			if (due.length === 0) return;
			for (const planId of due) tried.add(planId);
			// All at once, so that they share a commit.
			await Promise.all(due.map((planId) => this.#comeDue(planId)));
			// Lets everything else run first.
			await new Promise((resolve) => setImmediate(resolve));
		}
	}

	async #comeDue(planId: PlanId): Promise<void> {
		const { store, log, clock, catchUpMs, onError } = this.#deps;
		try {
			const seen = await store.find(planId);
			const due = seen === undefined ? undefined : await dueTime(seen, clock.now(), catchUpMs);
			// If the plan has changed since it was read, nothing is written, and the plan is checked again in its new state.
			if (due !== undefined) await log.change(planId, (state) => (isAsSeen(state, seen) ? decideDue(state, due) : []));
		} catch (error) {
			// A plan that fails must not block the others.
			onError(error);
		}
	}
}

/**
 * Must be called after a backup has been restored. Occurrences that came due since the backup may already have been carried out, so they
 * wait for the user, as does every unsent message. A failed message is marked as possibly sent again since. Plans that would come due later
 * are paused, because the home that the backup was made from may still run them.
 *
 * @throws the store's error
 */
export async function holdRestored({ store, log, clock, catchUpMs }: RestoredDeps): Promise<void> {
	const now = clock.now();
	for (const planId of await store.due(timestamp(now), Number.MAX_SAFE_INTEGER)) {
		const seen = await store.find(planId);
		const due = seen === undefined ? undefined : await dueTime(seen, now, catchUpMs);
		if (due === undefined) continue;
		await log.change(planId, (state) =>
			isAsSeen(state, seen) ? decideDue(state, { ...due, isTooLate: true, heldAs: "STORE_RESTORED" }) : [],
		);
	}
	for (const planId of await store.due(LAST_TIME, Number.MAX_SAFE_INTEGER)) {
		await log.change(planId, (state) => (isDue(state) ? decidePause(state, "STORE_RESTORED") : []));
	}
	for (let after: PlanId | undefined; ; ) {
		const page: readonly PlanId[] = await store.openPlans(BATCH, after);
		for (const planId of page) await log.change(planId, ({ open }) => open.flatMap(decideRestored));
		after = page.at(-1);
		if (after === undefined) break;
	}
	await markFailed(store, log);
}

/**
 * Marks failed messages of occurrences that are over. Nothing else writes to plans yet, so the occurrences that are read here stay valid
 * until the change.
 */
async function markFailed(store: RestoredDeps["store"], log: RestoredDeps["log"]): Promise<void> {
	for (let after: OccurrenceId | undefined; ; ) {
		const page = await store.failedOccurrences(BATCH, after);
		for (const [planId, ended] of Map.groupBy(page, (one) => one.planId))
			await log.change(planId, () => ended.flatMap((occurrence) => decideRestored({ occurrence, claims: {} })));
		after = page.at(-1)?.occurrenceId;
		if (after === undefined) return;
	}
}

/** The due time that has come or, if several have passed, all of them combined into one; undefined if none has. */
async function dueTime(state: PlanState, now: number, catchUpMs: number): Promise<ComingDue | undefined> {
	const { plan, nextDueAt } = state;
	if (nextDueAt === undefined || !isDue(state) || millis(nextDueAt) > now) return undefined;
	const next = timesOf(scheduleTerms(plan));
	const passed = await passedTimes(millis(nextDueAt), now, next);
	const following = next(Math.max(now, passed.last));
	const isTooLate = now - passed.last > Math.max(plan.catchUp ?? catchUpMs, LATE_MS);
	return {
		kind: "scheduled",
		dueAt: timestamp(passed.last),
		nextDueAt: following === undefined ? undefined : timestamp(following),
		...omitUndefined({ missed: missedOf(passed, now, isTooLate) }),
		isTooLate,
	};
}

function isAsSeen(state: PlanState, seen: PlanState | undefined): boolean {
	return isDue(state) && state.nextDueAt === seen?.nextDueAt && state.plan.revision === seen?.plan.revision;
}
