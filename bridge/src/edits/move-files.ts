import { ContractError, omitUndefined, sentence, type UnfinishedEdit } from "@xworkmate/contracts";
import { errorMessage } from "@xworkmate/platform/errors";
import type { ComparedFile } from "../git/compare.ts";
import { pathText, type RawPath } from "../git/git-paths.ts";
import type { EditHomes, OpenEdits } from "./edit-homes.ts";
import { type EditJournal, type EditState, interruptedEdits } from "./edit-state.ts";
import { noteMissingLinks } from "./restored-links.ts";
import { type FileChange, namesOf, removeStage, type Standing, standingOf, writeFiles } from "./write-files.ts";

export interface Move {
	readonly action: EditJournal["action"];
	readonly root: string;
	readonly files: readonly FileChange[];
}

const NAMED = 20;

/**
 * Writes nothing if one of the files has changed. A file that changes while the files are being written is left as it is, and the error
 * names it, as it names what is not written once a file can't be. The journal is on the disk before the first file is touched, so that the
 * next bridge finishes the work if this one ends.
 * @throws ContractError EDITS_CONFLICT
 */
export async function moveFiles(open: OpenEdits, { action, root, files }: Move): Promise<void> {
	const standing = await standingOf(open.own, root, files);
	if (standing.foreign.length > 0) {
		throw new ContractError("EDITS_CONFLICT", { detail: `Nothing was written, because ${whyForeign(standing, action)}` });
	}
	const journal: EditJournal = { action, root, stage: `edits-${crypto.randomUUID()}`, files: [...files] };
	open.folder.begin(journal);
	const left = await carryOut(open, journal, standing);
	await note(open, journal, left, "changed");
	if (left.length === 0) return;
	throw new ContractError("EDITS_CONFLICT", {
		detail: `${countWritten(files, left)}. ${left.length === 1 ? "This file changed in the meantime and was left as it is" : "These files changed in the meantime and were left as they are"}: ${listed(namesOf(left))}`,
	});
}

function countWritten({ length: total }: readonly FileChange[], left: readonly FileChange[]): string {
	const written = total - left.length;
	return `${written} of ${total} ${total === 1 ? "file was" : written === 1 ? "files was" : "files were"} written`;
}

/**
 * Writes the open files. If one can't be written, the action is over: what was not written is recorded, and is never written later.
 * @returns the files that were left alone, because they changed in the meantime
 * @throws ContractError EDITS_CONFLICT if a file can't be written
 */
async function carryOut(open: OpenEdits, journal: EditJournal, standing: Standing): Promise<readonly FileChange[]> {
	try {
		return await writeFiles(open.own, journal, standing);
	} catch (error) {
		// Before anything else that can fail, because the next bridge would write the rest.
		open.folder.finish();
		const reason = sentence(errorMessage(error));
		// On a full disk, git can't look either.
		const now = await standingOf(open.own, journal.root, journal.files).catch(() => undefined);
		if (now === undefined) {
			const detail = `Not all files were written: ${reason} Compare these files yourself: ${listed(namesOf(journal.files))}`;
			throw new ContractError("EDITS_CONFLICT", {
				detail,
				fix: "Make sure that the bridge can write, then list the changes again.",
				cause: error,
			});
		}
		const left = [...now.open, ...now.foreign];
		if (left.length === 0) return left;
		const isNone = left.length === journal.files.length;
		// The record may not be written either, but the error says what was.
		await note(open, journal, left, "failed").catch(() => undefined);
		throw new ContractError("EDITS_CONFLICT", {
			detail: isNone
				? `Nothing was written. ${reason}`
				: `${countWritten(journal.files, left)}, then: ${reason} Not written: ${listed(namesOf(left))}`,
			fix: "Make sure that the bridge can write to the folder, then try again.",
			cause: error,
		});
	}
}

function whyForeign({ foreign, inTheWay }: Standing, action: Move["action"]): string {
	const [behind, changed] = [foreign.filter(({ raw }) => inTheWay.has(raw)), foreign.filter(({ raw }) => !inTheWay.has(raw))];
	const reasons = [
		...(changed.length > 0
			? [`${action === "apply" ? elsewhere(changed.length) : again(changed.length)}: ${listed(namesOf(changed))}`]
			: []),
		...behind
			.slice(0, NAMED)
			.map(({ raw }) => `${pathText(inTheWay.get(raw) ?? raw).text} is where the folder of ${pathText(raw).text} should be`),
	];
	return reasons.join("; ");
}

function elsewhere(files: number): string {
	return files === 1 ? "this file was changed elsewhere or is in the way" : "these files were changed elsewhere or are in the way";
}

/** For a discard, which compares a file with what the list shows. Another run of the thread may have changed it since. */
function again(files: number): string {
	return `${files === 1 ? "this file has" : "these files have"} changed since the changes that are listed`;
}

/** Finishes what the end of an earlier bridge interrupted. Files that were changed since are left alone and named. */
async function finishMove(open: OpenEdits): Promise<void> {
	const stored = open.folder.journal();
	if (stored === undefined) return;
	const journal = { ...stored, root: rootOf(open, stored) };
	removeStage(journal.root, journal.stage);
	const standing = await standingOf(open.own, journal.root, journal.files);
	const left = await carryOut(open, journal, standing);
	await note(open, journal, [...standing.foreign, ...left], "interrupted");
}

