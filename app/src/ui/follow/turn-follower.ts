import type { ThreadId, TurnId } from "@xworkmate/contracts";
import type { TurnEvent } from "../../api/app-api.ts";
import { eventsRoute } from "../../api/ui-routes.ts";
import { AppRefusal, type RefusedLine } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { readLines } from "../connection/read-lines.ts";
import { Store } from "../connection/store.ts";
import { emptyTurn, foldEvents, type TurnView } from "../turn/turn-view.ts";
import { RenderThrottle } from "./render-throttle.ts";

const PAGE = 1000;
const PAUSE_MS = 1_000;

export interface FollowedTurn {
	readonly view: TurnView;
	/** `live`: the turn is being followed; `isOpen` says whether its stream is open now. `idle`: the turn is not being read. */
	readonly state: "idle" | "reading" | "live" | "read" | "failed";
	readonly problem?: string;
	/** True while the turn's stream is open, so that the connection state in the view is current. */
	readonly isOpen: boolean;
	/** True if the turn was shown while it was active. Its steps then stay visible when it ends. */
	readonly seenLive: boolean;
}

/** Reads one turn: its stored events and, while it is active, new ones. All updates since the last render cause a single render. */
export class TurnFollower {
	readonly turn = new Store<FollowedTurn>({ view: emptyTurn, state: "idle", isOpen: false, seenLive: false });
	readonly #threadId: ThreadId;
	readonly #turnId: TurnId;
	readonly #waiting: TurnEvent[] = [];
	readonly #pace = new RenderThrottle();
	readonly #opened: () => void;
	#stop = new AbortController();
	/** The `lastSeq` of the newest read. */
	#soughtSeq = 0;

	/** @param opened called whenever the app has opened the turn's stream */
	constructor(threadId: ThreadId, turnId: TurnId, opened: () => void = () => {}) {
		this.#opened = opened;
		this.#threadId = threadId;
		this.#turnId = turnId;
	}

	/**
	 * Begins or continues reading. An active turn is followed to its end. `lastSeq` is the last update that the turn's snapshot names: if the
	 * app had given up on the turn, updates up to this one may have arrived since the turn was read. A read that ended without them is not
	 * repeated for the same `lastSeq`, because each return to the page would otherwise remove what the page shows instead of them.
	 */
	follow(underWay: boolean, lastSeq = 0): void {
		const { state, view } = this.turn.value;
		const isAllRead = view.seq >= lastSeq || lastSeq === this.#soughtSeq;
		if (state === "reading" || state === "live" || (state === "read" && !underWay && isAllRead)) return;
		this.#soughtSeq = lastSeq;
		this.#stop = new AbortController();
		this.#set({ state: "reading", view: withoutLostEnd(view) });
		void this.#run(underWay, this.#stop.signal);
	}

	leave(): void {
		this.#stop.abort();
		this.#pace.cancel();
		this.#flush();
		this.#set({ isOpen: false });
		if (this.turn.value.state !== "read") this.#set({ state: "idle" });
	}

	async #run(underWay: boolean, signal: AbortSignal): Promise<void> {
		for (;;) {
			try {
				await this.#readStored(signal);
				if (underWay) await this.#readLive(signal);
				this.#flush();
				this.#set({ state: "read", isOpen: false });
				return;
			} catch (error) {
				if (signal.aborted) return;
				this.#set({ isOpen: false });
				if (error instanceof AppRefusal && error.code.endsWith("_NOT_FOUND")) return this.#set({ state: "failed", problem: error.message });
				await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
				if (signal.aborted) return;
			}
		}
	}

	async #readStored(signal: AbortSignal): Promise<void> {
		let afterSeq = this.turn.value.view.seq;
		for (let more = true; more && !signal.aborted; ) {
			const page = await callApp("readUpdates", { threadId: this.#threadId, turnId: this.#turnId, afterSeq, limit: PAGE });
			if (signal.aborted) return;
			for (const update of page.updates) this.#waiting.push({ type: "update", update });
			afterSeq = page.updates.at(-1)?.seq ?? afterSeq;
			more = page.more && page.updates.length > 0;
		}
		// Stored events are shown at once, however many there are.
		this.#flush();
	}

	async #readLive(signal: AbortSignal): Promise<void> {
		this.#set({ state: "live", seenLive: true });
		const path = eventsRoute(this.#threadId, this.#turnId, this.turn.value.view.seq);
		const opened = () => {
			if (signal.aborted) return;
			// An earlier stream's report of lost contact is out of date. If contact is still lost, the new stream reports it again.
			this.#waiting.push({ type: "connection_restored" });
			this.#flush();
			this.#set({ isOpen: true });
			this.#opened();
		};
		for await (const event of readLines<TurnEvent | RefusedLine | { readonly type: "alive" }>(path, signal, opened)) {
			if (event.type === "alive") continue;
			if (event.type === "refused") throw new AppRefusal(event.failure.code, event.failure.message);
			this.#waiting.push(event);
			this.#pace.ask(() => this.#flush());
			if (event.type === "ended") return;
		}
		throw new AppRefusal("STREAM_ENDED", "the stream ended before the run did");
	}

	#flush(): void {
		const events = this.#waiting.splice(0);
		if (events.length > 0) this.#set({ view: foldEvents(this.turn.value.view, events) });
	}

	#set(change: Partial<FollowedTurn>): void {
		this.turn.set({ ...this.turn.value, ...change });
	}
}

/**
 * Removes the end of a turn that the app had given up on and that is being read again: the app has resumed the turn, or its end is known
 * now.
 */
function withoutLostEnd(view: TurnView): TurnView {
	if (view.ended?.turn.status !== "unresolved") return view;
	const { ended: _, ...rest } = view;
	return rest;
}
