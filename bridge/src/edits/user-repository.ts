import { lstatSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { omitUndefined } from "@xworkmate/contracts";
import { removeFolder } from "../artifacts/workspace/remove-folder.ts";
import type { Repository } from "../git/find-repository.ts";
import type { GitSettings } from "../git/git-bounds.ts";
import { RepositoryRefusedError } from "../git/git-error.ts";
import { splitRecords } from "../git/git-paths.ts";
import type { OwnRepository } from "../git/own-repository.ts";
import { type GitAnswer, type GitCall, runGit } from "../git/run-git.ts";
import type { EditState } from "./edit-state.ts";

type Worktree = NonNullable<EditState["worktree"]>;

interface Person {
	readonly name: string;
	readonly email: string;
}

interface Identity {
	readonly author: Person;
	readonly committer: Person;
}

/**
 * Runs git in the user's repository itself, for worktrees and branches, which cannot be managed from outside. The repository's
 * configuration is read, but no setting in it starts a program: those that can be switched off are, and no call here applies a filter.
 */
export class UserRepository {
	readonly #repository: Pick<Repository, "gitDirectory" | "common">;
	readonly #bounds: GitSettings;

	constructor(repository: Pick<Repository, "gitDirectory" | "common">, bounds: GitSettings) {
		this.#repository = repository;
		this.#bounds = bounds;
	}

	/**
	 * The commit that a new worktree would begin with.
	 * @throws RepositoryRefusedError if a worktree can't be created
	 */
	async beginning(own: OwnRepository): Promise<string> {
		this.#refuseOtherOwner();
		const { code, output } = await this.#run(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], { accepts: [0, 1, 128] });
		const commit = output.toString("utf8").trim();
		if (code !== 0)
			throw new RepositoryRefusedError(
				"The repository's current branch has no commits yet, so a worktree can't be created.",
				"Make a first commit, then try again.",
			);
		const { output: names } = await own.run({ args: ["ls-tree", "-r", "-z", "--name-only", commit] });
		const filtered = await own.withIndex(async (index) => {
			await own.run({ args: ["read-tree", commit], index });
			// Reads the attributes from the commit, not from the work tree.
			const { output: attributes } = await own.run({ args: ["check-attr", "--cached", "-z", "--stdin", "filter"], index, input: names });
			return splitRecords(attributes).findIndex((value, at) => at % 3 === 2 && !["unspecified", "unset", "set"].includes(value));
		});
		if (filtered >= 0) {
			throw new RepositoryRefusedError(
				"Some of the repository's files go through a git filter (such as git-lfs), and XWorkmate doesn't run filters when it creates a worktree.",
				"Run the thread without a worktree.",
			);
		}
		return commit;
	}

	/**
	 * Makes a worktree with its branch and its files, replacing one that was left incomplete. Runs nothing from the repository. If the
	 * branch exists, it is continued; if another worktree has it checked out, the worktree gets a branch with another name.
	 */
	async add(own: OwnRepository, directory: string, wanted: string, head: string): Promise<Worktree> {
		await removeFolder(directory);
		mkdirSync(dirname(directory), { recursive: true, mode: 0o700 });
		const elsewhere = await this.#branchesOutside(directory);
		const branch = await this.#freeBranch(wanted, async (name) => !elsewhere.has(name));
		const tip = await this.tip(branch);
		const start = tip === undefined ? ["-b", branch, directory, head] : [directory, branch];
		await this.#run(["worktree", "add", "--quiet", "--no-checkout", "--force", "--force", ...start], { timeMs: this.#bounds.checkoutMs });
		const commit = tip ?? head;
		const administration = this.#administrationOf(directory);
		const call = { index: join(administration, "index"), workTree: directory, timeMs: this.#bounds.checkoutMs };
		await own.run({ ...call, args: ["read-tree", commit] });
		await own.run({ ...call, args: ["checkout-index", "--all", "--force", "--quiet", "--index"] });
		return { branch, commit, administration };
	}

	/**
	 * Turns a folder that already has its files into a worktree, with a new branch. If the folder is a copy of another worktree, its `.git`
	 * names the original. The original and its branch are not changed.
	 */
	async adopt(own: OwnRepository, directory: string, wanted: string, commit: string): Promise<Worktree> {
		this.#refuseOtherOwner();
		const branch = await this.#freeBranch(wanted, async (name) => (await this.tip(name)) === undefined);
		// git makes a worktree only in a folder that does not exist yet or is empty.
		const beside = `${directory}.new`;
		await removeFolder(beside);
		await this.#run(["worktree", "add", "--quiet", "--no-checkout", "--force", "--force", "-b", branch, beside, commit]);
		const administration = this.#administrationOf(beside);
		const call = { index: join(administration, "index"), workTree: directory, timeMs: this.#bounds.treeMs };
		await own.run({ ...call, args: ["read-tree", commit] });
		await own.run({ ...call, args: ["update-index", "-q", "--refresh"], accepts: [0, 1] });
		writeFileSync(join(administration, "gitdir"), `${join(directory, ".git")}\n`);
		renameSync(join(beside, ".git"), join(directory, ".git"));
		await removeFolder(beside);
		return { branch, commit, administration };
	}

	/** The commit at the tip of a branch; undefined if there is no such branch. */
	async tip(branch: string): Promise<string | undefined> {
		const { code, output } = await this.#run(["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`], { accepts: [0, 1] });
		return code === 0 ? output.toString("utf8").trim() : undefined;
	}

	/** The branch that a worktree is on, and its commit. `branch` is absent if it is on none, and `commit` if there is none yet. */
	async head(administration: string): Promise<{ readonly branch?: string; readonly commit?: string }> {
		const call = { environment: { GIT_DIR: administration }, accepts: [0, 1, 128] };
		const named = await this.#run(["symbolic-ref", "--quiet", "HEAD"], call);
		const at = await this.#run(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], call);
		const ref = named.code === 0 ? named.output.toString("utf8").trim() : undefined;
		return omitUndefined({
			branch: ref?.replace(/^refs\/heads\//, ""),
			commit: at.code === 0 ? at.output.toString("utf8").trim() : undefined,
		});
	}

	/** True if everything that is committed in `earlier` is in `later` too. */
	async contains(later: string, earlier: string): Promise<boolean> {
		const { code } = await this.#run(["merge-base", "--is-ancestor", earlier, later], { accepts: [0, 1, 128] });
		return code === 0;
	}

	/**
	 * The author that git would name in a commit in this worktree, from the configuration of the system, the user and the repository, in
	 * git's own order. Undefined unless both name and address are configured, because git would otherwise make them up from the computer's
	 * user and host names. Reading configuration starts no program, and the values go only into the commit and the answer that names its
	 * author.
	 */
	async identity(administration: string, userHome: string | undefined): Promise<Identity | undefined> {
		const users = {
			HOME: userHome ?? "/nonexistent",
			GIT_CONFIG_GLOBAL: undefined,
			GIT_CONFIG_SYSTEM: undefined,
			GIT_CONFIG_NOSYSTEM: undefined,
		};
		const call = { environment: { ...users, GIT_DIR: administration }, accepts: [0, 128] };
		const read = async (of: "AUTHOR" | "COMMITTER") => {
			const { code, output } = await this.#run(["-c", "user.useConfigOnly=true", "var", `GIT_${of}_IDENT`], call);
			const [, name, email] = (code === 0 && /^(.+) <([^<>]+)> \d+ [+-]\d+$/.exec(output.toString("utf8").trim())) || [];
			return name === undefined || email === undefined ? undefined : { name, email };
		};
		const [author, committer] = [await read("AUTHOR"), await read("COMMITTER")];
		return author && committer && { author, committer };
	}

	/** Moves a branch, if it is still at the expected commit. */
	async move(branch: string, to: string, from: string): Promise<void> {
		await this.#run(["update-ref", "-m", "xworkmate: commit", `refs/heads/${branch}`, to, from]);
	}

	/** Removes a worktree, and also its branch if the branch is still at the commit that the worktree began with. */
	async remove(directory: string, { branch, commit }: Worktree): Promise<boolean> {
		await removeFolder(directory);
		const { output } = await this.#run(["worktree", "list", "--porcelain", "-z"]);
		if (splitRecords(output).includes(`worktree ${Buffer.from(directory).toString("latin1")}`)) {
			await this.#run(["worktree", "remove", "--force", "--force", directory]);
		}
		const tip = await this.tip(branch);
		if (tip === commit) await this.#run(["update-ref", "-d", `refs/heads/${branch}`, commit]);
		return tip !== undefined && tip !== commit;
	}

	/** The first of `name`, `name-2`, `name-3` and so on that is free. */
	async #freeBranch(name: string, isFree: (name: string) => Promise<boolean>): Promise<string> {
		for (let count = 1; ; count += 1) {
			const branch = count === 1 ? name : `${name}-${count}`;
			if (await isFree(branch)) return branch;
		}
	}

	/** The branches that other worktrees have checked out, such as those of the home that this one was copied from. */
	async #branchesOutside(directory: string): Promise<ReadonlySet<string>> {
		const { output } = await this.#run(["worktree", "list", "--porcelain", "-z"]);
		const ours = `worktree ${Buffer.from(directory).toString("latin1")}`;
		const branches = new Set<string>();
		let isOurs = false;
		for (const line of splitRecords(output)) {
			if (line.startsWith("worktree ")) isOurs = line === ours;
			else if (!isOurs && line.startsWith("branch refs/heads/")) branches.add(line.slice("branch refs/heads/".length));
		}
		return branches;
	}

	/** The administrative folder that git gave the worktree it has just made. */
	#administrationOf(directory: string): string {
		const named = /^gitdir: (.+)$/m.exec(readFileSync(join(directory, ".git"), "utf8"))?.[1];
		const administration = realpathSync(resolve(directory, named?.trim() ?? ""));
		if (dirname(administration) !== join(this.#repository.common, "worktrees")) {
			throw new RepositoryRefusedError(`${directory}/.git leads to ${administration}, which does not belong to this repository.`);
		}
		return administration;
	}

	/** Like git itself, refuses a repository of another user, whose configuration must not be used. */
	#refuseOtherOwner(): void {
		const { uid } = lstatSync(this.#repository.common);
		if (process.getuid !== undefined && uid !== process.getuid()) {
			throw new RepositoryRefusedError(`${this.#repository.common} belongs to another user.`);
		}
	}

	#run(args: readonly string[], more: Partial<GitCall> = {}): Promise<GitAnswer> {
		const { gitDirectory, common } = this.#repository;
		const { callMs: timeMs, outputBytes, searchPath } = this.#bounds;
		return runGit({ timeMs, outputBytes, searchPath, environment: { GIT_DIR: gitDirectory }, ...more, args, folder: common });
	}
}