/**
 * Writes nothing more of what was interrupted, and records which files are not written. A look at a list must not write the user's files,
 * and a run may be active.
 * @returns the records as they are then
 */
export async function leaveMove(open: OpenEdits, why: "failed" | "interrupted"): Promise<OpenEdits> {
	const journal = open.folder.journal();
	if (journal === undefined) return open;
	const root = rootOf(open, journal);
	const standing = await standingOf(open.own, root, journal.files);
	await note(open, journal, [...standing.open, ...standing.foreign], why);
	if (why === "failed") removeStage(root, journal.stage);
	return { ...open, state: open.folder.state() ?? open.state };
}

/** The folder of a journal's files. The recorded path is not used: in a copied home, it is the worktree of the original home. */
function rootOf({ state }: OpenEdits, { action }: EditJournal): string {
	return action === "apply" ? state.checkout : state.directory;
}

/** Must be called at startup: finishes what an earlier bridge was doing. */
export async function finishInterrupted(homes: EditHomes, onFault: (error: unknown) => void): Promise<void> {
	for (const folder of interruptedEdits(homes.editsFolder)) {
		try {
			await homes.inTurn(folder, async () => {
				const open = await homes.open(folder);
				if (open !== undefined) await finishMove(open);
			});
		} catch (error) {
			onFault(error);
		}
	}
}

/**
 * Must be called at startup if the home was restored from a backup. Does not finish what was interrupted when the backup was made: the
 * original home has finished it, or the user has continued working since. Files that are not in their target state are recorded.
 */
export async function leaveInterrupted(homes: EditHomes, onFault: (error: unknown) => void): Promise<void> {
	noteMissingLinks(homes.editsFolder, onFault);
	for (const folder of interruptedEdits(homes.editsFolder)) {
		try {
			await homes.inTurn(folder, async () => {
				const open = await homes.open(folder);
				if (open !== undefined) await leaveMove(open, "interrupted");
			});
		} catch (error) {
			onFault(error);
		} finally {
			folder.finish();
		}
	}
}

export function listed(names: readonly string[]): string {
	const more = names.length - NAMED;
	return `${names.slice(0, NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Makes the applied content the basis of further comparisons, no matter who wrote that content. */
async function afterApply(open: OpenEdits, state: EditState, written: readonly FileChange[]): Promise<EditState> {
	const tree = await treeAfter(open, state.base.tree, written);
	const base = { ...state.base, tree };
	const applied = new Set(written.map(({ raw }) => raw));
	const others = (paths: readonly RawPath[] | undefined) => paths?.filter((path) => !applied.has(path));
	const { outside, outsideUnknown } = state;
	return {
		...state,
		base,
		...omitUndefined({ outside: outside === "unknown" ? outside : others(outside), outsideUnknown: others(outsideUnknown) }),
	};
}

/** Adds the discarded files to the recorded end of the run, so that the discard is not mistaken for a change by the user. */
async function afterDiscard(open: OpenEdits, state: EditState, written: readonly FileChange[]): Promise<EditState> {
	return state.left === undefined ? state : { ...state, left: await treeAfter(open, state.left, written) };
}

/** Records which files were written, and which were not and why. */
async function note(
	open: OpenEdits,
	{ action, files }: EditJournal,
	left: readonly FileChange[],
	why: "changed" | "failed" | "interrupted",
): Promise<void> {
	const names = new Set(left.map(({ raw }) => raw));
	const written = files.filter(({ raw }) => !names.has(raw));
	const { unfinished: before, ...state } = open.folder.state() ?? open.state;
	const next = action === "apply" ? await afterApply(open, state, written) : await afterDiscard(open, state, written);
	const unfinished =
		left.length > 0
			? { action, ...(why === "failed" ? { failed: true as const } : { why }), files: namesOf(left) }
			: without(before, new Set(namesOf(files)));
	open.folder.write({ ...next, ...(unfinished !== undefined && { unfinished }) });
	open.folder.finish();
}

/**
 * Forgets the files that an earlier action left alone and that no longer differ, so that they are not reported again.
 * @param differing the files that a list of all changes shows
 */
export async function forgetMatching(open: OpenEdits, differing: readonly ComparedFile[]): Promise<UnfinishedEdit | undefined> {
	const { folder, state } = open;
	const { unfinished } = state;
	if (unfinished === undefined) return undefined;
	const kept = new Set(differing.map(({ edit }) => edit.path));
	const left = without(unfinished, new Set(unfinished.files.filter((path) => !kept.has(path))));
	if (left?.files.length === unfinished.files.length) return unfinished;
	const { unfinished: _, ...rest } = state;
	folder.write({ ...rest, ...(left !== undefined && { unfinished: left }) });
	return left;
}

function without(unfinished: UnfinishedEdit | undefined, paths: ReadonlySet<string>): UnfinishedEdit | undefined {
	const files = unfinished?.files.filter((path) => !paths.has(path)) ?? [];
	return unfinished === undefined || files.length === 0 ? undefined : { ...unfinished, files };
}

function treeAfter({ own }: OpenEdits, tree: string, written: readonly FileChange[]): Promise<string> {
	return own.treeWith(
		tree,
		written.map(({ raw, to }) => ({ path: raw, entry: to })),
	);
}
