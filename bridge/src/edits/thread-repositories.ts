import { existsSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { ContractError, omitUndefined, type RunEdits, type RunId, sentence, type ThreadFolder, type ThreadId } from "@xworkmate/contracts";
import { errorMessage, isDiskFullCode, systemErrorCode } from "@xworkmate/platform/errors";
import { removeFolder } from "../artifacts/workspace/remove-folder.ts";
import { compare } from "../git/compare.ts";
import { countIgnored } from "../git/count-ignored.ts";
import { findNested } from "../git/find-nested.ts";
import { findRepository, type Repository } from "../git/find-repository.ts";
import { GitError, RepositoryRefusedError } from "../git/git-error.ts";
import { lookAt } from "../git/look.ts";
import type { ProjectRepositories } from "../ports/agents/edit-service.ts";
import { type Clock, timestamp } from "../ports/clock.ts";
import type { RunRecord } from "../ports/runs/run-record.ts";
import type { WorkspaceNotice } from "../ports/runs/run-workspace.ts";
import { appliedNow, notInFolder } from "./applied-edits.ts";
import { commitEdits } from "./commit-edits.ts";
import { continuedBeginning } from "./continued-worktree.ts";
import type { EditHomes, OpenEdits } from "./edit-homes.ts";
import type { EditFolder } from "./edit-state.ts";
import { lostEdits } from "./lost-edits.ts";
import { leaveMove } from "./move-files.ts";
import { treeWithNewlyIgnored } from "./newly-ignored.ts";
import { forgetLeft, outsideOf, recordOf } from "./outside-edits.ts";
import { refusal } from "./refusal.ts";
import { editsBetween } from "./run-edits.ts";

const KEPT_MESSAGE = "Keep the unapplied changes of a deleted thread";
const CHOOSE_REPOSITORY = "Choose a folder in a git repository, or work without a worktree.";

/** The git repositories that threads work in. */
export class ThreadRepositories implements ProjectRepositories {
	readonly #homes: EditHomes;
	readonly #clock: Clock;
	/**
	 * Runs whose beginning this bridge has recorded, so that it was there from their beginning to their end. While no bridge was there, what
	 * the user changed can't be told from what the run changed.
	 */
	readonly #seen = new Set<RunId>();

	constructor(homes: EditHomes, clock: Clock) {
		this.#homes = homes;
		this.#clock = clock;
	}

	async planWorktree(threadId: ThreadId, chosen: string): ReturnType<ProjectRepositories["planWorktree"]> {
		const folder = this.#homes.folderOf(threadId);
		try {
			const repository = await this.#find(chosen);
			if (repository === undefined) return { refused: "it is not in a git repository", fix: CHOOSE_REPOSITORY };
			const state = folder.state();
			const inside = relative(repository.top, chosen);
			const directory = this.#homes.worktreeFor(folder);
			if (state?.place === "worktree" && existsSync(directory)) {
				if (state.checkout === repository.top) return { directory: join(directory, inside) };
				return { refused: `this thread already has a worktree of ${state.checkout}`, fix: "Choose that folder, or start another thread." };
			}
			await this.#homes.inTurn(folder, async () => {
				await this.#homes.user(repository).beginning(await this.#homes.own(folder, repository));
			});
			return { directory: join(directory, inside) };
		} catch (error) {
			if (isDiskFullCode(systemErrorCode(error))) throw error;
			const fix = error instanceof RepositoryRefusedError ? error.fix : undefined;
			return { refused: `it can't have a worktree. ${sentence(errorMessage(error))}`, fix: fix ?? "Run the thread without a worktree." };
		}
	}

	async begin(record: RunRecord): Promise<WorkspaceNotice | undefined> {
		const { projectDirectory, worktree, threadId } = record;
		if (projectDirectory === undefined) return undefined;
		const folder = this.#homes.folderOf(threadId);
		return await this.#homes.inTurn(folder, async () => {
			if (worktree !== undefined) {
				this.#refuseElsewhere(folder, projectDirectory);
				await this.#makeWorktree(folder, worktree.folder);
			}
			try {
				return await this.#note(folder, record, projectDirectory);
			} catch (error) {
				// The run can work in the folder despite the error, so the error only becomes a notice. Only a full disk makes the run wait.
				if (isDiskFullCode(systemErrorCode(error))) throw error;
				forgetLeft(folder, record.runId, projectDirectory);
				return notice(`XWorkmate can't tell which changes are this run's. ${sentence(errorMessage(error))}`);
			}
		});
	}

	follows({ threadId, runId }: Pick<RunRecord, "threadId" | "runId">): boolean {
		return this.#homes.folderOf(threadId).state()?.working === runId;
	}

	async end({ runId, threadId, projectDirectory }: RunRecord): Promise<RunEdits | undefined> {
		if (projectDirectory === undefined) return undefined;
		const folder = this.#homes.folderOf(threadId);
		const isSeen = this.#seen.has(runId);
		const edits: RunEdits | undefined = await this.#homes.inTurn(folder, async () => {
			const settled = await this.#homes.settled(folder);
			if (settled?.working !== runId) return undefined;
			const { working: _, left: _left, unreadRules: _rules, ...state } = settled;
			try {
				const open = await this.#homes.open(folder);
				const end = open && (await lookAt(open.own, state.directory));
				const began = state.runs.find((run) => run.runId === runId)?.look;
				const edits = open && end && began && (await editsBetween(open, began, end));
				if (!isSeen && end !== undefined) {
					// An earlier bridge ended during the run, and the user may have changed files since. So `left` and the run's end stay unknown.
					folder.write(state);
					return edits && { ...edits, late: true };
				}
				const runs = state.runs.map((run) => (run.runId === runId ? { ...run, ...omitUndefined({ end }) } : run));
				const left = open && end && (await treeWithNewlyIgnored(open, end));
				const unreadRules = left?.isWhole === false ? left.tree : undefined;
				folder.write({ ...state, runs, ...omitUndefined({ left: left?.tree, leftPatterns: open?.own.patterns, unreadRules }) });
				return end === undefined ? lostEdits(state) : edits;
			} catch (error) {
				// Without `left`, the result of the run is unknown, so none of its files can be discarded.
				folder.write(state);
				const lost = lostEdits(state);
				if (lost === undefined) throw error;
				return lost;
			}
		});
		// Not before the end is recorded: on a full disk, it is recorded later.
		this.#seen.delete(runId);
		return edits;
	}

	async worktreeOf(threadId: ThreadId): ReturnType<ProjectRepositories["worktreeOf"]> {
		const folder = this.#homes.folderOf(threadId);
		const state = folder.state();
		if (state?.worktree === undefined) return undefined;
		const directory = this.#homes.worktreeFor(folder);
		// In a copied home, a query must not turn the original home's worktree into one of this home.
		const unkept = state.directory === directory ? await this.#unkeptIn(folder) : undefined;
		return { directory, branch: state.worktree.branch, ...unkept };
	}

	/**
	 * The ignored files and nested repositories of a worktree, which no commit contains. Undefined if they can't be read, so that the user can
	 * delete the thread anyway.
	 */
	async #unkeptIn(folder: EditFolder): Promise<Pick<ThreadFolder, "ignored" | "repositories"> | undefined> {
		try {
			return await this.#homes.inTurn(folder, async () => {
				const open = await this.#homes.open(folder);
				if (open === undefined) return undefined;
				const { own, state } = open;
				const ignored = await countIgnored(own, state.directory);
				return { ignored, ...omitUndefined({ repositories: await findNested(own, state.directory) }) };
			});
		} catch (error) {
			if (error instanceof GitError || error instanceof RepositoryRefusedError) return undefined;
			throw error;
		}
	}

	async remove(threadId: ThreadId, removeRest = async (): Promise<void> => undefined): Promise<string | undefined> {
		const folder = this.#homes.folderOf(threadId);
		if (!folder.isThere) return void (await removeRest());
		return await this.#homes.inTurn(folder, async () => {
			let kept: string | undefined;
			try {
				if (folder.state()?.worktree !== undefined) kept = await this.#removeWorktree(folder);
			} catch (error) {
				if (error instanceof ContractError && error.code === "FOLDER_NOT_REMOVED") throw error;
				throw new ContractError("FOLDER_NOT_REMOVED", {
					detail: `The thread's worktree ${this.#homes.worktreeFor(folder)} can't be removed, or its changes can't be kept on its branch: ${errorMessage(error)}`,
					fix: "Copy what you need from that folder, delete the folder, then delete the thread again.",
					cause: error,
				});
			}
			await removeRest();
			folder.remove();
			return kept;
		});
	}

	/** Returns the branch if it is kept. */
	async #removeWorktree(folder: EditFolder): Promise<string | undefined> {
		const open = await this.#homes.open(folder);
		if (open !== undefined) await this.#keepChanges(open);
		const state = folder.state();
		// In a copied home, the recorded worktree may belong to the original home, and is left alone.
		if (state?.worktree === undefined || state.directory !== this.#homes.worktreeFor(folder)) return undefined;
		// Without the repository, neither the branch nor git's record of the worktree exists.
		if (existsSync(state.common)) {
			return (await this.#homes.user(state).remove(state.directory, state.worktree)) ? state.worktree.branch : undefined;
		}
		await removeFolder(state.directory);
		return undefined;
	}

	async #keepChanges(given: OpenEdits): Promise<void> {
		const open = await leaveMove(given, "failed");
		const { state } = open;
		const now = await lookAt(open.own, state.directory);
		const { state: compared } = await appliedNow(open, now);
		const changes = await notInFolder(open.own, state.checkout, await compare(open.own, compared.base, now, state.directory));
		if (changes.length === 0) return;
		try {
			await commitEdits(open, now, KEPT_MESSAGE, this.#homes.options.environment.HOME);
		} catch (error) {
			// The branch has all changes already.
			if (!(error instanceof ContractError && error.code === "EDITS_UNAVAILABLE")) throw error;
		}
	}

	async #find(folder: string): Promise<Repository | undefined> {
		return await findRepository(folder, this.#homes.options.allowedRoots);
	}

	/**
	 * Refuses a run that was waiting when this home was moved or copied here: its agent would work at the worktree's earlier path, which may
	 * now belong to another home.
	 * @throws ContractError
	 */
	#refuseElsewhere(folder: EditFolder, projectDirectory: string): void {
		const directory = this.#homes.worktreeFor(folder);
		if (`${projectDirectory}/`.startsWith(`${directory}/`)) return;
		throw new ContractError("WORKING_DIRECTORY_REFUSED", {
			detail: `The run would work in ${projectDirectory}, which is not the thread's worktree in this data folder.`,
			fix: `Send the message again. The new run will work in ${directory}.`,
		});
	}

	/** @throws ContractError */
	async #makeWorktree(folder: EditFolder, checkoutFolder: string): Promise<void> {
		const directory = this.#homes.worktreeFor(folder);
		try {
			if ((await this.#homes.settled(folder))?.place === "worktree" && existsSync(directory)) return;
			const repository = await this.#find(checkoutFolder);
			if (repository === undefined) throw new RepositoryRefusedError(`${checkoutFolder} is no longer in a git repository.`);
			const own = await this.#homes.own(folder, repository);
			const user = this.#homes.user(repository);
			const head = await user.beginning(own);
			const { top: checkout, gitDirectory, common } = repository;
			const known = folder.state();
			const earlier = known?.directory === directory && known.common === common ? known : undefined;
			const tip = earlier?.worktree && (await user.tip(earlier.worktree.branch));
			const worktree = await user.add(own, directory, `xworkmate/${basename(folder.path)}`, head);
			const tree = await own.line({ args: ["rev-parse", `${worktree.commit}^{tree}`] });
			const isContinued = tip === worktree.commit && earlier?.worktree?.branch === worktree.branch;
			const begun =
				isContinued && earlier.worktree
					? await continuedBeginning(await this.#homes.own(folder, { ...repository, top: directory }), earlier, earlier.worktree, tree)
					: { commit: worktree.commit, tree };
			folder.write({
				place: "worktree",
				checkout,
				directory,
				gitDirectory,
				common,
				worktree: { ...worktree, commit: begun.commit },
				base: { tree: begun.tree, unread: [] },
				left: tree,
				runs: [],
			});
		} catch (error) {
			throw refusal(error);
		}
	}

	/** Records the state of the files before a run. */
	async #note(folder: EditFolder, { runId, worktree }: RunRecord, projectDirectory: string): Promise<WorkspaceNotice | undefined> {
		const known = folder.state();
		if (worktree === undefined && known?.place === "worktree") {
			return notice("This run works outside the thread's worktree, and only changes in the worktree are listed.");
		}
		if (worktree === undefined) {
			const repository = await this.#find(projectDirectory);
			if (repository === undefined) return undefined;
			if (known?.directory !== repository.top) await this.#beginFolder(folder, repository);
		}
		const open = await this.#homes.open(folder);
		if (open === undefined || open.state.runs.some((run) => run.runId === runId)) return undefined;
		const look = await lookAt(open.own, open.state.directory);
		const run = { runId, at: timestamp(this.#clock.now()), look };
		// If the end of the previous run was not recorded, `left` is absent, because it is unknown what that run left.
		const { left, working: _, ...state } = open.state;
		const { tree } = await treeWithNewlyIgnored(open, look);
		const found = await outsideOf({ ...open, state: { ...state, ...(left !== undefined && { left }) } }, tree);
		folder.write({ ...state, ...recordOf(found), working: runId, runs: [...state.runs, run] });
		this.#seen.add(runId);
		return undefined;
	}

	async #beginFolder(folder: EditFolder, repository: Repository): Promise<void> {
		folder.remove();
		const { top, gitDirectory, common } = repository;
		const look = await lookAt(await this.#homes.own(folder, repository), top);
		const since = timestamp(this.#clock.now());
		folder.write({ place: "folder", checkout: top, directory: top, gitDirectory, common, base: look, since, left: look.tree, runs: [] });
	}
}

function notice(message: string): WorkspaceNotice {
	return { code: "CHANGES_NOT_FOLLOWED", message };
}
