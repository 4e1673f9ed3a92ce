import { isUtf8 } from "node:buffer";
import type { BigIntStats } from "node:fs";
import { compareBytes, type RejectedArtifact } from "@xworkmate/contracts";
import { type EntryRules, entryProblem } from "./entry-problem.ts";
import { isScopeError } from "./scope-error.ts";
import type { ScopeTree } from "./scope-tree.ts";

/** No artifact's path may be longer (contracts' artifactPathProblem), so nothing deeper could be accepted. */
const MAX_PATH_BYTES = 1024;
/** Limits how many descriptors a walk holds open. */
const MAX_DEPTH = 256;

export interface WalkOptions {
	readonly rules: EntryRules;
	/** How many more entries may be examined; walks that share a budget are limited together. */
	readonly budget: { entries: number };
	/** Directories to skip without reporting them: the reader's own. */
	readonly isOwn?: (directory: string) => boolean;
	/** Throws to stop the walk. */
	readonly checkAbort?: () => void;
}

export interface Walk {
	/** Paths of the files that may count, in byte order. */
	readonly files: readonly string[];
	readonly rejected: readonly RejectedArtifact[];
}

/**
 * Examines everything below a tree's root without following links. Every examined entry other than a directory is in exactly one of the two
 * lists. A directory that was not read, or not to its end, is itself listed as rejected, as `path/` (the root as `.`): unreadable or
 * replaced = changed_while_reading, too deep = unsafe_name, beyond the entry limit = too_many, covered by a mount = mount.
 */
export function walkScope(tree: ScopeTree, options: WalkOptions): Walk {
	return new ScopeWalk(tree, options).run();
}

class ScopeWalk {
	readonly #tree: ScopeTree;
	readonly #options: WalkOptions;
	readonly #files: string[] = [];
	readonly #rejected: RejectedArtifact[] = [];
	/** Directories still to be read; a stack, so that neighbors are visited one after the other. */
	readonly #pending: (readonly string[])[] = [[]];

	constructor(tree: ScopeTree, options: WalkOptions) {
		this.#tree = tree;
		this.#options = options;
	}

	run(): Walk {
		for (let directory = this.#pending.pop(); directory !== undefined; directory = this.#pending.pop()) this.#look(directory);
		return { files: this.#files.sort(compareBytes), rejected: this.#rejected };
	}

	#look(directory: readonly string[]): void {
		const { budget } = this.#options;
		const listing = this.#attempt(shown(directory), () => this.#tree.list(directory, budget.entries));
		if (listing === undefined) return;
		if (!listing.complete) this.#rejected.push({ path: shown(directory), reason: "too_many" });
		budget.entries -= listing.names.length;
		for (const name of listing.names) this.#visit(directory, name);
	}

	#visit(directory: readonly string[], name: Buffer): void {
		this.#options.checkAbort?.();
		const text = name.toString("utf8");
		const path = [...directory, text];
		const joined = path.join("/");
		// The contract cannot express a name that is not UTF-8, so the file could never be requested.
		if (!isUtf8(name)) {
			this.#rejected.push({ path: joined, reason: "unsafe_name" });
			return;
		}
		const stat = this.#attempt(joined, () => this.#tree.stat(path));
		if (stat === undefined) return;
		if (this.#tree.isMount(path, stat)) this.#rejected.push({ path: stat.isDirectory() ? shown(path) : joined, reason: "mount" });
		else if (stat.isDirectory()) this.#queue(path, joined);
		else this.#judge(joined, stat);
	}

	#judge(path: string, stat: BigIntStats): void {
		const reason = entryProblem(path, stat, this.#options.rules);
		if (reason === undefined) this.#files.push(path);
		else this.#rejected.push({ path, reason });
	}

	#queue(path: readonly string[], joined: string): void {
		if (this.#options.isOwn?.(joined)) return;
		if (path.length > MAX_DEPTH || Buffer.byteLength(joined) > MAX_PATH_BYTES) {
			this.#rejected.push({ path: shown(path), reason: "unsafe_name" });
		} else this.#pending.push(path);
	}

	#attempt<T>(path: string, step: () => T): T | undefined {
		try {
			return step();
		} catch (error) {
			if (!isScopeError(error)) throw error;
			this.#rejected.push({ path, reason: "changed_while_reading" });
			return undefined;
		}
	}
}

function shown(directory: readonly string[]): string {
	return directory.length === 0 ? "." : `${directory.join("/")}/`;
}
