import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { isGoneCode, systemErrorCode } from "@xworkmate/platform/errors";
import { GitError } from "../git/git-error.ts";
import { joinRecords, type RawPath, splitRecords } from "../git/git-paths.ts";
import type { Look } from "../git/look.ts";
import type { OwnRepository, TreeEntry } from "../git/own-repository.ts";
import type { OpenEdits } from "./edit-homes.ts";
import { ignoredBy, isRules } from "./ignore-rules.ts";
import { differingPaths } from "./outside-edits.ts";

/** Limits on the newly ignored files that are read. A run that installs packages and makes git ignore them leaves far more. */
const MAX_FILES = 2_000;
const MAX_BYTES = 50_000_000;

interface WholeTree {
	readonly tree: string;
	/**
	 * False if the newly ignored files are too many or too large, or can't be read. The tree then contains at most the `.gitignore` files
	 * among them, such as those that ignore themselves.
	 */
	readonly isWhole: boolean;
}

/**
 * The tree of a look, with the files that are ignored only because a `.gitignore` has changed since the base. A look leaves these files
 * out, but they are listed once the `.gitignore` is restored, and must not seem to have changed since this look.
 */
export async function treeWithNewlyIgnored(open: Pick<OpenEdits, "own" | "state">, { tree }: Look): Promise<WholeTree> {
	try {
		return await readNewlyIgnored(open, tree);
	} catch (error) {
		// The look itself succeeded, and a record without the ignored files is better than none.
		if (error instanceof GitError) return { tree, isWhole: false };
		throw error;
	}
}

async function readNewlyIgnored(open: Pick<OpenEdits, "own" | "state">, tree: string): Promise<WholeTree> {
	const { own, state } = open;
	const changed = await differingPaths(open, state.base.tree, tree);
	if (![...changed].some(isRules)) return { tree, isWhole: true };
	const args = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard"];
	const { output, isCut } = await own.run({ args, workTree: state.directory, timeMs: own.bounds.treeMs, cuts: true });
	if (isCut) return { tree, isWhole: false };
	const ignored = splitRecords(output).filter((path) => !path.endsWith("/"));
	const before = await ignoredBy(own, state.base.tree, ignored);
	const added = ignored.filter((path) => !before.has(path));
	const isWhole = await canBeRead(state.directory, added);
	const rules = isWhole ? [] : added.filter(isRules);
	const read = isWhole ? added : (await canBeRead(state.directory, rules)) ? rules : [];
	const entries = await entriesOf(own, state.directory, read);
	return { tree: entries.length === 0 ? tree : await own.treeWith(tree, entries), isWhole };
}

async function canBeRead(workTree: string, paths: readonly RawPath[]): Promise<boolean> {
	if (paths.length > MAX_FILES) return false;
	const sizes = await Promise.all(paths.map((path) => sizeOf(workTree, path)));
	return sizes.reduce((sum, size) => sum + size, 0) <= MAX_BYTES;
}

async function sizeOf(workTree: string, path: RawPath): Promise<number> {
	try {
		return (await lstat(Buffer.concat([Buffer.from(join(workTree, "/")), Buffer.from(path, "latin1")]))).size;
	} catch (error) {
		const code = systemErrorCode(error);
		// git itself fails when it reads a file in a folder that can't be searched, so the size doesn't matter.
		if (isGoneCode(code) || code === "EACCES") return 0;
		throw error;
	}
}

interface PathEntry {
	readonly path: RawPath;
	readonly entry: TreeEntry;
}

async function entriesOf(own: OwnRepository, workTree: string, paths: readonly RawPath[]): Promise<readonly PathEntry[]> {
	if (paths.length === 0) return [];
	return await own.withIndex(async (index) => {
		const call = { index, workTree, timeMs: own.bounds.treeMs };
		await own.run({ ...call, args: ["update-index", "--add", "--remove", "-z", "--stdin"], input: joinRecords(paths) });
		const { output } = await own.run({ ...call, args: ["ls-files", "-s", "-z"] });
		return splitRecords(output).map((record) => {
			const tab = record.indexOf("\t");
			const [mode = "", id = ""] = record.slice(0, tab).split(" ");
			return { path: record.slice(tab + 1), entry: { mode, id } };
		});
	});
}
