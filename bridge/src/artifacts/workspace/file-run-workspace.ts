import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ContractError, omitUndefined, sessionFolder, type ThreadFolder, type ThreadId } from "@xworkmate/contracts";
import { systemErrorCode } from "@xworkmate/platform/errors";
import { countFiles } from "@xworkmate/platform/files";
import type { ProjectRepositories } from "../../ports/agents/edit-service.ts";
import type { RunRecord } from "../../ports/runs/run-record.ts";
import type { DirectoryChoice, RunWorkspace, WorkspaceNotice } from "../../ports/runs/run-workspace.ts";
import { FolderListing, hasFilesSince, holdsNothing, mayHaveChangedSince, whenMade } from "./folder-listing.ts";
import type { GitExclusion } from "./git-exclude.ts";
import { placeAttachments } from "./place-attachments.ts";
import { prepareScope } from "./prepare-scope.ts";
import { removeFolder } from "./remove-folder.ts";
import { resolveExtraDirectories, resolveWorkingDirectory, type WorkingDirectoryChoice } from "./resolve-working-directory.ts";
import { removeInputs, storeAttachments } from "./store-attachments.ts";
import { bridgeWorkspace, folderOfScope, scopeDirectory, sessionScopes } from "./workspace-layout.ts";

export interface FileRunWorkspaceOptions {
	/** `XWORKMATE_HOME`, an absolute path. */
	readonly home: string;
	/** Folders in which a run may work, as absolute paths; read again for each turn. */
	readonly allowedRoots: readonly string[];
}

/**
 * A run works in the folder that it asks for if that folder is allowed, otherwise in the bridge's own workspace for its session. A run that
 * asks for a worktree works there, or is refused.
 * @param repositories absent: runs have no worktrees, and their changes are found by listing the folder before and after
 */
