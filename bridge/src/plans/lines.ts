/** Work of the same key, one piece after the other, in the order in which it was asked for. */
export class Lines<Key> {
	readonly #last = new Map<Key, Promise<unknown>>();

	/** Settles as `act` does. What was asked for before may fail. */
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
