import {
	ContractError,
	type Edit,
	type EditApplied,
	type EditList,
	type EditOutside,
	type EditsUntil,
	type MethodParams,
	type MethodResult,
	omitUndefined,
	type RunId,
	type ThreadId,
} from "@xworkmate/contracts";
import { type ComparedFile, compare, diffText, isOtherType } from "../git/compare.ts";
import { findNested } from "../git/find-nested.ts";
import { pathText, type RawPath } from "../git/git-paths.ts";
import { type Look, lookAt } from "../git/look.ts";
import type { EditService } from "../ports/agents/edit-service.ts";
import type { ThreadDeletion } from "../ports/runs/thread-deletion.ts";
import { appliedNow, notInFolder, recordApplied, worthApplying } from "./applied-edits.ts";
import { commitEdits } from "./commit-edits.ts";
import type { EditHomes, OpenEdits } from "./edit-homes.ts";
import { lostRefusal, unrecorded } from "./lost-edits.ts";
import { forgetMatching, leaveMove, listed, moveFiles } from "./move-files.ts";
import { differingPaths, nothingOutside, type Outside, outsideOf } from "./outside-edits.ts";
import { refusal } from "./refusal.ts";
import { toCommit } from "./to-commit.ts";

export interface EditMethodsDeps {
	readonly homes: EditHomes;
	readonly deletion: Pick<ThreadDeletion, "isBusy">;
	/** Prevents new runs in the thread. */
	readonly lock: (threadId: ThreadId, detail: string) => Disposable;
}

/** The two states that are compared. */
interface Span {
	readonly before: Look;
	readonly after: Look;
	/** What the files hold now. */
	readonly now: Look;
	readonly outside: Outside;
	/** Files that were applied and that the user's folder no longer has like that. */
	readonly lost?: ReadonlyMap<RawPath, EditApplied>;
	/** The user's folder. Changes that it has too are not listed. Absent in a list of one run's changes, or without a worktree. */
	readonly checkout?: string;
	/** Present if these are the changes made by one run. */
	readonly until?: EditsUntil;
}

interface Chosen {
	readonly seen: string;
	readonly paths?: readonly string[] | undefined;
	readonly runId?: RunId | undefined;
}

/** `xworkmate.edits.*`: shows what changed, and carries out what the user decides about it. */
export class EditMethods implements EditService {
	readonly #deps: EditMethodsDeps;

	constructor(deps: EditMethodsDeps) {
		this.#deps = deps;
	}

	list({ threadId, runId }: MethodParams<"xworkmate.edits.list">): Promise<EditList> {
		return this.#with(threadId, async (open) => {
			const { state, own } = open;
			const span = await spanOf(open, runId);
			const files = await filesOf(open, span);
			const uncommitted = runId === undefined ? await uncommittedOf(open, span.now) : undefined;
			const all = runId === undefined || state.unfinished === undefined ? files : await filesOf(open, await spanOf(open, undefined));
			const unfinished = await forgetMatching(open, all);
			return {
				place: state.place,
				checkout: state.checkout,
				directory: state.directory,
				...(await branchOf(open)),
				seen: span.now.tree,
				runs: state.runs.map(({ runId: id, at }) => ({ runId: id, at })),
				...omitUndefined({ since: state.since, until: span.until, repositories: await findNested(own, state.directory, false) }),
				files: files
					.slice(0, own.bounds.listFiles)
					.map(({ raw, edit }) => (uncommitted === undefined || uncommitted.has(raw) ? edit : { ...edit, committed: true })),
				...(uncommitted !== undefined && { uncommitted: uncommitted.size }),
				total: files.length,
				...(unfinished !== undefined && { unfinished }),
			};
		});
	}

	diff({ threadId, runId, path }: MethodParams<"xworkmate.edits.diff">): Promise<MethodResult<"xworkmate.edits.diff">> {
		return this.#with(threadId, async (open) => {
			const span = await spanOf(open, runId);
			const { before, after } = span;
			const { directory } = open.state;
			const [file] = await filesOf(open, span, path);
			if (file === undefined)
				throw new ContractError("NOT_FOUND", { detail: "This file is not in the list of changes.", fix: "List the changes again." });
			const { edit } = file;
			// What is binary has no diff, but what is a link on one side only has the link's target.
			const isOnlyBinary = edit.binary && !isOtherType(file.from, file.to);
			if (edit.hindrance !== undefined || isOnlyBinary) return { file: edit, text: "", truncated: false };
			return { file: edit, ...(await diffText(open.own, file, [before.tree, after.tree], directory)) };
		});
	}

	apply({ threadId, ...chosen }: MethodParams<"xworkmate.edits.apply">): Promise<MethodResult<"xworkmate.edits.apply">> {
		return this.#alone(threadId, async (open) => {
			const { worktree, checkout } = open.state;
			if (worktree === undefined) {
				const detail = "This thread works in the folder itself, so there is nothing to apply.";
				throw new ContractError("EDITS_UNAVAILABLE", { detail, fix: "The changes are already in the folder." });
			}
			const all = await chosenFiles(open, chosen, "apply");
			const files = chosen.paths === undefined ? worthApplying(all) : all;
			recordApplied(open, files);
			await moveFiles(open, { action: "apply", root: checkout, files: files.map(({ raw, from, to }) => ({ raw, from, to })) });
			return { applied: files.map(({ edit }) => edit.path) };
		});
	}

	discard({ threadId, ...chosen }: MethodParams<"xworkmate.edits.discard">): Promise<MethodResult<"xworkmate.edits.discard">> {
		return this.#alone(threadId, async (open) => {
			const files = await chosenFiles(open, chosen, "discard");
			refuseOutside(files, open.state.working === undefined);
			const back = files.map(({ raw, from, to }) => ({ raw, from: to, to: from }));
			await moveFiles(open, { action: "discard", root: open.state.directory, files: back });
			return { discarded: files.map(({ edit }) => edit.path) };
		});
	}

	commit({ threadId, seen, message }: MethodParams<"xworkmate.edits.commit">): Promise<MethodResult<"xworkmate.edits.commit">> {
		return this.#alone(threadId, async (open) => {
			const now = await lookAt(open.own, open.state.directory);
			const changed = await changedSince(open, seen, now);
			if (changed.size > 0) throw new ContractError("EDITS_CHANGED");
			return await commitEdits(open, now, message, this.#deps.homes.options.environment.HOME);
		});
	}

	/** Runs the operation while no run of the thread is active and none can begin. */
	async #alone<T>(threadId: ThreadId, work: (open: OpenEdits) => Promise<T>): Promise<T> {
		using _lock = this.#deps.lock(threadId, "The thread's changes are still being written.");
		if (await this.#deps.deletion.isBusy(threadId)) throw new ContractError("THREAD_BUSY", { detail: "This thread is still running." });
		return await this.#with(threadId, work);
	}

	async #with<T>(threadId: ThreadId, work: (open: OpenEdits) => Promise<T>): Promise<T> {
		const { homes } = this.#deps;
		const folder = homes.folderOf(threadId);
		try {
			return await homes.inTurn(folder, async () => {
				const settled = await homes.settled(folder);
				const lost = settled && lostRefusal(settled);
				if (lost !== undefined) throw lost;
				const open = await homes.open(folder);
				if (open === undefined) throw unrecorded(folder.state());
				return await work(await leaveMove(open, "failed"));
			});
		} catch (error) {
			throw refusal(error);
		}
	}
}

