import { ContractError, type RunId } from "@xworkmate/contracts";
import { diskFull, isDiskFull } from "../ports/disk-full.ts";
import type { LoggedEvent } from "../ports/run-event.ts";
import type { RunLog } from "../ports/run-service.ts";
import type { RunAppend, RunStore } from "../ports/run-store.ts";

/** A run that has events to write. */
export interface CommitSource {
	readonly runId: RunId;
	/** Everything that is not durable yet; undefined when nothing is. It stays the source's own until it is committed. */
	take(): RunAppend | undefined;
	/** What was taken is durable. */
	committed(append: RunAppend): void;
}

export interface CommitLogOptions {
	/** How long a store that fails is tried again, in milliseconds. One without space is tried for as long as it takes. */
	readonly retryForMs: number;
	/** A caller is answered that the disk is full after this long, and before twice as long. */
	readonly answerMs: number;
	/** Between two tries; 500 ms when absent. */
	readonly retryEveryMs?: number;
	/** The log cannot be written: the process must not continue. */
	readonly onFatal: (error: unknown) => void;
	readonly onRetry: (error: unknown) => void;
	/** The disk is full, and everything waits. */
	readonly onFull: (error: unknown) => void;
	/** There is space again, after so many milliseconds. */
	readonly onSpace: (waitedMs: number) => void;
}

const RETRY_EVERY_MS = 500;
/** A commit costs the same for one event as for fifty, and a delay of 10 ms is not noticeable. */
const GATHER_MS = 10;

/** What the log needs of the store. */
type CommitStore = Pick<RunStore, "append" | "readEvents">;

type Listener = (events: readonly LoggedEvent[]) => void;

/**
 * Group commit: everything that all runs had to say in one tick is one durable transaction, and
 * nothing is shown before it has ended (docs/architecture.md#the-one-idea).
 */
export class CommitLog implements RunLog {
	readonly #store: CommitStore;
	readonly #options: CommitLogOptions;
	readonly #dirty = new Set<CommitSource>();
	readonly #listeners = new Map<RunId, Set<Listener>>();
	readonly #followers = new Set<Listener>();
	#running: Promise<void> | undefined;
	#committedAt = Number.NEGATIVE_INFINITY;
	/** Ends the wait for more. */
	#hurry = Promise.withResolvers<void>();
	#hurried = false;
	/** Since when there is no space. */
	#full: { readonly since: number; readonly error: unknown } | undefined;
	commits = 0;

	constructor(store: CommitStore, options: CommitLogOptions) {
		this.#store = store;
		this.#options = options;
	}

	/** The log waits for space. */
	get isFull(): boolean {
		return this.#full !== undefined;
	}

	/** Asks for the source's pending events to be written now, and everything that gathers with them. */
	schedule(source: CommitSource): void {
		this.#hasten();
		this.gather(source);
	}

	/** Requests a commit within a moment, together with what follows: enough for text that is only shown. */
	gather(source: CommitSource): void {
		this.#dirty.add(source);
		this.#running ??= this.#drain().catch((error: unknown) => this.#tell(() => this.#options.onFatal(error)));
	}

