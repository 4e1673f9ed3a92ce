import { createHash } from "node:crypto";
import { existsSync, realpathSync, renameSync } from "node:fs";
import { basename, join } from "node:path";
import { sessionFolder, type ThreadId } from "@xworkmate/contracts";
import { findRepository, type Repository } from "../git/find-repository.ts";
import type { GitBounds, GitSettings } from "../git/git-bounds.ts";
import { RepositoryRefusedError } from "../git/git-error.ts";
import { OwnRepository } from "../git/own-repository.ts";
import { EditFolder, type EditState } from "./edit-state.ts";
import { putBackLinks } from "./restored-links.ts";
import { UserRepository } from "./user-repository.ts";

export interface EditHomesOptions {
	/** `<home>/bridge`. */
	readonly bridgeHome: string;
	/** Folders in which runs may work; read again each time. */
	readonly allowedRoots: readonly string[];
	/** The bridge's environment: git is found on its `PATH`, and the user's configuration of git in its `HOME`. */
	readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A thread's state, with the repository through which its files are compared. */
export interface OpenEdits {
	readonly folder: EditFolder;
	readonly state: EditState;
	readonly own: OwnRepository;
	readonly user: UserRepository;
}

/** Where the bridge keeps its records of threads' changes, and their worktrees. For each thread, one operation runs at a time. */
export class EditHomes {
	readonly options: EditHomesOptions;
	readonly #git: GitSettings;
	readonly #last = new Map<string, Promise<unknown>>();

	constructor(options: EditHomesOptions, bounds: GitBounds) {
		this.options = options;
		const { PATH: searchPath, HOME: userHome, XDG_CONFIG_HOME: userConfig } = options.environment;
		this.#git = { ...bounds, searchPath, userHome, userConfig };
	}

	get editsFolder(): string {
		return editsIn(this.options.bridgeHome);
	}

	folderOf(threadId: ThreadId): EditFolder {
		return new EditFolder(join(this.editsFolder, sessionFolder(threadId)));
	}

	/**
	 * The folder of a thread's worktree. It is not read from the record: in a copied home, the record still names the original home's
	 * worktree. A real path, because the artifact store accepts only real paths.
	 */
	worktreeFor({ path }: EditFolder): string {
		return join(realpathSync(this.options.bridgeHome), "worktrees", basename(path));
	}

	/** The bridge's own repository through which a work tree is compared. A thread has one for each work tree. */
	async own(folder: EditFolder, repository: Repository): Promise<OwnRepository> {
		return await OwnRepository.open(ownPath(folder, repository.top), repository, this.#git);
	}

	user(repository: Pick<Repository, "gitDirectory" | "common">): UserRepository {
		return new UserRepository(repository, this.#git);
	}

	/** The records of a thread's changes; undefined if there are none, or if the thread's folder is missing. */
	async open(folder: EditFolder): Promise<OpenEdits | undefined> {
		const state = await this.settled(folder);
		if (state === undefined || !existsSync(state.directory)) return undefined;
		const own = await this.own(folder, repositoryOf(state));
		if (state.worktree !== undefined && folder.lacksLinks) {
			await putBackLinks(own, state);
			folder.noteLinks(true);
		}
		return { folder, state, own, user: this.user(state) };
	}

	/**
	 * A thread's state. If it was moved or copied to this home, for example because a backup was restored elsewhere, its files first become a
	 * separate worktree with the same changes. The worktree of an original home that still exists is left alone.
	 * @throws RepositoryRefusedError if the project's repository can't be used for that
	 */
	async settled(folder: EditFolder): Promise<EditState | undefined> {
		const state = folder.state();
		const { worktree } = state ?? {};
		if (state === undefined || worktree === undefined) return state;
		const directory = this.worktreeFor(folder);
		if (state.directory === directory) return state;
		// The thread's state was copied here without its worktree, so the thread has none.
		if (!existsSync(directory)) return undefined;
		const { checkout, common } = state;
		const found = await findRepository(checkout, this.options.allowedRoots);
		if (found?.top !== checkout || found.common !== common) {
			throw new RepositoryRefusedError(
				`The thread's worktree was moved or copied to ${directory}, and its repository is no longer at ${checkout}.`,
				"Put the repository back there, or copy what you need from the worktree.",
			);
		}
		const former = ownPath(folder, state.directory);
		if (existsSync(former) && !existsSync(ownPath(folder, directory))) renameSync(former, ownPath(folder, directory));
		const own = await this.own(folder, { ...found, top: directory });
		const user = this.user(found);
		const tip = await user.tip(worktree.branch);
		// If the branch's tip is in the thread's own repository too, it was committed for the thread before the home was copied.
		const commit = tip !== undefined && own.holds(tip) ? tip : worktree.commit;
		const { branch, administration } = await user.adopt(own, directory, worktree.branch, commit);
		// What was applied is compared with the commit that the first home's worktree began with.
		const adopted = { ...state, directory, worktree: { branch, commit: worktree.commit, administration } };
		folder.write(adopted);
		return adopted;
	}

	/** Runs the operations of a thread one after another. */
	async inTurn<T>(folder: EditFolder, work: () => Promise<T>): Promise<T> {
		const before = this.#last.get(folder.path);
		const mine = (async () => {
			await before?.catch(() => undefined);
			return await work();
		})();
		this.#last.set(folder.path, mine);
		try {
			return await mine;
		} finally {
			if (this.#last.get(folder.path) === mine) this.#last.delete(folder.path);
		}
	}
}

/** Where the records of all threads' changes are. */
export function editsIn(bridgeHome: string): string {
	return join(bridgeHome, "edits");
}

/** The bridge's own repository for a work tree. */
export function ownPath(folder: EditFolder, top: string): string {
	const key = createHash("sha256").update(top).digest("hex").slice(0, 12);
	return join(folder.path, `repository-${key}`);
}

/** The work tree whose files are compared. */
function repositoryOf({ directory, gitDirectory, common, worktree }: EditState): Repository {
	return { top: directory, gitDirectory: worktree?.administration ?? gitDirectory, common };
}
