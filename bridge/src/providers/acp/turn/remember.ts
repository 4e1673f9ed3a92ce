/** How many entries a map of a turn's calls or files keeps. */
const REMEMBERED = 500;

/** Sets an entry, and keeps only the newest ones. */
export function remember<K, V>(entries: Map<K, V>, key: K, value: V): void {
	entries.delete(key);
	entries.set(key, value);
	const [oldest] = entries.keys();
	if (entries.size > REMEMBERED && oldest !== undefined) entries.delete(oldest);
}
