import type { TurnSink } from "../ports/agents/provider.ts";
import type { ProviderUpdate } from "../ports/runs/run-event.ts";

/** Passes a turn's updates to its log one after another, and shows whether the log is behind, so that the agent can be paused. */
export class UpdateQueue {
	readonly #sink: Pick<TurnSink, "emit">;
	readonly #limit: number;
	#pending = 0;
	#last: Promise<void> = Promise.resolve();
	#room: PromiseWithResolvers<void> | undefined;
	#failure: { readonly error: unknown } | undefined;
	readonly #failed = Promise.withResolvers<"failed">();

	constructor(sink: Pick<TurnSink, "emit">, limit: number) {
		this.#sink = sink;
		this.#limit = limit;
	}

	/**
	 * Adds an update. `complete` makes the update's final form when its turn comes, because its content is not known earlier. Never throws.
	 */
	push(update: ProviderUpdate, complete?: (update: ProviderUpdate) => Promise<ProviderUpdate>): void {
		this.#pending++;
		this.#last = this.#last.then(async () => {
			try {
				if (this.#failure === undefined) await this.#sink.emit(complete === undefined ? update : await complete(update));
			} catch (error) {
				this.fail(error);
			}
			this.#pending--;
			if (this.full) return;
			this.#room?.resolve();
			this.#room = undefined;
		});
	}

	/** Records a failure of the bridge, for example that the log cannot be written. Only the first failure is kept. */
	fail(error: unknown): void {
		this.#failure ??= { error };
		this.#failed.resolve("failed");
	}

	/** Settles on the first failure; otherwise never. */
	get failed(): Promise<"failed"> {
		return this.#failed.promise;
	}

	/** True if nothing more should be pushed before `ready` settles. */
	get full(): boolean {
		return this.#pending >= this.#limit;
	}

	/** Settles when more updates can be pushed. */
	async ready(): Promise<void> {
		if (!this.full) return;
		this.#room ??= Promise.withResolvers<void>();
		await this.#room.promise;
	}

	/** True once there was a failure. */
	get broken(): boolean {
		return this.#failure !== undefined;
	}

	/** Waits for everything pushed so far. Resolves to true if all of it is in the log, and to false if the log has failed. */
	async written(): Promise<boolean> {
		await this.#last;
		return this.#failure === undefined;
	}

	/**
	 * Settles when everything pushed so far is in the log.
	 * @throws errors of the sink, which are the bridge's and not the agent's
	 */
	async drained(): Promise<void> {
		await this.#last;
		if (this.#failure !== undefined) throw this.#failure.error;
	}
}
