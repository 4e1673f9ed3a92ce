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
	/** Folders in which runs may work; read each time. */
	readonly allowedRoots: readonly string[];
	/** Of the bridge: git is on its `PATH`, and the user's name for commits in its `HOME`. */
	readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A thread's state with the repository that looks at its files. */
export interface OpenEdits {
	readonly folder: EditFolder;
	readonly state: EditState;
	readonly own: OwnRepository;
	readonly user: UserRepository;
}

/** Where the bridge keeps what it knows of threads' changes, and their worktrees. One thing at a time is done for a thread. */
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

	/** A real path: runs work nowhere else. */
	async worktreeOf(threadId: ThreadId): Promise<string> {
		return join(await realpath(this.options.bridgeHome), "worktrees", sessionFolder(threadId));
	}

	/** The repository of the bridge's own that looks at a work tree; a thread has one for each. */
	async own(folder: EditFolder, repository: Repository): Promise<OwnRepository> {
		const key = createHash("sha256").update(repository.top).digest("hex").slice(0, 12);
		return await OwnRepository.open(join(folder.path, `repository-${key}`), repository, this.#git);
	}

	user(repository: Pick<Repository, "gitDirectory" | "common">): UserRepository {
		return new UserRepository(repository, this.#git);
	}

	/** What is known of a thread's changes; undefined if nothing is, or if its files are gone. */
	async open(folder: EditFolder): Promise<OpenEdits | undefined> {
		const state = folder.state();
		if (state === undefined || !existsSync(state.directory)) return undefined;
		return { folder, state, own: await this.own(folder, repositoryOf(state)), user: this.user(state) };
	}

	/** Does one thing after the other for a thread. */
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