/** All changes since the base, or those of one run: up to its end or, if that was not recorded, up to the next run's beginning or now. */
async function spanOf(open: OpenEdits, runId: RunId | undefined): Promise<Span> {
	const { own, state } = open;
	const now = await lookAt(own, state.directory);
	if (runId === undefined) {
		const { state: compared, lost } = await appliedNow(open, now);
		const outside = await outsideOf({ ...open, state: compared }, now.tree);
		return { before: compared.base, after: now, now, lost, outside, ...(state.worktree && { checkout: state.checkout }) };
	}
	const at = state.runs.findIndex((run) => run.runId === runId);
	const run = state.runs[at];
	if (run === undefined) {
		throw new ContractError("NOT_FOUND", {
			detail: "This run's changes are not recorded, or no longer kept.",
			fix: "List the changes made by all runs.",
		});
	}
	const isKnown = run.end !== undefined || state.working === runId;
	const next = state.runs[at + 1];
	return {
		before: run.look,
		after: run.end ?? next?.look ?? now,
		now,
		outside: isKnown ? nothingOutside : "unknown",
		until: run.end === undefined ? (next === undefined ? "now" : "next") : next === undefined ? "still" : "end",
	};
}

/** The files to list, or the one at `path`, without those that the last run changed and that are as they were before again. */
async function filesOf(open: OpenEdits, span: Span, path?: string): Promise<readonly ComparedFile[]> {
	const { before, after, now, outside, lost, checkout, until } = span;
	const differing = await compare(open.own, before, after, open.state.directory);
	const asked = path === undefined ? differing : differing.filter(({ edit }) => edit.path === path);
	const all = checkout === undefined ? asked : await notInFolder(open.own, checkout, asked);
	const still = until === "still" ? await differingPaths(open, before.tree, now.tree) : undefined;
	const files = still === undefined ? all : all.filter(({ raw, edit }) => edit.hindrance !== undefined || still.has(raw));
	return files.map((file) => {
		const isUnknown = outside === "unknown" || outside.unknown.has(file.raw);
		const why: Edit["outside"] = isUnknown ? "unknown" : outside.changed.has(file.raw) ? "changed" : undefined;
		return { ...file, edit: { ...file.edit, ...omitUndefined({ outside: why, applied: lost?.get(file.raw) }) } };
	});
}

/** The worktree's branch, and the branch that is checked out instead if an agent or the user has switched to another. */
async function branchOf({ user, state: { worktree } }: OpenEdits): Promise<Pick<EditList, "branch" | "elsewhere">> {
	if (worktree === undefined) return {};
	const { branch } = await user.head(worktree.administration);
	return { branch: worktree.branch, ...(branch !== worktree.branch && { elsewhere: omitUndefined({ branch }) }) };
}

