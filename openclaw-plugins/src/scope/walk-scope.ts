import { isUtf8 } from "node:buffer";
import type { BigIntStats } from "node:fs";
import { compareBytes, type RejectedArtifact } from "@xworkmate/contracts";
import { isScopeError, type ScopeTree } from "@xworkmate/scope-tree";
import { type EntryRules, entryProblem } from "./entry-problem.ts";

/** No artifact's path is longer (contracts' artifactPathProblem), so nothing below could be accepted. */
const MAX_PATH_BYTES = 1024;
/** Bounds the descriptors a walk holds open. */
const MAX_DEPTH = 256;

export interface Walk {
	/** Paths of the files that may count, in byte order. */
	readonly files: readonly string[];
	readonly rejected: readonly RejectedArtifact[];
}

/**
 * Looks at everything below a tree's root without following anything. Every entry that is no folder is in
 * exactly one of the two lists. A folder that cannot be looked into stands for what is in it, as `path/`
 * (the root as `.`): unreadable or replaced = changed_while_reading, too deep = unsafe_name, beyond
 * `maxEntries` in all = too_many.
 */
export function walkScope(tree: ScopeTree, rules: EntryRules, maxEntries: number): Walk {
	return new ScopeWalk(tree, rules, maxEntries).run();
}

class ScopeWalk {
	readonly #tree: ScopeTree;
	readonly #rules: EntryRules;
	#left: number;
	readonly #files: string[] = [];
	readonly #rejected: RejectedArtifact[] = [];
	/** Folders still to be looked into; a stack, so that neighbours are visited one after the other. */
	readonly #pending: (readonly string[])[] = [[]];

	constructor(tree: ScopeTree, rules: EntryRules, maxEntries: number) {
		this.#tree = tree;
		this.#rules = rules;
		this.#left = maxEntries;
	}

	run(): Walk {
		for (let folder = this.#pending.pop(); folder !== undefined; folder = this.#pending.pop()) this.#look(folder);
		return { files: this.#files.sort(compareBytes), rejected: this.#rejected };
	}

	#look(folder: readonly string[]): void {
		const listing = this.#attempt(shown(folder), () => this.#tree.list(folder, this.#left));
		if (listing === undefined) return;
		if (!listing.complete) this.#rejected.push({ path: shown(folder), reason: "too_many" });
		this.#left -= listing.names.length;
		for (const name of listing.names) this.#visit(folder, name);
	}

	#visit(folder: readonly string[], name: Buffer): void {
		const path = [...folder, name.toString("utf8")];
		const joined = path.join("/");
		// Such a name cannot be spelled in the contract, nor addressed again by its text.
		if (!isUtf8(name)) {
			this.#reject(joined, "unsafe_name");
			return;
		}
		const stat = this.#attempt(joined, () => this.#tree.stat(path));
		if (stat?.isDirectory()) this.#queue(path, joined);
		else if (stat !== undefined) this.#judge(joined, stat);
	}

	#judge(path: string, stat: BigIntStats): void {
		const reason = entryProblem(path, stat, this.#rules);
		if (reason === undefined) this.#files.push(path);
		else this.#reject(path, reason);
	}

	#queue(path: readonly string[], joined: string): void {
		const isTooDeep = path.length > MAX_DEPTH || Buffer.byteLength(joined) > MAX_PATH_BYTES;
		if (isTooDeep) this.#reject(shown(path), "unsafe_name");
		else this.#pending.push(path);
	}

	#attempt<T>(path: string, step: () => T): T | undefined {
		try {
			return step();
		} catch (error) {
			if (!isScopeError(error)) throw error;
			this.#reject(path, "changed_while_reading");
			return undefined;
		}
	}

	#reject(path: string, reason: RejectedArtifact["reason"]): void {
		this.#rejected.push({ path, reason });
	}
}

function shown(folder: readonly string[]): string {
	return folder.length === 0 ? "." : `${folder.join("/")}/`;
}
