import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

/** How long a result is cached: short enough that "Check again" finds what has just been installed. */
const FRESH_MS = 1_000;

interface Found {
	readonly path: string | undefined;
	readonly at: number;
}

/** Finds commands on a PATH and caches the results for a second, because capabilities are requested often. */
export class CommandLookup {
	readonly #folders: readonly string[];
	readonly #now: () => number;
	readonly #answers = new Map<string, Found>();

	/** @param path the value of PATH; relative folders in it are skipped, because their meaning depends on the caller */
	constructor(path: string | undefined, now: () => number = Date.now) {
		this.#folders = (path ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
		this.#now = now;
	}

	/** The absolute path of an executable file; undefined if there is none. An absolute command is not searched for on PATH. */
	async find(command: string): Promise<string | undefined> {
		const known = this.#answers.get(command);
		if (known !== undefined && this.#now() - known.at < FRESH_MS) return known.path;
		const path = await this.#search(command);
		this.#answers.set(command, { path, at: this.#now() });
		return path;
	}

	async #search(command: string): Promise<string | undefined> {
		const candidates = isAbsolute(command) ? [command] : this.#folders.map((folder) => join(folder, command));
		for (const candidate of candidates) if (await isExecutableFile(candidate)) return candidate;
		return undefined;
	}
}

async function isExecutableFile(path: string): Promise<boolean> {
	try {
		await access(path, constants.X_OK);
		return (await stat(path)).isFile();
	} catch {
		return false;
	}
}
