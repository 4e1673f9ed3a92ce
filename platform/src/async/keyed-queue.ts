/** Runs the work for each key one piece at a time, in the order of the calls. */
export class KeyedQueue<Key> {
	/** For each key, settles when its last piece of work so far is done. */
	readonly #last = new Map<Key, Promise<unknown>>();

	/** Settles as `act` does, even if earlier work for the key failed. */
	add<T>(key: Key, act: () => Promise<T>): Promise<T> {
		const before = this.#last.get(key) ?? Promise.resolve();
		const done = before.then(act);
		const settled = done.catch(() => undefined);
		this.#last.set(key, settled);
		void settled.then(() => {
			if (this.#last.get(key) === settled) this.#last.delete(key);
		});
		return done;
	}
}
