import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { sessionFolder, type ThreadId } from "@xworkmate/contracts";
import type { Repository } from "../git/find-repository.ts";
import type { GitBounds, GitSettings } from "../git/git-bounds.ts";
import { OwnRepository } from "../git/own-repository.ts";
import { EditFolder, type EditState } from "./edit-state.ts";
import { UserRepository } from "./user-repository.ts";

export interface EditHomesOptions {
	/** `<home>/bridge`. */
	readonly bridgeHome: string;
	/** Folders in which runs may work; read again each time. */
	readonly allowedRoots: readonly string[];
	/** The bridge's environment: git is found on its `PATH`, and the user's name for commits in its `HOME`. */
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
		this.#git = { ...bounds, searchPath: options.environment.PATH };
	}

	get editsFolder(): string {
		return join(this.options.bridgeHome, "edits");
	}

	folderOf(threadId: ThreadId): EditFolder {
		return new EditFolder(join(this.editsFolder, sessionFolder(threadId)));
	}

	/** The worktree's folder as a real path, because the artifact store accepts only real paths. */
	async worktreeOf(threadId: ThreadId): Promise<string> {
		return join(await realpath(this.options.bridgeHome), "worktrees", sessionFolder(threadId));
	}

	/** The bridge's own repository through which a work tree is compared. A thread has one for each work tree. */
	async own(folder: EditFolder, repository: Repository): Promise<OwnRepository> {
		const key = createHash("sha256").update(repository.top).digest("hex").slice(0, 12);
		return await OwnRepository.open(join(folder.path, `repository-${key}`), repository, this.#git);
	}

	user(repository: Pick<Repository, "gitDirectory" | "common">): UserRepository {
		return new UserRepository(repository, this.#git);
	}

	/** The records of a thread's changes; undefined if there are none, or if its files are gone. */
	async open(folder: EditFolder): Promise<OpenEdits | undefined> {
		const state = folder.state();
		if (state === undefined || !existsSync(state.directory)) return undefined;
		return { folder, state, own: await this.own(folder, repositoryOf(state)), user: this.user(state) };
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

/** The work tree whose files are compared. */
function repositoryOf({ directory, gitDirectory, common, worktree }: EditState): Repository {
	return { top: directory, gitDirectory: worktree?.administration ?? gitDirectory, common };
}
