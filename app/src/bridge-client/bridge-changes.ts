import { setTimeout as pause } from "node:timers/promises";
import { ContractError, limits } from "@xworkmate/contracts";
import type { ClientBounds } from "./wire/client-bounds.ts";
import { failureVerdict } from "./wire/failure-verdict.ts";

export interface BridgeChangesOptions<Item> {
	readonly bounds: ClientBounds;
	/** Opens the stream after the last item that was processed. If the bridge serves the stream, its first batch is empty. */
	readonly open: (signal: AbortSignal) => AsyncIterable<readonly Item[]>;
	/** Receives changes in order. If it throws, the stream ends, and the next one resumes after the last item that was processed. */
	readonly take: (items: readonly Item[]) => Promise<void>;
	/** Called when the bridge begins or stops serving changes. */
	readonly followed: (isFollowed: boolean) => void;
	readonly fault: (error: unknown) => void;
}

/** Follows one of the bridge's endless streams, reconnecting after every drop, until closed. */
export class BridgeChanges<Item> {
	readonly #options: BridgeChangesOptions<Item>;
	readonly #stop = new AbortController();
	/** Ends the pause before the next attempt. */
	#resting = new AbortController();
	#running: Promise<void> = Promise.resolve();
	#failures = 0;
	#isFollowed = false;

	constructor(options: BridgeChangesOptions<Item>) {
		this.#options = options;
	}

	get isFollowed(): boolean {
		return this.#isFollowed;
	}

	start(): void {
		this.#running = this.#run();
	}

	/** Connects at once, because the bridge is reachable again. An open stream is left alone. */
	hurry(): void {
		this.#resting.abort();
	}

	async close(): Promise<void> {
		this.#stop.abort();
		await this.#running;
	}

	async #run(): Promise<void> {
		const { signal } = this.#stop;
		while (!signal.aborted) {
			this.#resting = new AbortController();
			const waitMs = await this.#follow(signal).catch((error: unknown) => this.#failed(error));
			this.#show(false);
			const wake = AbortSignal.any([signal, this.#resting.signal]);
			await pause(waitMs, undefined, { signal: wake }).catch(() => undefined);
		}
	}

	async #follow(signal: AbortSignal): Promise<number> {
		const { open, take } = this.#options;
		let isOpen = false;
		for await (const items of open(signal)) {
			if (signal.aborted) break;
			this.#show(true);
			if (items.length > 0) await take(items);
			// Reset after the first batch that follows the empty one, not when the stream was opened: otherwise a change that always fails would
			// be retried without a pause.
			if (isOpen) this.#failures = 0;
			isOpen = true;
		}
		return 0;
	}

	/** Returns how long to wait before the next attempt, in milliseconds. */
	#failed(error: unknown): number {
		const { bounds, fault } = this.#options;
		if (this.#stop.signal.aborted) return 0;
		if (failureVerdict(error) === undefined) fault(error);
		// An older bridge does not have this method. The call is repeated after a long pause, or as soon as a bridge is reachable again,
		// because that may be a newer one.
		if (error instanceof ContractError && error.code === "METHOD_NOT_FOUND") return limits.unresolvedAskMs;
		const full = Math.min(bounds.backoffMaxMs, bounds.backoffMinMs * 2 ** Math.min(this.#failures, 16));
		this.#failures += 1;
		return full * (0.5 + Math.random() / 2);
	}

	#show(isFollowed: boolean): void {
		if (isFollowed === this.#isFollowed) return;
		this.#isFollowed = isFollowed;
		this.#options.followed(isFollowed);
	}
}
