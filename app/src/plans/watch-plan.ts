import type { PlanId } from "@xworkmate/contracts";
import { limits } from "@xworkmate/contracts";
import { AutoResetEvent } from "@xworkmate/platform/async";
import type { PlanLine } from "../api/plan-view.ts";
import { type BridgeClient, failureVerdict } from "../bridge-client/index.ts";
import type { AppEvents } from "../threads/app-events.ts";
import type { PlanBook } from "./plan-book.ts";

export interface WatchParts {
	readonly client: Pick<BridgeClient, "call">;
	readonly events: AppEvents;
	readonly book: Pick<PlanBook, "follow" | "isFollowed">;
}

/**
 * A plan's log after a seq, in order and without gaps, followed by new entries until the reader leaves. If the bridge becomes unavailable,
 * the log continues where it stopped as soon as the bridge is back.
 */
export function watchPlan(
	{ client, events, book }: WatchParts,
	{ planId, afterSeq = 0 }: { readonly planId: PlanId; readonly afterSeq?: number },
): AsyncIterableIterator<PlanLine> {
	const rung = new AutoResetEvent();
	const ring = (changed?: PlanId | boolean) => {
		if (changed === planId || typeof changed === "boolean") rung.set();
	};
	events.on("planChanged", ring);
	events.on("plansFollowed", ring);
	const stop = new AbortController();
	const leave = () => {
		stop.abort();
		rung.close();
		events.off("planChanged", ring);
		events.off("plansFollowed", ring);
	};
	book.follow();
	const lines = follow();
	return {
		[Symbol.asyncIterator]() {
			return this;
		},
		next: () => lines.next(),
		return: () => {
			leave();
			return lines.return(undefined);
		},
	};

	async function* follow(): AsyncGenerator<PlanLine, undefined> {
		let seq = afterSeq;
		let isLost = false;
		try {
			while (!rung.closed) {
				const page = await readPage(seq);
				if (page === undefined && !isLost) yield { type: "connection_lost" };
				if (page !== undefined && isLost) yield { type: "connection_restored" };
				isLost = page === undefined;
				for (const update of page ?? []) {
					seq = update.seq;
					yield { type: "update", update };
				}
				// If anything has changed since the page was read, the event is set, so no change is missed.
				if (page === undefined || page.length === 0) await rung.wait();
			}
		} finally {
			leave();
		}
	}

	/** Undefined if the bridge does not answer. The page is requested again when the feed of plans is followed again. */
	async function readPage(afterSeq: number) {
		try {
			return (await client.call("xworkmate.plans.updates", { planId, afterSeq, limit: limits.listMax }, stop.signal)).items;
		} catch (error) {
			if (stop.signal.aborted || failureVerdict(error)?.again === true) return undefined;
			throw error;
		}
	}
}
