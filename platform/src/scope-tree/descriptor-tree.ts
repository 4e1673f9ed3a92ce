import { type BigIntStats, closeSync, lstatSync, openSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { READ_DIRECTORY, READ_FILE } from "../files/open-flags.ts";
import { mountPointsIn } from "./mount-points.ts";
import { readNames } from "./read-names.ts";
import { ScopeMovedError } from "./scope-error.ts";
import type { Listing, ScopeTree } from "./scope-tree.ts";

interface OpenDirectory {
	readonly name: string;
	readonly descriptor: number;
}

const below = (descriptor: number, name: string) => `/proc/self/fd/${descriptor}/${name}`;

/**
 * Linux: every step opens one name below the parent's descriptor without following links (openat through /proc/self/fd), so the kernel
 * refuses a directory that is swapped for a link during the walk. The kernel must also report an opened file at the expected path: a
 * directory moved out of the scope does not count.
 */
class DescriptorTree implements ScopeTree {
	readonly #realRoot: string;
	readonly #root: number;
	readonly #mounts: ReadonlySet<string>;
	/** The directories that are open now, outermost first. Paths arrive in order, so most steps reuse them. */
	readonly #chain: OpenDirectory[] = [];

	constructor(realRoot: string) {
		this.#realRoot = realRoot;
		this.#root = openSync(realRoot, READ_DIRECTORY);
		this.#mounts = new Set(mountPointsIn(realRoot));
	}

	list(directory: readonly string[], limit: number): Listing {
		return readNames(`/proc/self/fd/${this.#enter(directory)}`, limit);
	}

	stat(path: readonly string[]): BigIntStats {
		return lstatSync(below(this.#enter(path.slice(0, -1)), path.at(-1) ?? "."), { bigint: true });
	}

	isMount(path: readonly string[]): boolean {
		return this.#mounts.size > 0 && this.#mounts.has(join(this.#realRoot, ...path));
	}

	open(path: readonly string[]): number {
		const descriptor = openSync(below(this.#enter(path.slice(0, -1)), path.at(-1) ?? "."), READ_FILE);
		try {
			if (readlinkSync(`/proc/self/fd/${descriptor}`) === join(this.#realRoot, ...path)) return descriptor;
			throw new ScopeMovedError("the opened file is not in the scope");
		} catch (error) {
			closeSync(descriptor);
			throw error;
		}
	}

	forget(): void {
		for (const { descriptor } of this.#chain.splice(0)) closeSync(descriptor);
	}

	[Symbol.dispose](): void {
		this.forget();
		closeSync(this.#root);
	}

	#enter(directory: readonly string[]): number {
		const shared = this.#chain.findIndex((open, index) => open.name !== directory[index]);
		if (shared !== -1) for (const { descriptor } of this.#chain.splice(shared)) closeSync(descriptor);
		for (const name of directory.slice(this.#chain.length)) {
			const parent = this.#chain.at(-1)?.descriptor ?? this.#root;
			this.#chain.push({ name, descriptor: openSync(below(parent, name), READ_DIRECTORY) });
		}
		return this.#chain.at(-1)?.descriptor ?? this.#root;
	}
}

/**
 * Opens a tree by descriptors (Linux).
 * @throws the system error if the root is a link or not a directory
 */
export function openDescriptorTree(realRoot: string): ScopeTree {
	return new DescriptorTree(realRoot);
}