/** The files that the worktree's branch does not have as they are; undefined without a worktree or its branch. */
async function uncommittedOf(open: OpenEdits, now: Look): Promise<ReadonlySet<RawPath> | undefined> {
	const { user, state } = open;
	const tip = state.worktree === undefined ? undefined : await user.tip(state.worktree.branch);
	if (tip === undefined) return undefined;
	const { changed, unread } = await toCommit(open, tip, now);
	return changed.union(unread);
}

/** @throws ContractError EDITS_CONFLICT if discarding a file could lose what the user changed in it */
function refuseOutside(files: readonly ComparedFile[], isEndKnown: boolean): void {
	const why = ({ outside }: Edit) => outside ?? (isEndKnown ? undefined : "unknown");
	const named = (wanted: EditOutside) => listed(files.filter(({ edit }) => why(edit) === wanted).map(({ edit }) => edit.path));
	const [changed, unknown] = [named("changed"), named("unknown")];
	if (changed !== "") {
		throw new ContractError("EDITS_CONFLICT", {
			detail: `Discarding what the runs changed in ${changed} would also lose changes that were made outside of this thread's runs.`,
			fix: "Undo the runs' changes yourself, or choose other files.",
		});
	}
	if (unknown === "") return;
	throw new ContractError("EDITS_CONFLICT", {
		detail: `XWorkmate can't discard the run's changes in ${unknown}. It doesn't know what the run left there, so your own changes could be lost.`,
		fix: "Undo the changes yourself, for example with git.",
	});
}

/**
 * The files that an action concerns, if they are still in the state that the client was shown.
 * @throws ContractError EDITS_CHANGED, NOT_FOUND for a run that was not recorded or a file that has not changed, EDITS_CONFLICT for a file
 * that can only be listed, EDITS_UNAVAILABLE if the list is empty
 */
async function chosenFiles(open: OpenEdits, { seen, paths, runId }: Chosen, action: "apply" | "discard"): Promise<readonly ComparedFile[]> {
	const span = await spanOf(open, runId);
	const files = await filesOf(open, span);
	const wanted = paths === undefined ? undefined : new Set(paths);
	const chosen = wanted === undefined ? files : files.filter(({ edit }) => wanted.has(edit.path));
	const changed = await changedSince(open, seen, span.now);
	const found = new Set(chosen.map(({ edit }) => edit.path));
	const missing = paths?.filter((path) => !found.has(path)) ?? [];
	if (missing.length > 0 && changed.size === 0) await refuseMissing(open, missing, runId === undefined ? span.now : undefined);
	const isOther = wanted === undefined ? changed.size > 0 : chosen.length < wanted.size || chosen.some(({ raw }) => changed.has(raw));
	if (isOther) throw new ContractError("EDITS_CHANGED");
	if (chosen.length === 0) {
		const detail = `No changes are left to ${action}.`;
		throw new ContractError("EDITS_UNAVAILABLE", { detail, fix: "List the changes again to see how the files are now." });
	}
	const hindered = chosen.filter(({ edit }) => edit.hindrance !== undefined).map(({ edit }) => edit.path);
	if (hindered.length > 0) {
		throw new ContractError("EDITS_CONFLICT", {
			detail: `Files that are too large, are stored through a git filter, or have names that are not valid UTF-8 can't be applied or discarded here: ${listed(hindered)}`,
			fix: "Choose other files.",
		});
	}
	return chosen;
}

/**
 * Refuses files that are not in the list. Called only if no file has changed on disk since the client read the list, so a change does not
 * explain why they are missing.
 * @param now what the worktree holds, to find out which of the files were applied in the meantime, for example from another window
 */
async function refuseMissing(open: OpenEdits, missing: readonly string[], now: Look | undefined): Promise<never> {
	const { worktree } = open.state;
	const ofRuns = worktree === undefined || now === undefined ? [] : await differingPaths(open, worktree.commit, now.tree);
	const applied = new Set([...ofRuns].map((raw) => pathText(raw).text));
	const others = missing.filter((path) => !applied.has(path));
	if (others.length === 0) {
		throw new ContractError("EDITS_CHANGED", {
			detail: `Nothing was written, because ${missing.length === 1 ? "this file was already applied, or is the same in your folder" : "these files were already applied, or are the same in your folder"}: ${listed(missing)}`,
			fix: "Choose from the changes that are left.",
		});
	}
	throw new ContractError("NOT_FOUND", {
		detail: `${others.length === 1 ? "This file is" : "These files are"} not in the list of changes: ${listed(others)}`,
		fix: "Write each path exactly as the list shows it.",
	});
}

/** Paths that have changed since a list showed them, according to the tree that it named. */
async function changedSince(open: OpenEdits, seen: string, now: Look): Promise<ReadonlySet<string>> {
	const { code } = await open.own.run({ args: ["cat-file", "-e", `${seen}^{tree}`], accepts: [0, 1, 128] });
	if (code !== 0) throw new ContractError("EDITS_CHANGED");
	return await differingPaths(open, seen, now.tree);
}
