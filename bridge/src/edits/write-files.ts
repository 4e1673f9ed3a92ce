import { closeSync, fsyncSync, lstatSync, mkdirSync, openSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { getSystemErrorMap } from "node:util";
import { errorMessage, systemErrorCode } from "@xworkmate/platform/errors";
import { READ_FILE } from "@xworkmate/platform/files";
import { holdDirectory } from "@xworkmate/platform/scope-tree";
import { makeEmptyDirectory } from "../artifacts/workspace/make-directory.ts";
import { BRIDGE_FOLDER } from "../artifacts/workspace/workspace-layout.ts";
import { joinRecords, pathText, type RawPath } from "../git/git-paths.ts";
import type { OwnRepository, TreeEntry } from "../git/own-repository.ts";
import type { EditJournal } from "./edit-state.ts";
import { type FileNow, filesNow, segmentsOf, sightAt } from "./files-now.ts";

/** A file that is to become `to`, and may be replaced only while it is `from`. Undefined means that no file exists. */
export interface FileChange {
	readonly raw: RawPath;
	readonly from?: TreeEntry | undefined;
	readonly to?: TreeEntry | undefined;
}

/** How far the files of a work tree are from their target states. */
export interface Standing {
	/** Files still in their earlier state. */
	readonly open: readonly FileChange[];
	/** Files already in their target state. */
	readonly done: readonly FileChange[];
	/** Files in neither state, because something else has changed them. */
	readonly foreign: readonly FileChange[];
	/** For each `foreign` file that can't be written because a file or link has replaced one of its folders: that file or link. */
	readonly inTheWay: ReadonlyMap<RawPath, RawPath>;
	/** The `seen` value of each open file when it was read. */
	readonly seen: ReadonlyMap<RawPath, string | undefined>;
}

export async function standingOf(own: OwnRepository, root: string, files: readonly FileChange[]): Promise<Standing> {
	const now = await filesNow(
		own,
		root,
		files.map(({ raw }) => raw),
	);
	const removed = new Set(files.filter(({ to }) => to === undefined).map(({ raw }) => raw));
	const inTheWay = new Map<RawPath, RawPath>();
	const by = Map.groupBy(files, ({ raw, from, to }) => {
		const file = now.get(raw) ?? { kind: "absent" };
		if (is(file, to)) return "done";
		if (!is(file, from)) return "foreign";
		// A file that is not removed cannot become a folder.
		const behind = file.kind === "absent" ? file.behind : undefined;
		if (behind === undefined || removed.has(behind)) return "open";
		inTheWay.set(raw, behind);
		return "foreign";
	});
	const open = by.get("open") ?? [];
	const seen = new Map(open.map(({ raw }) => [raw, seenOf(now.get(raw))]));
	return { open, done: by.get("done") ?? [], foreign: by.get("foreign") ?? [], inTheWay, seen };
}

/**
 * Writes the open files, each atomically: its content is first written below the root's `.xworkmate`. A file that was changed since it was
 * read is left alone. Stops at the first file that can't be written; others may have been written by then.
 * @param journal is already on the disk
 * @returns the files that were left alone
 * @throws Error that names that file, or says why none could be prepared
 */
export async function writeFiles(
	own: OwnRepository,
	{ root, stage }: EditJournal,
	{ open, seen }: Standing,
): Promise<readonly FileChange[]> {
	const staged = makeEmptyDirectory(root, [BRIDGE_FOLDER, stage]);
	try {
		await stageFiles(own, root, staged, open);
		// Files are removed first, so that others can take their place.
		const inOrder = [...open.filter(({ to }) => to === undefined), ...open.filter(({ to }) => to !== undefined)];
		return inOrder.filter((file) => !writeOrName(root, staged, file, seen.get(file.raw)));
	} finally {
		removeStage(root, stage);
	}
}

/** Removes the files that were prepared for writing, which an interrupted attempt leaves behind. */
export function removeStage(root: string, stage: string): void {
	using held = holdDirectory(join(root, BRIDGE_FOLDER), join(root, BRIDGE_FOLDER));
	if (held !== undefined) rmSync(join(held.path, stage), { recursive: true, force: true });
	removeIfEmpty(join(root, BRIDGE_FOLDER));
}

export function namesOf(files: readonly FileChange[]): string[] {
	return files.map(({ raw }) => pathText(raw).text);
}

function is(now: FileNow, entry: TreeEntry | undefined): boolean {
	if (now.kind === "absent") return entry === undefined;
	return now.kind === "file" && now.entry.id === entry?.id && now.entry.mode === entry.mode;
}

function seenOf(now: FileNow | undefined): string | undefined {
	return now?.kind === "file" ? now.seen : undefined;
}

async function stageFiles(own: OwnRepository, root: string, staged: string, files: readonly FileChange[]): Promise<void> {
	const written = files.flatMap(({ raw, to }) => (to === undefined ? [] : [{ path: raw, entry: to }]));
	if (written.length === 0) return;
	await own.withIndex(async (index) => {
		await own.run({ args: ["update-index", "-z", "--add", "--index-info"], index, input: own.indexInfo(written) });
		const args = ["checkout-index", "-q", "-z", "--stdin", `--prefix=${staged.slice(root.length + 1)}/`];
		const input = joinRecords(written.map(({ path }) => path));
		await own.run({ args, index, workTree: root, input, timeMs: own.bounds.checkoutMs });
	});
	for (const { path, entry } of written) if (entry.mode !== LINK) syncFile(join(staged, ...segmentsOf(path)));
}

const LINK = "120000";

function syncFile(path: string): void {
	const file = openSync(path, READ_FILE);
	try {
		fsyncSync(file);
	} finally {
		closeSync(file);
	}
}

/** Like `write`, but an error names the file as the list does: on Linux, the system's own may name a path that leads through a descriptor. */
function writeOrName(root: string, staged: string, file: FileChange, seen: string | undefined): boolean {
	try {
		return write(root, staged, file, seen);
	} catch (cause) {
		const action = file.to === undefined ? "deleted" : "written";
		throw new Error(`${pathText(file.raw).text} can't be ${action}: ${systemReason(cause)}`, { cause });
	}
}

/** What the system says without a path, such as "permission denied". */
function systemReason(error: unknown): string {
	const errno = error instanceof Error && "errno" in error && typeof error.errno === "number" ? error.errno : 0;
	return getSystemErrorMap().get(errno)?.[1] ?? errorMessage(error);
}

/** False if the file was left alone: it has changed since it was read, or its folder can't be used. */
function write(root: string, staged: string, { raw, to }: FileChange, seen: string | undefined): boolean {
	const names = segmentsOf(raw);
	const [folders, name] = [names.slice(0, -1), names.at(-1) ?? ""];
	if (to !== undefined && !makeFolders(root, folders)) return false;
	const folder = join(root, ...folders);
	// The folder is held open, so that a link that replaces it in the meantime is not followed.
	using held = holdDirectory(folder, folder);
	if (held === undefined || sightAt(root, raw) !== seen) return false;
	if (to === undefined) {
		rmSync(join(held.path, name), { force: true });
		removeEmptyFolders(root, folders);
	} else renameSync(join(staged, ...names), join(held.path, name));
	return true;
}

/** False if something else is where a folder is needed. */
function makeFolders(root: string, folders: readonly string[]): boolean {
	for (let depth = 1; depth <= folders.length; depth += 1) {
		const folder = join(root, ...folders.slice(0, depth));
		const found = lstatSync(folder, { throwIfNoEntry: false });
		if (found === undefined) mkdirSync(folder);
		else if (!found.isDirectory()) return false;
	}
	return true;
}

/** Removes folders that have become empty, as git does, since it does not track them. */
function removeEmptyFolders(root: string, folders: readonly string[]): void {
	for (let depth = folders.length; depth > 0; depth -= 1) {
		if (!removeIfEmpty(join(root, ...folders.slice(0, depth)))) return;
	}
}

function removeIfEmpty(folder: string): boolean {
	try {
		rmdirSync(folder);
		return true;
	} catch (error) {
		if (["ENOTEMPTY", "EEXIST", "ENOENT", "ENOTDIR", "EBUSY", "EPERM", "EACCES"].includes(systemErrorCode(error) ?? "")) return false;
		throw error;
	}
}
