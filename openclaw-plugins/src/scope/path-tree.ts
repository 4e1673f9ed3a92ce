import { type BigIntStats, closeSync, fstatSync, lstatSync, openSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { READ_FILE } from "./open-flags.ts";
import { readNames } from "./read-names.ts";
import { ScopeMovedError } from "./scope-error.ts";
import type { Listing, ScopeTree } from "./scope-tree.ts";

/**
 * Where there is no path to a descriptor (macOS, Windows): the parent must resolve to itself before and
 * after each step, and the opened file must be the one that lies at the path afterwards.
 */
export class PathTree implements ScopeTree {
	readonly #realRoot: string;

	constructor(realRoot: string) {
		this.#realRoot = realRoot;
	}

	list(folder: readonly string[], limit: number): Listing {
		const path = join(this.#realRoot, ...folder);
		return this.#held(path, () => readNames(path, limit));
	}

	stat(path: readonly string[]): BigIntStats {
		const parent = join(this.#realRoot, ...path.slice(0, -1));
		return this.#held(parent, () => lstatSync(join(parent, path.at(-1) ?? "."), { bigint: true }));
	}

	open(path: readonly string[]): number {
		const parent = join(this.#realRoot, ...path.slice(0, -1));
		const file = join(parent, path.at(-1) ?? ".");
		const descriptor = openSync(file, READ_FILE);
		try {
			const opened = fstatSync(descriptor, { bigint: true });
			const found = this.#held(parent, () => lstatSync(file, { bigint: true }));
			if (found.dev === opened.dev && found.ino === opened.ino) return descriptor;
			throw new ScopeMovedError("the opened file does not lie in the scope");
		} catch (error) {
			closeSync(descriptor);
			throw error;
		}
	}

	forget(): void {}

	[Symbol.dispose](): void {}

	#held<T>(folder: string, step: () => T): T {
		this.#check(folder);
		const result = step();
		this.#check(folder);
		return result;
	}

	#check(folder: string): void {
		if (realpathSync(folder) !== folder) throw new ScopeMovedError("a folder of the scope was replaced");
	}
}
