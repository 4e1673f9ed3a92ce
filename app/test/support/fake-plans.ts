import type { ServerResponse } from "node:http";
import { ContractError, type Plan } from "@xworkmate/contracts";
import { z } from "zod";
import type { FakeBridge } from "./fake-bridge.ts";
import { beat } from "./fake-changes.ts";
import { AT } from "./fake-run.ts";

/** The plans of a fake bridge, as the test says them, and the feed of what happens to them. */
export class FakePlans {
	readonly plans = new Map<string, Plan>();
	unread = 0;
	/** The `afterFeedSeq` of every subscription. */
	readonly asked: number[] = [];
	/** Open streams. */
	open = 0;
	#feed: { readonly planId: string; readonly seq: number; readonly update: object }[] = [];
	readonly #readers = new Set<() => void>();

	constructor(bridge: FakeBridge) {
		bridge.plans = this;
		bridge.answers.set("xworkmate.plans.list", () => ({ items: [...this.plans.values()], feedSeq: this.#feed.length }));
		bridge.answers.set("xworkmate.plans.get", ({ planId }) => this.#find(planId));
		bridge.answers.set("xworkmate.inbox.list", () => ({ items: [], unread: this.unread }));
		bridge.answers.set("xworkmate.plans.updates", ({ planId, afterSeq }) => ({
			items: this.#feed.flatMap((event, at) => (event.planId === planId && event.seq > Number(afterSeq) ? [this.#updateOf(at)] : [])),
		}));
	}

	/** The plan is like this from now on, because of this update. */
	put(plan: Plan, update: object = { kind: "task:changed", plan }): void {
		this.plans.set(plan.planId, plan);
		const seq = this.#feed.filter(({ planId }) => planId === plan.planId).length + 1;
		this.#feed.push({ planId: plan.planId, seq, update });
		for (const reader of this.#readers) reader();
	}

	/** As a bridge that was restored from a backup: it has forgotten what happened. */
	forget(): void {
		this.#feed = [];
	}

	serve(response: ServerResponse, params: unknown): void {
		const { afterFeedSeq } = z.object({ afterFeedSeq: z.int() }).parse(params);
		this.asked.push(afterFeedSeq);
		if (afterFeedSeq > this.#feed.length) throw new ContractError("SEQ_AHEAD");
		response.writeHead(200, { "content-type": "text/event-stream" });
		let seen = afterFeedSeq;
		const follow = () => {
			for (; seen < this.#feed.length; seen++) {
				const data = { jsonrpc: "2.0", method: "plan.update", params: this.#updateOf(seen) };
				response.write(`id: ${seen + 1}\ndata: ${JSON.stringify(data)}\n\n`);
			}
		};
		response.write(`data: ${JSON.stringify(beat)}\n\n`);
		const heartbeat = setInterval(() => response.write(`data: ${JSON.stringify(beat)}\n\n`), 50);
		this.#readers.add(follow);
		this.open += 1;
		response.on("close", () => {
			clearInterval(heartbeat);
			this.#readers.delete(follow);
			this.open -= 1;
		});
		follow();
	}

	#find(planId: unknown): Plan {
		const plan = this.plans.get(String(planId));
		if (plan === undefined) throw new ContractError("NOT_FOUND");
		return plan;
	}

	#updateOf(at: number): object {
		const { planId, seq, update } = this.#feed[at] ?? { planId: "", seq: 0, update: {} };
		return { planId, seq, feedSeq: at + 1, at: AT, status: this.plans.get(planId)?.status ?? "completed", update };
	}
}
