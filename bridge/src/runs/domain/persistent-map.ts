/**
 * The number of groups, and of buckets in each group: enough to keep buckets short, while adding a key copies only 32 places and a bucket.
 */
const GROUP = 16;

type Bucket<Value> = readonly (readonly [key: string, value: Value])[];
type Groups<Value> = readonly (readonly (Bucket<Value> | undefined)[] | undefined)[];

/**
 * A map that never changes: `with` returns a new map and copies only a small part of the old one. A run's state uses it for everything that
 * grows with every call, because copying all of that for each event would take quadratic time.
 */
export class PersistentMap<Value> {
	readonly size: number;
	readonly #groups: Groups<Value>;

	constructor(size = 0, groups: Groups<Value> = []) {
		this.size = size;
		this.#groups = groups;
	}

	get(key: string): Value | undefined {
		const hash = hashOf(key);
		return this.#groups[groupOf(hash)]?.[placeIn(hash)]?.find(([present]) => present === key)?.[1];
	}

	with(key: string, value: Value): PersistentMap<Value> {
		const hash = hashOf(key);
		const groups = this.#groups.slice();
		const group = groups[groupOf(hash)]?.slice() ?? [];
		const bucket = group[placeIn(hash)] ?? [];
		const at = bucket.findIndex(([present]) => present === key);
		group[placeIn(hash)] = at === -1 ? [...bucket, [key, value]] : bucket.with(at, [key, value]);
		groups[groupOf(hash)] = group;
		return new PersistentMap(at === -1 ? this.size + 1 : this.size, groups);
	}

	/** Yields the values in no particular order. */
	*values(): Generator<Value> {
		for (const group of this.#groups) for (const bucket of group ?? []) for (const [, value] of bucket ?? []) yield value;
	}
}

function hashOf(key: string): number {
	let hash = 0;
	for (let index = 0; index < key.length; index++) hash = (hash * 31 + key.charCodeAt(index)) | 0;
	return hash >>> 0;
}

function groupOf(hash: number): number {
	return Math.floor(hash / GROUP) % GROUP;
}

function placeIn(hash: number): number {
	return hash % GROUP;
}
