import { diskFull, isDiskFull } from "../ports/disk-full.ts";
import { type EventLog, type EventTexts, type LogStore, type StreamAppend, seqAhead } from "../ports/event-log.ts";

/** A stream that has events to write. */
export interface CommitSource<Id, Append extends StreamAppend> {
	readonly id: Id;
	/** Everything that is not durable yet; undefined if there is nothing. The source keeps these events until they are committed. */
	take(): Append | undefined;
	/** Called when the taken append is durable. */
	committed(append: Append): void;
}

export interface CommitLogOptions {
	/** How long writes to a failing store are retried, in milliseconds. If the disk is full, they are retried without limit. */
	readonly retryForMs: number;
	/** While the disk is full, a waiting caller gets an error after this long at the latest. */
	readonly answerMs: number;
	/** Delay between two retries; 500 ms if absent. */
	readonly retryEveryMs?: number;
	/** How long events that are not urgent wait for others; 10 ms if absent. */
	readonly gatherMs?: number;
	/** Called when the log cannot be written: the process must not continue. */
	readonly onFatal: (error: unknown) => void;
	readonly onRetry: (error: unknown) => void;
	/** Called when the disk is full, so that all writes have to wait. */
	readonly onFull: (error: unknown) => void;
	/** Called when there is space again, after `waitedMs` milliseconds. */
	readonly onSpace: (waitedMs: number) => void;
}

const RETRY_EVERY_MS = 500;
/** The default gathering delay: a commit costs the same for one event as for fifty, and 10 ms are not noticeable. */
const GATHER_MS = 10;

type Listener<Append extends StreamAppend> = (events: Append["events"]) => void;

/**
 * Group commit: the waiting events of all streams are written in one durable transaction, and nothing is shown before it has been committed
 * (docs/architecture.md#the-one-idea).
 */
export class CommitLog<Id, Append extends StreamAppend> implements EventLog<Id, Append> {
	readonly #store: LogStore<Id, Append>;
	readonly #options: CommitLogOptions;
	readonly #dirty = new Set<CommitSource<Id, Append>>();
	readonly #listeners = new Map<Id, Set<Listener<Append>>>();
	readonly #anyListeners = new Set<(id: Id, events: Append["events"]) => void>();
	#running: Promise<void> | undefined;
	#committedAt = Number.NEGATIVE_INFINITY;
	/** Resolved to end the gathering delay. */
	#hurry = Promise.withResolvers<void>();
	#hurried = false;
	/** Set while the disk is full. */
	#full: { readonly since: number; readonly error: unknown } | undefined;
	commits = 0;

	constructor(store: LogStore<Id, Append>, options: CommitLogOptions) {
		this.#store = store;
		this.#options = options;
	}

	/** True while the log waits for space. */
	get isFull(): boolean {
		return this.#full !== undefined;
	}

	/** Requests that the source's pending events be written now, along with everything gathered so far. */
	schedule(source: CommitSource<Id, Append>): void {
		this.#hasten();
		this.gather(source);
	}

	/** Requests a commit soon, together with the events that follow. Suitable for text that is only displayed. */
	gather(source: CommitSource<Id, Append>): void {
		this.#dirty.add(source);
		this.#running ??= this.#drain().catch((error: unknown) => this.#tell(() => this.#options.onFatal(error)));
	}

	/** Settles once everything scheduled so far is durable, or the log has given up (`onFatal`). */
	async flushed(): Promise<void> {
		for (; this.#running !== undefined; await this.#running) this.#hasten();
	}

	/**
	 * Waits for `work`, which depends on the log, on behalf of a caller who must get an answer.
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

	async read(id: Id, afterSeq: number, limit: number): Promise<Append["events"]> {
		const events = await this.#store.readEvents(id, afterSeq, limit);
		if (events.length === 0) await this.#checkExists(id, afterSeq);
		return events;
	}

	async readTexts(id: Id, afterSeq: number, size: number): Promise<EventTexts<Append>> {
		const texts = await this.#store.readTexts(id, afterSeq, size);
		if (texts.length === 0) await this.#checkExists(id, afterSeq);
		return texts;
	}

	async #checkExists(id: Id, seq: number): Promise<void> {
		if (seq > 0 && (await this.#store.readTexts(id, seq - 1, 1)).length === 0) throw seqAhead(seq);
	}

	onCommitted(id: Id, listener: Listener<Append>): () => void {
		const listeners = this.#listeners.get(id) ?? new Set();
		this.#listeners.set(id, listeners.add(listener));
		return () => {
			listeners.delete(listener);
			if (listeners.size === 0 && this.#listeners.get(id) === listeners) this.#listeners.delete(id);
		};
	}

	onCommittedAny(listener: (id: Id, events: Append["events"]) => void): () => void {
		this.#anyListeners.add(listener);
		return () => void this.#anyListeners.delete(listener);
	}

	/** Announces durable events. Called from outside for a stream's first events, which were written with its intent. */
	announce(id: Id, events: Append["events"]): void {
		for (const listener of [...(this.#listeners.get(id) ?? [])]) this.#call(() => listener(events));
		for (const listener of [...this.#anyListeners]) this.#call(() => listener(id, events));
	}

	async #drain(): Promise<void> {
		// Everything scheduled within one turn of the event loop is written together.
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

	/** Settles when it is time to write the next group. */
	async #gathered(): Promise<void> {
		const wait = this.#committedAt + (this.#options.gatherMs ?? GATHER_MS) - performance.now();
		if (!this.#hurried && wait > 0) {
			const timer = setTimeout(this.#hurry.resolve, wait);
			await this.#hurry.promise;
			clearTimeout(timer);
		}
		this.#hurried = false;
		this.#hurry = Promise.withResolvers();
	}

	async #commit(sources: readonly CommitSource<Id, Append>[]): Promise<void> {
		const taken = sources.flatMap((source) => {
			const append = source.take();
			return append === undefined ? [] : [{ source, append }];
		});
		if (taken.length === 0) return;
		await this.#write(taken.map(({ append }) => append));
		this.commits++;
		for (const { source, append } of taken) {
			source.committed(append);
			this.announce(source.id, append.events);
		}
	}

	/** A full disk only delays the write; any other lasting failure ends the process, and the next start recovers. */
	async #write(batch: readonly Append[]): Promise<void> {
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

	#call(listener: () => void): void {
		try {
			listener();
		} catch (error) {
			this.#tell(() => this.#options.onRetry(error));
		}
	}

	/** Reports a failure. An error in the reporter must not lose events that are waiting to be written. */
	#tell(tell: () => void): void {
		try {
			tell();
		} catch {
			// The reporter itself failed, so the failure cannot be reported.
		}
	}
}