export function createRunWorkspace(options: FileRunWorkspaceOptions, repositories?: ProjectRepositories): RunWorkspace {
	const { home } = options;
	const ownDirectory = ({ artifactScope }: RunRecord) => bridgeWorkspace(home, folderOfScope(artifactScope));
	/** Where the bridge's own workspaces were last found. */
	let ownRoot: string | undefined;
	const prepareOwn = async (record: RunRecord) => {
		const [cwd, scope] = [ownDirectory(record), record.artifactScope];
		const known = ownRoot === undefined ? undefined : join(ownRoot, basename(cwd));
		const prepared = await prepareScope({ cwd, scope, isOwn: true, known });
		ownRoot = dirname(prepared.workingDirectory);
		return prepared;
	};
	/** Listings for runs in folders without a repository. An entry lasts as long as its run's record is in memory. */
	const listed = new WeakMap<RunRecord, FolderListing>();
	/** The bridge's own workspaces that were empty when they were last checked: most threads never put anything there. */
	const empty = new Set<string>();
	const list = async (record: RunRecord, directory: string) => {
		if (record.projectDirectory === undefined && (empty.has(directory) || holdsNothing(directory))) {
			if (empty.size >= MOST_EMPTY) empty.clear();
			empty.add(directory);
			listed.set(record, FolderListing.ofEmpty(directory, Date.parse(record.createdAt)));
			return;
		}
		listed.set(record, await FolderListing.of(directory));
	};
	return {
		choose: async (requested, worktreeOf) => {
			if (requested === undefined && worktreeOf === undefined) return {};
			const choice = await resolveWorkingDirectory(requested ?? "", options.allowedRoots);
			if (worktreeOf !== undefined) return await chooseWorktree(repositories, worktreeOf, requested, choice);
			return "directory" in choice ? { projectDirectory: choice.directory } : { directoryRefused: choice.message };
		},
		storeAttachments: async (runId, attachments) => void (await storeAttachments(home, runId, attachments)),
		prepare: async (record, isBegun = false) => {
			const noted = await repositories?.begin(record);
			const { runId, input, projectDirectory: cwd, artifactScope: scope } = record;
			// The user's folder was allowed by its real path, so it must still resolve to that path.
			const prepared = cwd === undefined ? await prepareOwn(record) : await prepareScope({ cwd, scope, real: cwd });
			const { workingDirectory, artifactDirectory, git } = prepared;
			const isListed = noted === undefined && repositories?.follows(record) !== true;
			if (!isBegun && record.provider.target === "agent" && isListed) await list(record, workingDirectory);
			const attachments = await placeAttachments({ home, workingDirectory, runId, attachments: input.attachments });
			return {
				...directories(record, workingDirectory, artifactDirectory),
				attachments,
				notices: [...notices(record, git), ...(noted === undefined ? [] : [noted])],
			};
		},
		empty: async (record) => {
			const directory = await realIfThere(record.projectDirectory ?? ownDirectory(record));
			await removeOwn(scopeDirectory(directory, record.artifactScope));
		},
		leavesNothing: ({ projectDirectory }, { workingDirectory }) => {
			if (projectDirectory !== undefined || !empty.has(workingDirectory)) return false;
			if (holdsNothing(workingDirectory)) return true;
			empty.delete(workingDirectory);
			return false;
		},
		leave: async (record) => {
			const place = record.projectDirectory === undefined ? "workspace" : record.worktree === undefined ? "folder" : "worktree";
			return (await repositories?.end(record)) ?? (await listed.get(record)?.edits(place));
		},
		locate: async (record) => {
			const directory = await realIfThere(record.projectDirectory ?? ownDirectory(record));
			return { ...directories(record, directory, scopeDirectory(directory, record.artifactScope)), attachments: [], notices: [] };
		},
		writtenIn: async (record, startedAt) => {
			const directory = await realIfThere(record.projectDirectory ?? ownDirectory(record));
			const scope = scopeDirectory(directory, record.artifactScope);
			const places = await Promise.all(
				[
					{ folder: scope, since: 0 },
					{ folder: directory, since: startedAt },
				].map(async ({ folder, since }) => ((await hasFilesSince(folder, since)) ? [folder] : [])),
			);
			return places.flat();
		},
		mayHaveChanged: async (record, startedAt) => {
			try {
				const directory = await realIfThere(record.projectDirectory ?? ownDirectory(record));
				const scope = scopeDirectory(directory, record.artifactScope);
				// Apart from attachments, whose folder is not examined, the scope is the last thing that the bridge creates before a run's
				// agent begins.
				const preparedAt = (await whenMade(scope)) ?? startedAt;
				if (await mayHaveChangedSince(scope, 0, preparedAt)) return true;
				return await mayHaveChangedSince(directory, startedAt, preparedAt);
			} catch {
				return true;
			}
		},
		removeInputs: (runId) => removeInputs(home, runId),
		removeThread: async (threadId, projectDirectories) => {
			const folder = sessionFolder(threadId);
			const removeRest = async () => {
				await removeFolder(bridgeWorkspace(home, folder));
				const projects = projectDirectories.filter((path) => !isInWorktree(path, folder));
				for (const directory of projects) await removeOwn(sessionScopes(directory, folder));
			};
			return repositories === undefined ? void (await removeRest()) : await repositories.remove(threadId, removeRest);
		},
		threadFolders: async (threadId, projectDirectories) => {
			const folder = sessionFolder(threadId);
			const workspaces = await realIfThere(dirname(bridgeWorkspace(home, folder)));
			const worktree = await repositories?.worktreeOf(threadId);
			const projects = projectDirectories.filter((path) => !isInWorktree(path, folder)).map((path) => sessionScopes(path, folder));
			const own: ThreadFolder[] = [];
			for (const path of projects) if ((await realIfThere(path)) === path) own.push(...(await counted("project", path)));
			return [
				...(await counted("workspace", join(workspaces, folder))),
				...(worktree === undefined ? [] : await counted("worktree", worktree.directory, worktree)),
				...own,
			];
		},
	};
}

