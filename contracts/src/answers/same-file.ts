/** Whether two names may refer to the same file: they are equal, or one is the end of the other. */
export function isSameFile(one: string, other: string): boolean {
	const [long, short] = [one, other].map(plainPath).sort((a, b) => b.length - a.length);
	if (long === undefined || short === undefined || short === "") return false;
	return long === short || long.endsWith(`/${short}`);
}

/**
 * The path in one spelling: without "./" at its beginning, and with each accented letter as one character, if there is such a character.
 */
export function plainPath(path: string): string {
	return path.normalize("NFC").replace(/^(?:\.\/)+/, "");
}

/** The maximum number of endings by which a path is found. The whole path is always found. */
const DEEPEST = 30;

/** Names of files, indexed so that finding a name that may refer to a given file does not compare all of them. */
export class FileNames {
	readonly #paths: ReadonlySet<string>;
	readonly #ends: ReadonlySet<string>;

	constructor(paths: Iterable<string>) {
		this.#paths = new Set([...paths].map(plainPath).filter((path) => path !== ""));
		this.#ends = new Set([...this.#paths].flatMap(endsOf));
	}

	get isEmpty(): boolean {
		return this.#paths.size === 0;
	}

	/** True if one of the names may refer to this file, by the rule of `isSameFile`. */
	has(file: string): boolean {
		const path = plainPath(file);
		return path !== "" && (this.#paths.has(path) || this.#ends.has(path) || endsOf(path).some((end) => this.#paths.has(end)));
	}
}

/** The path relative to each of the folders that contain the file: `b/c.md` and `c.md` for `a/b/c.md`. */
function endsOf(path: string): readonly string[] {
	const ends: string[] = [];
	for (let at = path.lastIndexOf("/"); at >= 0 && ends.length < DEEPEST; at = at === 0 ? -1 : path.lastIndexOf("/", at - 1)) {
		if (at + 1 < path.length) ends.push(path.slice(at + 1));
	}
	return ends;
}
