/** Many enough that a bucket stays short, few enough that they are copied quickly. */
const BUCKETS = 256;

type Bucket<Value> = readonly (readonly [key: string, value: Value])[];

/**
 * A map that never changes: `with` makes the next one, and copies only a small part of this one. A run's state has one for what grows with
 * every call, since copying all of it for each event would take quadratic time.
 */
export class PersistentMap<Value> {
	readonly size: number;
	readonly #buckets: readonly (Bucket<Value> | undefined)[];

	constructor(size = 0, buckets: readonly (Bucket<Value> | undefined)[] = []) {
		this.size = size;
		this.#buckets = buckets;
	}

	get(key: string): Value | undefined {
		return this.#buckets[bucketOf(key)]?.find(([present]) => present === key)?.[1];
	}

	with(key: string, value: Value): PersistentMap<Value> {
		const at = bucketOf(key);
		const bucket = this.#buckets[at] ?? [];
		const place = bucket.findIndex(([present]) => present === key);
		const buckets = this.#buckets.slice();
		buckets[at] = place === -1 ? [...bucket, [key, value]] : bucket.with(place, [key, value]);
		return new PersistentMap(place === -1 ? this.size + 1 : this.size, buckets);
	}

	/** In no particular order. */
	*values(): Generator<Value> {
		for (const bucket of this.#buckets) for (const [, value] of bucket ?? []) yield value;
	}
}

function bucketOf(key: string): number {
	let hash = 0;
	for (let index = 0; index < key.length; index++) hash = (hash * 31 + key.charCodeAt(index)) | 0;
	return (hash >>> 0) % BUCKETS;
}
