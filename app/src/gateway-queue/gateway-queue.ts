import type { Capabilities, ThreadId } from "@xworkmate/contracts";
import type { GatewayQueueLimits, GatewayQueuePosition, GatewayQueueView, QueuePause } from "../api/app-api.ts";
import { failureVerdict } from "../bridge-client/index.ts";
import type { Admission, GatewayTurn, TurnKey } from "../threads/index.ts";
import { gatewayPause, passesByItself } from "./gateway-pause.ts";
import { admit, assumedLimits, drainOpenClawGatewayQueue, type GatewayQueueState, placesOf, queueStateOf } from "./gateway-queue-state.ts";

export interface GatewayQueueParts {
	/** Turns of the gateway target that are in progress, in the order they were written. */
	readonly turns: () => readonly GatewayTurn[];
	readonly capabilities: (signal: AbortSignal) => Promise<Capabilities>;
	/** Starts a waiting turn: records it as drained, then submits it. */
	readonly submit: (key: TurnKey) => void;
	/** Asks about unresolved runs, because they may still hold slots. */
	readonly askUnresolved: () => Promise<void>;
	/** Called when positions or the pause may have changed. */
	readonly changed: (state: GatewayQueueState, paused: QueuePause | undefined) => void;
	readonly fault: (error: unknown) => void;
	/** How long to wait before asking the bridge again while turns wait, in milliseconds. */
	readonly askMs: number;
}

/**
 * The app's own OpenClaw queue (docs/protocol.md#openclaw-queue). The turns are its only record, so it is rebuilt from them after a
 * restart. It starts the next turn when a run has ended and when the bridge answers again. While turns wait, it asks the bridge every
 * `askMs` whether the bridge and its gateway are available.
 */
export class GatewayQueue {
	readonly #parts: GatewayQueueParts;
	readonly #stop = new AbortController();
	#limits: GatewayQueueLimits | undefined;
	#paused: QueuePause | undefined;
	#rounds: Promise<void> | undefined;
	/** What the next round has to do. `ask`: if turns are waiting, ask the bridge even if no slot is free. */
	#again: "look" | "ask" | undefined;
	#timer: NodeJS.Timeout | undefined;
	#open = false;

	constructor(parts: GatewayQueueParts) {
		this.#parts = parts;
	}

	/** Starts draining the queue. */
	open(): void {
		if (this.#open) return;
		this.#open = true;
		this.ask();
	}

	/** Adopts the limits that the bridge reported, no matter which caller asked for them. */
	learn({ limits }: Pick<Capabilities, "limits">): void {
		this.#limits = limits.openclaw;
		this.look();
	}

	/** What happens to a turn that is sent in the current tick. */
	admit(): Admission {
		this.open();
		return admit(queueStateOf(this.#parts.turns()), this.limits);
	}

	get limits(): GatewayQueueLimits {
		return this.#limits ?? assumedLimits;
	}

	/** The queue's contents and, if it is paused, the reason. */
	get view(): GatewayQueueView {
		const state = queueStateOf(this.#parts.turns());
		return { limits: this.limits, ...state, ...(this.#paused && { paused: this.#paused }) };
	}

	/** The position of each thread whose turn is waiting. */
	get places(): ReadonlyMap<ThreadId, GatewayQueuePosition> {
		const places = placesOf(queueStateOf(this.#parts.turns()), this.#paused);
		return new Map(places.map(({ threadId, place }) => [threadId, place]));
	}

	/**
	 * Call this when the bridge has refused a turn because of its gateway: asks the bridge for the cause. If it is temporary, pauses the
	 * queue and returns true, so that the turn may wait.
	 */
	async mayWait(): Promise<boolean> {
		const pause = await this.#askBridge();
		if (pause === undefined || !passesByItself(pause)) return false;
		this.#paused = pause;
		return true;
	}

	/** Call this after a turn has been added or removed, or has released its slot. */
	look(): void {
		this.#wake("look");
	}

	/** Call this when contact with the bridge is lost or restored: the bridge is asked even if no slot is free. */
	ask(): void {
		this.#wake("ask");
	}

	async close(): Promise<void> {
		this.#stop.abort();
		this.#unsetTimer();
		await this.#rounds;
	}

	#wake(wish: "look" | "ask"): void {
		if (!this.#open || this.#stop.signal.aborted) return;
		if (this.#again !== "ask") this.#again = wish;
		this.#rounds ??= this.#run();
	}

	async #run(): Promise<void> {
		// Deferred by a microtask, because the caller may be in the middle of a change.
		await Promise.resolve();
		while (this.#again !== undefined && !this.#stop.signal.aborted) {
			const wish = this.#again;
			this.#again = undefined;
			try {
				await this.#round(wish);
			} catch (error) {
				this.#parts.fault(error);
				this.#later();
			}
		}
		// Cleared in the same tick that found nothing more to do, so that a request from now on starts a new round.
		this.#rounds = undefined;
	}

	async #round(wish: "look" | "ask"): Promise<void> {
		const state = this.#show();
		if (state.waiting.length === 0) {
			this.#unsetTimer();
			this.#paused = undefined;
			return;
		}
		const due = this.#paused !== undefined || this.#limits === undefined || drainOpenClawGatewayQueue(state, this.limits).length > 0;
		if (wish === "look" && !due) {
			if (this.#timer === undefined) this.#later();
			return;
		}
		const wasPaused = this.#paused !== undefined;
		this.#paused = await this.#askBridge();
		if (this.#stop.signal.aborted) return;
		this.#later();
		if (wasPaused && this.#paused === undefined) await this.#parts.askUnresolved();
		if (this.#stop.signal.aborted) return;
		if (this.#paused === undefined) this.#drain();
		this.#show();
	}

	/** Fetches the limits; returns why no turn may be sent now, or undefined if turns may be sent. */
	async #askBridge(): Promise<QueuePause | undefined> {
		const { signal } = this.#stop;
		try {
			const capabilities = await this.#parts.capabilities(signal);
			this.#limits = capabilities.limits.openclaw;
			return gatewayPause(capabilities);
		} catch (error) {
			const verdict = failureVerdict(error);
			if (verdict === undefined && !signal.aborted) throw error;
			return verdict?.detail;
		}
	}

	#drain(): void {
		// Read again, because turns may have been cancelled or sent while the bridge was being asked.
		for (const key of drainOpenClawGatewayQueue(queueStateOf(this.#parts.turns()), this.limits)) this.#parts.submit(key);
	}

	#show(): GatewayQueueState {
		const state = queueStateOf(this.#parts.turns());
		this.#parts.changed(state, this.#paused);
		return state;
	}

	#later(): void {
		this.#unsetTimer();
		if (this.#stop.signal.aborted) return;
		this.#timer = setTimeout(() => {
			this.#timer = undefined;
			this.ask();
		}, this.#parts.askMs);
	}

	#unsetTimer(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
	}
}
