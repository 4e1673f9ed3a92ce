import type { PlanId } from "@xworkmate/contracts";

/** How many plans are examined at once. */
const MOST = 8;

/** A queue of plans to examine. Each plan is examined by one worker at a time, and examined again if it is added during that time. */
export class PlanQueue {
	readonly #attend: (planId: PlanId) => Promise<void>;
	readonly #waiting = new Set<PlanId>();
	readonly #working = new Map<PlanId, Promise<void>>();
	#isClosed = false;

	/** `attend` never rejects. */
	constructor(attend: (planId: PlanId) => Promise<void>) {
		this.#attend = attend;
	}

	add(planId: PlanId): void {
		if (this.#isClosed) return;
		this.#waiting.add(planId);
		this.#begin();
	}

	/** Settles once no plan is being examined any longer. */
	async close(): Promise<void> {
		this.#isClosed = true;
		this.#waiting.clear();
		await Promise.all(this.#working.values());
	}

	#begin(): void {
		for (const planId of this.#waiting) {
			if (this.#working.size >= MOST) return;
			if (this.#working.has(planId)) continue;
			this.#waiting.delete(planId);
			const done = this.#attend(planId).finally(() => {
				this.#working.delete(planId);
				this.#begin();
			});
			this.#working.set(planId, done);
		}
	}
}