/**
 * True for a folder in a thread's worktree, which is removed as a whole. After a restore from a backup, older runs still name the worktree
 * of the original home, which is left alone.
 */
function isInWorktree(path: string, folder: string): boolean {
	return `${path}/`.includes(`/bridge/worktrees/${folder}/`);
}

/** The maximum number of empty workspaces that are remembered. */
const MOST_EMPTY = 10_000;

async function chooseWorktree(
	repositories: ProjectRepositories | undefined,
	threadId: ThreadId,
	requested: string | undefined,
	choice: WorkingDirectoryChoice,
): Promise<DirectoryChoice> {
	if (requested === undefined)
		throw worktreeRefused("A worktree needs a project folder, but none was chosen.", "Choose a folder in a git repository.");
	if (!("directory" in choice)) throw worktreeRefused(`${requested} can't be used: ${choice.message}`);
	const planned = await repositories?.planWorktree(threadId, choice.directory);
	if (planned === undefined) throw worktreeRefused("This bridge runs without git, so it can't create a worktree.");
	if ("refused" in planned) throw worktreeRefused(`${requested} can't be used: ${planned.refused}`, planned.fix);
	return { projectDirectory: planned.directory, worktree: { folder: choice.directory } };
}

function worktreeRefused(detail: string, fix?: string): ContractError {
	return new ContractError("WORKING_DIRECTORY_REFUSED", { detail, ...omitUndefined({ fix }) });
}

function directories(record: RunRecord, workingDirectory: string, artifactDirectory: string) {
	const { provider, input } = record;
	const extraDirectories =
		provider.target === "gateway" ? [] : resolveExtraDirectories(workingDirectory, input.artifactContract.expectedArtifactDirs);
	return { workingDirectory, artifactDirectory, extraDirectories };
}

function notices({ directoryRefused }: RunRecord, git: GitExclusion): readonly WorkspaceNotice[] {
	const list: WorkspaceNotice[] = [];
	if (directoryRefused !== undefined) {
		list.push({ code: "WORKING_DIRECTORY_NOT_USED", message: `${directoryRefused}; the run works in the bridge's own folder instead` });
	}
	if (git.state === "failed") list.push({ code: "GIT_EXCLUDE_FAILED", message: `.xworkmate/ can't be excluded from git: ${git.message}` });
	return list;
}

const MOST_COUNTED = 10_000;

/** The folder with the number of its files, as a list that is empty if the folder does not exist. */
async function counted(
	kind: ThreadFolder["kind"],
	path: string,
	worktree: Pick<ThreadFolder, "branch" | "ignored" | "repositories"> = {},
): Promise<readonly ThreadFolder[]> {
	const found = await countFiles(path, MOST_COUNTED);
	if (found === undefined) return [];
	const { branch, ignored, repositories } = worktree;
	// git's own file in a worktree is not one of the thread's files.
	const isCounted = kind === "worktree" && !found.isMore && existsSync(join(path, ".git"));
	return [
		{
			kind,
			path,
			files: found.files - (isCounted ? 1 : 0),
			...(found.isMore && { more: true }),
			...omitUndefined({ branch, ignored, repositories }),
		},
	];
}

/** Removes one of the bridge's own folders from a working directory, but not through a link, which may lead to another user's files. */
async function removeOwn(directory: string): Promise<void> {
	if ((await realIfThere(directory)) === directory) await removeFolder(directory);
}

/**
 * A directory's real path; if nothing is there, the given path. The artifact store accepts only real paths, so a run that continues after a
 * restart needs the path that `prepare` returned.
 */
async function realIfThere(directory: string): Promise<string> {
	try {
		return await realpath(directory);
	} catch (error) {
		if (systemErrorCode(error) === "ENOENT") return directory;
		throw error;
	}
}
