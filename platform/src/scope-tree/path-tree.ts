import { type BigIntStats, closeSync, fstatSync, lstatSync, openSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { systemErrorCode } from "../errors/system-error.ts";
import { READ_FILE } from "../files/open-flags.ts";
import { readNames } from "./read-names.ts";
import { ScopeMovedError } from "./scope-error.ts";
import type { Listing, ScopeTree } from "./scope-tree.ts";

/**
 * For systems without paths to descriptors (macOS, Windows): the parent must resolve to itself before and after each step, and the opened
 * file must be the one at the path afterwards. An attacker who swaps a directory back and forth several times within one step could get
 * past this. Linux is not affected, because it uses DescriptorTree.
 */
class PathTree implements ScopeTree {
	readonly #realRoot: string;
	readonly #device: bigint;

	constructor(realRoot: string) {
		this.#realRoot = realRoot;
		const stat = lstatSync(realRoot, { bigint: true });
		if (!stat.isDirectory()) throw Object.assign(new Error("not a directory"), { code: "ENOTDIR" });
		this.#device = stat.dev;
	}

	list(directory: readonly string[], limit: number): Listing {
		const path = join(this.#realRoot, ...directory);
		return this.#held(path, () => readNames(path, limit));
	}

	stat(path: readonly string[]): BigIntStats {
		const parent = join(this.#realRoot, ...path.slice(0, -1));
		return this.#held(parent, () => lstatSync(join(parent, path.at(-1) ?? "."), { bigint: true }));
	}

	isMount(_path: readonly string[], stat: BigIntStats): boolean {
		return stat.dev !== this.#device;
	}

	open(path: readonly string[]): number {
		const parent = join(this.#realRoot, ...path.slice(0, -1));
		const file = join(parent, path.at(-1) ?? ".");
		const descriptor = openSync(file, READ_FILE);
		try {
			const opened = fstatSync(descriptor, { bigint: true });
			const found = this.#held(parent, () => lstatSync(file, { bigint: true }));
			if (found.dev === opened.dev && found.ino === opened.ino) return descriptor;
			throw new ScopeMovedError("the opened file is not in the scope");
		} catch (error) {
			closeSync(descriptor);
			throw error;
		}
	}

	forget(): void {}

	[Symbol.dispose](): void {}

	#held<T>(directory: string, step: () => T): T {
		this.#check(directory);
		const result = step();
		this.#check(directory);
		return result;
	}

	#check(directory: string): void {
		if (resolveReal(directory) !== directory) throw new ScopeMovedError("a directory of the scope was replaced");
	}
}

function resolveReal(path: string): string | undefined {
	try {
		return realpathSync(path);
	} catch (error) {
		if (systemErrorCode(error) === "ENOENT") return undefined;
		throw error;
	}
}

/**
 * Opens a tree by checked paths.
 * @throws the system error if the root is not a directory
 */
export function openPathTree(realRoot: string): ScopeTree {
	return new PathTree(realRoot);
}
