import type { Approval, ThreadId } from "@xworkmate/contracts";
import type { PlanCounts } from "../api/plan-view.ts";
import type { AppState, BridgeView, ThreadSummary } from "../api/ui-api.ts";
import type { PendingApprovals } from "../approvals/pending-approvals.ts";
import type { BridgeWatch } from "../doctor/bridge-watch.ts";
import type { GatewayQueue } from "../gateway-queue/index.ts";
import type { PlanBook } from "../plans/plan-book.ts";
import type { SurfaceStore } from "../store/surface-store.ts";
import { needsUser, planStateOf, runsNowOf } from "../text/plans/plan-runs.ts";
import { timestamp } from "../threads/thread-repository.ts";
import type { ThreadSummaries } from "../threads/thread-summaries.ts";
import type { ChangeSource } from "./change-feed.ts";

export interface SmallStateParts {
	readonly store: Pick<SurfaceStore, "drafts">;
	readonly summaries: ThreadSummaries;
	readonly approvals: PendingApprovals;
	readonly gatewayQueue: Pick<GatewayQueue, "view">;
	readonly bridge: BridgeWatch;
	readonly plans: Pick<PlanBook, "counts" | "countOf">;
}

/** The state of the whole app, as every page shows it. */
export class SmallState implements ChangeSource {
	readonly #parts: SmallStateParts;

	constructor(parts: SmallStateParts) {
		this.#parts = parts;
	}

	state(): AppState {
		const { summaries, approvals } = this.#parts;
		const { gatewayQueue, bridge, grants, plans, newDraft } = this;
		return {
			...{ serverTime: timestamp(), threads: summaries.all(), approvals: approvals.pending, gatewayQueue, bridge, plans },
			...(grants && { grants }),
			...(newDraft && { newDraft }),
		};
	}

	thread(threadId: ThreadId): ThreadSummary | undefined {
		return this.#parts.summaries.get(threadId);
	}

	get grants(): readonly Approval[] | undefined {
		return this.#parts.approvals.grants;
	}

	get newDraft(): AppState["newDraft"] {
		return this.#parts.store.drafts.get(undefined);
	}

	get gatewayQueue(): AppState["gatewayQueue"] {
		return this.#parts.gatewayQueue.view;
	}

	get plans(): PlanCounts {
		const { plans, summaries, approvals } = this.#parts;
		const now = runsNowOf(summaries.all(), approvals.pending);
		return { ...plans.counts, needsYou: plans.countOf((plan) => needsUser(plan, planStateOf(plan, now))) };
	}

	get bridge(): BridgeView {
		return this.#parts.bridge.view;
	}
}
