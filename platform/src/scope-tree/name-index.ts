import { caseFold } from "@xworkmate/contracts";

/** Distinguishes paths as a case-insensitive, normalizing disk would. */
export class NameIndex {
	readonly #files = new Map<string, number>();
	readonly #directories = new Set<string>();

	add(path: string): void {
		const key = caseFold(path);
		this.#files.set(key, (this.#files.get(key) ?? 0) + 1);
		for (const ancestor of ancestors(key)) this.#directories.add(ancestor);
	}

	/**
	 * True if, on such a disk, the path would be the same as another path in the index, or one of them would need a folder where the other
	 * has a file.
	 */
	clashes(path: string): boolean {
		return this.#clashes(path, 0);
	}

	/** Like `clashes`, but for a path that is itself in the index. */
	clashesWithOthers(path: string): boolean {
		return this.#clashes(path, 1);
	}

	#clashes(path: string, itself: number): boolean {
		const key = caseFold(path);
		if ((this.#files.get(key) ?? 0) > itself || this.#directories.has(key)) return true;
		return ancestors(key).some((ancestor) => this.#files.has(ancestor));
	}
}

function ancestors(key: string): readonly string[] {
	const found: string[] = [];
	for (let at = key.indexOf("/"); at !== -1; at = key.indexOf("/", at + 1)) found.push(key.slice(0, at));
	return found;
}
