import type { PlanId } from "@xworkmate/contracts";
import type { JSONRPCID } from "json-rpc-2.0";
import type { FedPlanEvent } from "../../ports/plans/plan-event.ts";
import type { PlanFeed } from "../../ports/plans/plan-service.ts";
import type { StreamWriter } from "../reply/stream-writer.ts";
import { planFrames, resultFrame } from "./event-frames.ts";

/** How many updates are read at once. */
export const PLAN_PAGE = 64;

interface PlanPlace {
	readonly planId: PlanId | undefined;
	readonly afterFeedSeq: number;
}

/**
 * Sends the events of plans to one reader, page by page from the store, at the reader's pace. A stream of all plans ends with the
 * connection. A stream of one plan also ends with the response, once that plan is over and everything has been sent.
 */
export class PlanStream {
	readonly #feed: PlanFeed;
	readonly #writer: StreamWriter;
	readonly #planId: PlanId | undefined;
	readonly #id: JSONRPCID;
	#rung = Promise.withResolvers<void>();

	constructor(feed: PlanFeed, { planId }: PlanPlace, id: JSONRPCID, writer: StreamWriter) {
		this.#feed = feed;
		this.#planId = planId;
		this.#id = id;
		this.#writer = writer;
	}

	/** Sends events until the plan is over or the reader has disconnected. `after`: the feedSeq after which the first page began. */
	begin(firstPage: readonly FedPlanEvent[], after: number): void {
		this.#writer.onClosed(this.#feed.onChanged(() => this.#rung.resolve()));
		this.#writer.onClosed(() => this.#rung.resolve());
		// If the store cannot be read, the connection is cut. The reader then resumes where it was, and gets the error if it persists.
		void this.#follow(firstPage, after).catch(() => this.#writer.cut());
	}

	async #follow(firstPage: readonly FedPlanEvent[], after: number): Promise<void> {
		for (let page = firstPage, cursor = after; this.#writer.isOpen; ) {
			if (page.length > 0) this.#writer.write(planFrames(page));
			cursor = page.at(-1)?.feedSeq ?? cursor;
			await this.#writer.drained();
			// Reset before the page is read, so that a commit during the read triggers the next one.
			this.#rung = Promise.withResolvers();
			// Checked before the page is read: if the plan is over by then, an empty page means that everything was sent.
			const isOver = this.#planId !== undefined && (await this.#feed.isOver(this.#planId));
			page = await this.#feed.read({ afterFeedSeq: cursor, limit: PLAN_PAGE, ...(this.#planId && { planId: this.#planId }) });
			if (page.length > 0 || !this.#writer.isOpen) continue;
			if (isOver) this.#writer.end(resultFrame(cursor, this.#id, JSON.stringify({ items: [], feedSeq: cursor })));
			else await this.#rung.promise;
		}
	}
}
