import type { ThreadId, TurnId } from "@xworkmate/contracts";
import type { TurnEvent } from "../../core/app-api.ts";
import { eventsRoute } from "../../core/ui-routes.ts";
import { emptyTurn, foldEvents, type TurnView } from "../model/turn-view.ts";
import { AppRefusal, type RefusedLine } from "./app-refusal.ts";
import { callApp } from "./call-app.ts";
import { readLines } from "./read-lines.ts";
import { Store } from "./store.ts";

const PAGE = 1000;
const PAUSE_MS = 1_000;

export interface FollowedTurn {
	readonly view: TurnView;
	/** `live` = its stream is open; `idle` = nothing was read yet. */
	readonly state: "idle" | "reading" | "live" | "read" | "failed";
	readonly problem?: string;
	/** It was seen while it happened, so that its steps stay where they are when it ends. */
	readonly seenLive: boolean;
}

/** Reads one turn: what is stored, and, while it is under way, what happens. One render a frame, however many updates. */
export class TurnFollower {
	readonly turn = new Store<FollowedTurn>({ view: emptyTurn, state: "idle", seenLive: false });
	readonly #threadId: ThreadId;
	readonly #turnId: TurnId;
	#waiting: TurnEvent[] = [];
	#frame: number | undefined;
	#stop = new AbortController();

	constructor(threadId: ThreadId, turnId: TurnId) {
		this.#threadId = threadId;
		this.#turnId = turnId;
	}

	/** Begins or carries on; a turn under way is followed to its end. */
	follow(underWay: boolean): void {
		const { state } = this.turn.value;
		if (state === "reading" || state === "live" || (state === "read" && !underWay)) return;
		this.#stop = new AbortController();
		this.#set({ state: "reading" });
		void this.#run(underWay, this.#stop.signal);
	}

	leave(): void {
		this.#stop.abort();
		if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
		this.#flush();
		if (this.turn.value.state !== "read") this.#set({ state: "idle" });
	}

	async #run(underWay: boolean, signal: AbortSignal): Promise<void> {
		for (;;) {
			try {
				await this.#readStored(signal);
				if (underWay) await this.#readLive(signal);
				this.#flush();
				this.#set({ state: "read" });
				return;
			} catch (error) {
				if (signal.aborted) return;
				if (error instanceof AppRefusal && error.code === "THREAD_NOT_FOUND") return this.#set({ state: "failed", problem: error.message });
				await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
				if (signal.aborted) return;
			}
		}
	}

	async #readStored(signal: AbortSignal): Promise<void> {
		for (let more = true; more && !signal.aborted; ) {
			const afterSeq = this.turn.value.view.seq;
			const page = await callApp("readUpdates", { threadId: this.#threadId, turnId: this.#turnId, afterSeq, limit: PAGE });
			this.#take(page.updates.map((update) => ({ type: "update", update })));
			this.#flush();
			more = page.more && page.updates.length > 0;
		}
	}

	async #readLive(signal: AbortSignal): Promise<void> {
		this.#set({ state: "live", seenLive: true });
		const path = eventsRoute(this.#threadId, this.#turnId, this.turn.value.view.seq);
		for await (const event of readLines<TurnEvent | RefusedLine | { readonly type: "alive" }>(path, signal)) {
			if (event.type === "alive") continue;
			if (event.type === "refused") throw new AppRefusal(event.failure.code, event.failure.message);
			this.#take([event]);
			if (event.type === "ended") return;
		}
		throw new AppRefusal("STREAM_ENDED", "the stream ended before the turn");
	}

	#take(events: readonly TurnEvent[]): void {
		this.#waiting.push(...events);
		this.#frame ??= requestAnimationFrame(() => this.#flush());
	}

	#flush(): void {
		this.#frame = undefined;
		const events = this.#waiting;
		if (events.length === 0) return;
		this.#waiting = [];
		this.#set({ view: foldEvents(this.turn.value.view, events) });
	}

	#set(change: Partial<FollowedTurn>): void {
		this.turn.set({ ...this.turn.value, ...change });
	}
}
