import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ActionId, type DeliveryAction, PlanId, type Timestamp } from "@xworkmate/contracts";
import { placed, planView } from "../../../src/plans/domain/plan-state.ts";
import { timestamp } from "../../../src/ports/clock.ts";
import type { Claim, FedPlanEvent, OpenOccurrence, PlanEvent, PlanState } from "../../../src/ports/plans/plan-event.ts";
import type { PlanStore } from "../../../src/ports/plans/plan-store.ts";
import { openBridgeDatabase } from "../../../src/store/sqlite/file/bridge-database.ts";
import { DATABASE_FILE } from "../../../src/store/sqlite/index.ts";
import { createPlanStore } from "../../../src/store/sqlite/tables/plan-store.ts";
import { found, making, second } from "../../store/contracts/plan-fixture.ts";

/** A sender's memory of what it has claimed; it may be out of date. */
interface Memory {
	readonly actionId: ActionId;
	readonly claim: Claim;
}

/** One plan in a real store, a clock that is set at will, and bridges that come and go. */
export class PlanWorld implements AsyncDisposable {
	readonly planId = PlanId.parse("p");
	readonly store: PlanStore;
	readonly log: FedPlanEvent[] = [];
	readonly claimed: Memory[] = [];
	now = Date.parse(second(0));
	epoch = 0;
	readonly #close: () => Promise<void>;

	private constructor(store: PlanStore, close: () => Promise<void>) {
		this.store = store;
		this.#close = close;
	}

	static async open(delivery: readonly unknown[], overlap: "skip" | "queue"): Promise<PlanWorld> {
		const home = mkdtempSync(join(tmpdir(), "xworkmate-plans-"));
		const db = openBridgeDatabase(join(home, DATABASE_FILE));
		// What a power cut would undo is not looked at here.
		db.pragma("synchronous = OFF");
		const world = new PlanWorld(createPlanStore(db), async () => {
			db.close();
			await rm(home, { recursive: true, force: true });
		});
		world.epoch = await world.store.beginEpoch(second(0));
		const made = await world.store.append(making("p", world.epoch, { delivery, overlap, nextDueAt: second(60) }));
		if (made.kind === "appended") world.log.push(...made.events);
		return world;
	}

	get at(): Timestamp {
		return timestamp(this.now);
	}

	state(): Promise<PlanState> {
		return found(this.store, this.planId);
	}

	/** Writes what is decided from the stored state, as a bridge of the given epoch. @returns what was committed */
	async write(decide: (state: PlanState) => readonly PlanEvent[], epoch = this.epoch): Promise<readonly FedPlanEvent[]> {
		const state = await this.state();
		const events = decide(state);
		if (events.length === 0) return [];
		const next = placed(state, events, this.at);
		const result = await this.store.append({ planId: this.planId, ...next, view: planView(next.state), epoch });
		if (result.kind === "behind") throw new Error("nobody else writes");
		this.log.push(...result.events);
		return result.events;
	}

	[Symbol.asyncDispose](): Promise<void> {
		return this.#close();
	}
}

/** The words that leave. */
export function textOf({ occurrence }: Pick<OpenOccurrence, "occurrence">, { content }: DeliveryAction): string | undefined {
	return content ?? occurrence.deliverable?.text;
}
