import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { EditApplied } from "@xworkmate/contracts";
import { type ComparedFile, compare } from "../git/compare.ts";
import type { RawPath } from "../git/git-paths.ts";
import type { Look } from "../git/look.ts";
import type { OwnRepository, TreeEntry } from "../git/own-repository.ts";
import type { OpenEdits } from "./edit-homes.ts";
import type { EditState } from "./edit-state.ts";
import { segmentsOf } from "./files-now.ts";
import { type FileChange, standingOf } from "./write-files.ts";

/** How much of the user's folder is read for one list. */
const MAX_COMPARED_BYTES = 50_000_000;

interface AppliedNow {
	/** The record, with a `base` that lacks what was applied and is no longer in the user's folder. Must not be written. */
	readonly state: EditState;
	/** The files that are as they were applied, but that the user's folder no longer has like that. */
	readonly lost: ReadonlyMap<RawPath, EditApplied>;
}

/**
 * Compares what was applied with the user's folder as it is now: the user may have undone it, so that the worktree's copy is the only one.
 * Such a file is compared with the commit that the worktree began with, as if it had never been applied.
 * @param now what the worktree holds
 */
export async function appliedNow({ own, state }: Pick<OpenEdits, "own" | "state">, now: Look): Promise<AppliedNow> {
	const { worktree, base, checkout, directory } = state;
	if (worktree === undefined) return { state, lost: new Map() };
	const applied = await compare(own, { tree: worktree.commit, unread: [] }, { tree: base.tree, unread: [] }, directory);
	const { open: undone, foreign } = await standingOf(own, checkout, applied);
	// If a file was deleted and the user has created another one, the folder lacks nothing that the worktree has.
	const edited = foreign.filter(({ to }) => to !== undefined);
	if (undone.length + edited.length === 0) return { state, lost: new Map() };
	const later = new Map((await compare(own, base, now, directory)).map((file) => [file.raw, file]));
	const isAsApplied = ({ raw }: { readonly raw: RawPath }) => !later.has(raw);
	// Discarding has restored the file, so that the worktree has nothing that the folder lacks.
	const isDiscarded = ({ raw, from }: FileChange) => later.has(raw) && isSameEntry(later.get(raw)?.to, from);
	const again = [...undone, ...edited.filter((file) => isAsApplied(file) || isDiscarded(file))];
	const tree = await own.treeWith(
		base.tree,
		again.map(({ raw, from }) => ({ path: raw, entry: from })),
	);
	const lost = new Map<RawPath, EditApplied>([
		...undone.filter(isAsApplied).map(({ raw }) => [raw, "undone"] as const),
		...edited.filter(isAsApplied).map(({ raw }) => [raw, "changed"] as const),
	]);
	const { outside = [], outsideApplied = [] } = state;
	const others = new Set(outsideApplied).intersection(new Set(again.map(({ raw }) => raw)));
	const isMore = others.size > 0 && outside !== "unknown";
	return { state: { ...state, base: { ...base, tree }, ...(isMore && { outside: [...outside, ...others] }) }, lost };
}

/**
 * The changes that the user's folder does not have. It may have the others without an apply: a merge of the branch, or the user, can write
 * a file too. Files that can't be read count as lacking in the folder, as do all if they are too many or too large to compare them for each
 * list.
 */
export async function notInFolder(own: OwnRepository, checkout: string, files: readonly ComparedFile[]): Promise<readonly ComparedFile[]> {
	const comparable = files.filter(({ edit }) => edit.hindrance === undefined);
	try {
		if (comparable.length > own.bounds.listFiles || bytesOf(checkout, comparable) > MAX_COMPARED_BYTES) return files;
		const { done } = await standingOf(own, checkout, comparable);
		const matching = new Set(done.map(({ raw }) => raw));
		return files.filter(({ raw }) => !matching.has(raw));
	} catch {
		// One file that can't be read must not make the others impossible to list, or their thread to delete.
		return files;
	}
}

function bytesOf(root: string, files: readonly ComparedFile[]): number {
	const sizeOf = ({ raw }: ComparedFile) => lstatSync(join(root, ...segmentsOf(raw)), { throwIfNoEntry: false })?.size ?? 0;
	return files.reduce((sum, file) => sum + sizeOf(file), 0);
}

function isSameEntry(one: TreeEntry | undefined, other: TreeEntry | undefined): boolean {
	return one?.id === other?.id && one?.mode === other?.mode;
}

/**
 * What applying all files applies: what was not applied yet or, if there is nothing of that, what the user has undone. An applied file that
 * they have edited is among them only if nothing else is left, so that it does not keep the others from being applied.
 */
export function worthApplying(all: readonly ComparedFile[]): readonly ComparedFile[] {
	const never = all.filter(({ edit }) => edit.applied === undefined);
	if (never.length > 0) return never;
	const undone = all.filter(({ edit }) => edit.applied === "undone");
	return undone.length > 0 ? undone : all;
}

/** Must be called before files are applied: records which of them hold changes that are not, or may not be, from the thread's runs. */
export function recordApplied({ folder, state }: Pick<OpenEdits, "folder" | "state">, files: readonly ComparedFile[]): void {
	const others = files.filter(({ edit }) => edit.outside !== undefined).map(({ raw }) => raw);
	if (others.length === 0) return;
	folder.write({ ...state, outsideApplied: [...new Set([...(state.outsideApplied ?? []), ...others])] });
}