	/** Settles once everything scheduled so far is durable. */
	async flushed(): Promise<void> {
		for (; this.#running !== undefined; await this.#running) this.#hasten();
	}

	/**
	 * Waits for `work`, which waits for the log, on behalf of a caller who has to be answered.
	 * @throws ContractError DISK_FULL, with `meanwhile`, while the log waits for space; the work continues
	 */
	async answered<T>(work: Promise<T>, meanwhile: string): Promise<T> {
		for (;;) {
			const { promise: late, resolve } = Promise.withResolvers<undefined>();
			const timer = setTimeout(() => resolve(undefined), this.#options.answerMs);
			try {
				const done = await Promise.race([work.then((value) => ({ value })), late]);
				if (done !== undefined) return done.value;
			} finally {
				clearTimeout(timer);
			}
			if (this.#full !== undefined) throw diskFull(meanwhile, this.#full.error);
		}
	}

	async read(runId: RunId, afterSeq: number, limit: number): Promise<readonly LoggedEvent[]> {
		const events = await this.#store.readEvents(runId, afterSeq, limit);
		if (events.length > 0 || afterSeq === 0) return events;
		const last = await this.#store.readEvents(runId, afterSeq - 1, 1);
		if (last.length === 0) throw new ContractError("SEQ_AHEAD", { detail: `The run has no event ${afterSeq}.` });
		return [];
	}

	onCommitted(runId: RunId, listener: Listener): () => void {
		const listeners = this.#listeners.get(runId) ?? new Set();
		this.#listeners.set(runId, listeners.add(listener));
		return () => {
			listeners.delete(listener);
			if (listeners.size === 0 && this.#listeners.get(runId) === listeners) this.#listeners.delete(runId);
		};
	}

	/** Calls back after each commit of any run. Returns the unsubscribe. */
	onAnyCommitted(listener: Listener): () => void {
		this.#followers.add(listener);
		return () => void this.#followers.delete(listener);
	}

	/** For a first event that was written with its intent. */
	announce(runId: RunId, events: readonly LoggedEvent[]): void {
		for (const listener of [...(this.#listeners.get(runId) ?? []), ...this.#followers]) this.#call(listener, events);
	}

	async #drain(): Promise<void> {
		// One turn of the event loop collects what belongs together.
		await new Promise((resolve) => setImmediate(resolve));
		try {
			while (this.#dirty.size > 0) {
				await this.#gathered();
				const sources = [...this.#dirty];
				this.#dirty.clear();
				try {
					await this.#commit(sources);
				} catch (error) {
					for (const source of sources) this.#dirty.add(source);
					throw error;
				}
				this.#committedAt = performance.now();
			}
		} finally {
			this.#running = undefined;
		}
	}

	#hasten(): void {
		this.#hurried = true;
		this.#hurry.resolve();
	}

	/** Settles when the next group is to be written. */
	async #gathered(): Promise<void> {
		const wait = this.#committedAt + GATHER_MS - performance.now();
		if (!this.#hurried && wait > 0) {
			const timer = setTimeout(this.#hurry.resolve, wait);
			await this.#hurry.promise;
			clearTimeout(timer);
		}
		this.#hurried = false;
		this.#hurry = Promise.withResolvers();
	}

	async #commit(sources: readonly CommitSource[]): Promise<void> {
		const taken = sources.flatMap((source) => {
			const append = source.take();
			return append === undefined ? [] : [{ source, append }];
		});
		if (taken.length === 0) return;
		await this.#write(taken.map(({ append }) => append));
		this.commits++;
		for (const { source, append } of taken) {
			source.committed(append);
			this.announce(append.runId, append.events);
		}
	}

	/** A full disk costs time alone; a log that stays unwritable for another reason ends the process, and the next start recovers. */
	async #write(batch: readonly RunAppend[]): Promise<void> {
		let failingSince: number | undefined;
		for (;;) {
			try {
				await this.#store.append(batch);
				this.#noteSpace();
				return;
			} catch (error) {
				if (isDiskFull(error)) {
					failingSince = undefined;
					this.#noteFull(error);
				} else {
					failingSince ??= Date.now();
					if (Date.now() - failingSince >= this.#options.retryForMs) throw error;
					this.#tell(() => this.#options.onRetry(error));
				}
				await new Promise((resolve) => setTimeout(resolve, this.#options.retryEveryMs ?? RETRY_EVERY_MS));
			}
		}
	}

	#noteFull(error: unknown): void {
		if (this.#full !== undefined) return;
		this.#full = { since: performance.now(), error };
		this.#tell(() => this.#options.onFull(error));
	}

	#noteSpace(): void {
		if (this.#full === undefined) return;
		const waitedMs = Math.round(performance.now() - this.#full.since);
		this.#full = undefined;
		this.#tell(() => this.#options.onSpace(waitedMs));
	}

	#call(listener: Listener, events: readonly LoggedEvent[]): void {
		try {
			listener(events);
		} catch (error) {
			this.#tell(() => this.#options.onRetry(error));
		}
	}

	/** Reports a failure. An error in the reporting must not lose events that wait to be written. */
	#tell(tell: () => void): void {
		try {
			tell();
		} catch {
			// The reporter itself failed, so there is nothing left to report to.
		}
	}
}
