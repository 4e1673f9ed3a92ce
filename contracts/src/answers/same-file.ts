/** The last part of a path. */
export function fileName(path: string): string {
	return path.slice(path.lastIndexOf("/") + 1);
}

/** Whether two names may refer to the same file: they are equal, or one is the end of the other. */
export function isSameFile(one: string, other: string): boolean {
	const [long, short] = [one, other].map(plain).sort((a, b) => b.length - a.length);
	if (long === undefined || short === undefined || short === "") return false;
	return long === short || long.endsWith(`/${short}`);
}

function plain(path: string): string {
	return path.replace(/^(?:\.\/)+/, "");
}

/** Names of files, in which one that may refer to the same file is found without comparing all of them. */
export class FileNames {
	readonly #byName: ReadonlyMap<string, readonly string[]>;

	constructor(paths: Iterable<string>) {
		this.#byName = Map.groupBy(new Set(paths), fileName);
	}

	get isEmpty(): boolean {
		return this.#byName.size === 0;
	}

	/** True if one of the names may refer to this file. */
	has(file: string): boolean {
		return this.#byName.get(fileName(file))?.some((path) => isSameFile(path, file)) === true;
	}
}
