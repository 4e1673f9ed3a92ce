import { ContractError, limits, type Plan, type PlanId, type Timestamp } from "@xworkmate/contracts";
import { pagesOf } from "../api/pages-of.ts";
import type { PlanCounts, PlansView } from "../api/plan-view.ts";
import { BridgeChanges } from "../bridge-client/bridge-changes.ts";
import type { BridgeClient, ClientBounds } from "../bridge-client/index.ts";
import type { PlanItem } from "../bridge-client/wire/plan-item.ts";
import type { AppEvents } from "../threads/app-events.ts";
import { timestamp } from "../threads/thread-repository.ts";

export interface PlanBookParts {
	readonly client: Pick<BridgeClient, "call" | "plans">;
	readonly bounds: ClientBounds;
	readonly events: AppEvents;
	readonly fault: (error: unknown) => void;
}

/**
 * The app's copy of the bridge's plans. The app lists them once, then keeps them up to date from the feed, which it resumes after the last
 * feedSeq. If the feed ends before that, because the bridge was replaced or restored from a backup, the app lists the plans again. The copy
 * is kept only in memory: the bridge owns the plans, and the app lists them again when it restarts.
 */
export class PlanBook {
	readonly #parts: PlanBookParts;
	readonly #changes: BridgeChanges<PlanItem>;
	readonly #stop = new AbortController();
	#plans: ReadonlyMap<PlanId, Plan> = new Map();
	/** The feedSeq after which to resume the feed; undefined if all plans have to be listed first. */
	#after: number | undefined;
	/**
	 * The last feedSeq of the bridge's feed when the feed was last opened. Until the copy has reached this feedSeq, the copy may be out of
	 * date.
	 */
	#behindUntil = 0;
	#known = false;
	#unread = 0;
	#asOf: Timestamp | undefined;
	#begun = false;

	constructor(parts: PlanBookParts) {
		this.#parts = parts;
		this.#changes = new BridgeChanges({
			bounds: parts.bounds,
			open: (signal) => this.#open(signal),
			take: (items) => this.#take(items),
			followed: (isFollowed) => this.#followed(isFollowed),
			fault: parts.fault,
		});
		parts.events.on("bridgeChanged", ({ state }) => {
			if (state === "connected") this.#changes.hurry();
		});
	}

	/** Begins to follow the bridge's plans; later calls do nothing. Called when a client follows changes or a plan, or reads the book. */
	follow(): void {
		if (this.#begun || this.#stop.signal.aborted) return;
		this.#begun = true;
		this.#changes.start();
	}

	get isFollowed(): boolean {
		return this.#changes.isFollowed;
	}

	countOf(isCounted: (plan: Plan) => boolean): number {
		return [...this.#plans.values()].filter(isCounted).length;
	}

	get counts(): PlanCounts {
		const needsReview = this.countOf((plan) => plan.needsReview > 0);
		return { needsReview, unread: this.#unread, known: this.#known, ...(this.#asOf !== undefined && { asOf: this.#asOf }) };
	}

	get view(): PlansView {
		const plans = [...this.#plans.values()].sort((a, b) => b.createdAt.localeCompare(a.createdAt) || b.planId.localeCompare(a.planId));
		return { ...this.counts, known: this.#known, plans };
	}

	/** Records the number of unread messages in the inbox, as reported by the bridge. */
	seeUnread(unread: number): void {
		if (unread === this.#unread) return;
		this.#unread = unread;
		this.#parts.events.emit("plansChanged");
	}

	async close(): Promise<void> {
		this.#stop.abort();
		await this.#changes.close();
	}

	async *#open(signal: AbortSignal): AsyncGenerator<readonly PlanItem[]> {
		// The last feedSeq is read before the feed is opened, because the feed does not say how much of it is left.
		if (this.#after !== undefined)
			this.#behindUntil = (await this.#parts.client.call("xworkmate.plans.list", { limit: 1 }, signal)).feedSeq;
		this.#after ??= await this.#list(signal).catch((error: unknown) => this.#noList(error));
		try {
			yield* this.#parts.client.plans({ afterFeedSeq: this.#after }, signal);
		} catch (error) {
			// This is a different bridge, or one that was restored from a backup, so its feed is not the one that was read before.
			if (error instanceof ContractError && error.code === "SEQ_AHEAD") {
				this.#after = undefined;
				this.#behindUntil = 0;
			}
			throw error;
		}
	}

	/** Lists every plan. Returns the feedSeq as of the first page, because later changes have to be read again. */
	async #list(signal: AbortSignal): Promise<number> {
		const { client } = this.#parts;
		const found = new Map<PlanId, Plan>();
		let feedSeq: number | undefined;
		for await (const page of pagesOf((after) => client.call("xworkmate.plans.list", { limit: limits.listMax, ...after }, signal))) {
			feedSeq ??= page.feedSeq;
			for (const plan of page.items) found.set(plan.planId, plan);
		}
		await this.#readUnread(signal);
		const gone = [...this.#plans.keys()].filter((planId) => !found.has(planId));
		this.#plans = found;
		this.#known = true;
		for (const planId of [...gone, ...found.keys()]) this.#parts.events.emit("planChanged", planId);
		this.#parts.events.emit("plansChanged");
		return feedSeq ?? 0;
	}

	/** An older bridge, without the method, has no plans, so its plans are known: there are none. */
	#noList(error: unknown): never {
		if (error instanceof ContractError && error.code === "METHOD_NOT_FOUND" && !this.#known) {
			this.#known = true;
			this.#parts.events.emit("plansChanged");
		}
		throw error;
	}

	async #take(items: readonly PlanItem[]): Promise<void> {
		const { signal } = this.#stop;
		// A plan that changed several times in a batch is read once, in its current state.
		for (const planId of new Set(items.map((item) => item.planId))) await this.#read(planId, signal);
		if (items.some(({ toInbox }) => toInbox)) await this.#readUnread(signal);
		this.#after = items.at(-1)?.feedSeq ?? this.#after;
		if (this.#isCaughtUp) this.#asOf = undefined;
		this.#parts.events.emit("plansChanged");
	}

	async #read(planId: PlanId, signal: AbortSignal): Promise<void> {
		const plan = await this.#parts.client.call("xworkmate.plans.get", { planId }, signal).catch((error: unknown) => {
			if (error instanceof ContractError && error.code === "NOT_FOUND") return undefined;
			throw error;
		});
		const plans = new Map(this.#plans);
		// A deleted plan stays while it needs the user, as in the bridge's list.
		if (plan === undefined || (plan.status === "deleted" && plan.needsReview === 0)) plans.delete(planId);
		else plans.set(planId, plan);
		this.#plans = plans;
		this.#parts.events.emit("planChanged", planId);
	}

	async #readUnread(signal: AbortSignal): Promise<void> {
		this.#unread = (await this.#parts.client.call("xworkmate.inbox.list", { limit: 1 }, signal)).unread;
	}

	get #isCaughtUp(): boolean {
		return (this.#after ?? 0) >= this.#behindUntil;
	}

	#followed(isFollowed: boolean): void {
		if (!isFollowed) this.#asOf ??= this.#known ? timestamp() : undefined;
		else if (this.#isCaughtUp) this.#asOf = undefined;
		this.#parts.events.emit("plansFollowed", isFollowed);
		this.#parts.events.emit("plansChanged");
	}
}
