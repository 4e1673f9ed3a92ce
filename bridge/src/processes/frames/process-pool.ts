/** What a pool needs of the processes it holds. */
export interface Pooled {
	readonly alive: boolean;
	kill(): Promise<void>;
}

export interface ProcessPoolOptions<P extends Pooled> {
	readonly start: () => Promise<P>;
	/** A process unused for this long is ended. */
	readonly idleMs: number;
}

/** Processes that take long to start and serve one caller at a time: one is kept ready, as many as are asked for may be out. */
export class ProcessPool<P extends Pooled> {
	readonly #options: ProcessPoolOptions<P>;
	readonly #ending = new Set<Promise<unknown>>();
	readonly #out = new Set<P>();
	/** The process that is kept; undefined once it proved not to be reusable. */
	#ready: Promise<P | undefined> | undefined;
	#idle: NodeJS.Timeout | undefined;
	#closed = false;

	constructor(options: ProcessPoolOptions<P>) {
		this.#options = options;
	}

	/** Starts one for the next caller, unless one is ready. */
	prepare(): void {
		if (this.#closed || this.#ready !== undefined) return;
		const starting = this.#options.start();
		// The caller that takes it gets the failure.
		starting.catch(() => undefined);
		this.#ready = starting;
		this.#waitIdle();
	}

	/** @throws what starting one throws */
	async take(): Promise<P> {
		if (this.#closed) throw new Error("the pool is closed");
		const ready = await this.#takeReady();
		const taken = ready ?? (await this.#options.start());
		if (this.#closed) {
			this.end(taken);
			throw new Error("the pool is closed");
		}
		this.#out.add(taken);
		return taken;
	}

	/**
	 * Gives one back that can be used again as soon as `usable` says so; it is ended when that says it cannot.
	 * Who comes meanwhile waits for the answer rather than for the start of another.
	 */
	giveBack(process: P, usable: Promise<boolean> = Promise.resolve(true)): void {
		if (!process.alive || this.#closed || this.#ready !== undefined) {
			this.end(process);
			return;
		}
		this.#out.delete(process);
		this.#ready = usable.then((isUsable) => {
			if (isUsable) return process;
			this.end(process);
			return undefined;
		});
		this.#waitIdle();
	}

	/** Ends one that cannot. */
	end(process: P): void {
		this.#out.delete(process);
		const ending = process
			.kill()
			.catch(() => undefined) // What is left of it stays in the ledger for the next start.
			.finally(() => this.#ending.delete(ending));
		this.#ending.add(ending);
	}

	/** Ends all of them, also those that are out. */
	async close(): Promise<void> {
		this.#closed = true;
		await this.#endReady();
		for (const process of this.#out) this.end(process);
		await Promise.all(this.#ending);
	}

	/** Ends the one that is kept ready. */
	async #endReady(): Promise<void> {
		clearTimeout(this.#idle);
		const ready = await this.#ready?.catch(() => undefined);
		this.#ready = undefined;
		if (ready !== undefined) this.end(ready);
	}

	async #takeReady(): Promise<P | undefined> {
		clearTimeout(this.#idle);
		const ready = this.#ready;
		this.#ready = undefined;
		const process = await ready;
		if (process === undefined || process.alive) return process;
		this.end(process);
		return undefined;
	}

	#waitIdle(): void {
		clearTimeout(this.#idle);
		this.#idle = setTimeout(() => void this.#endReady(), this.#options.idleMs).unref();
	}
}
