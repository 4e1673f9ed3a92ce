/** Runs the work for each key one piece at a time, in the order of the calls. */
export class Lines<Key> {
	readonly #last = new Map<Key, Promise<unknown>>();

	/** Settles as `act` does, even if earlier work for the key failed. */
	inLine<T>(key: Key, act: () => Promise<T>): Promise<T> {
		const before = this.#last.get(key) ?? Promise.resolve();
		const done = before.then(act);
		const line = done.catch(() => undefined);
		this.#last.set(key, line);
		void line.then(() => {
			if (this.#last.get(key) === line) this.#last.delete(key);
		});
		return done;
	}
}
