import { join } from "node:path";
import { ContractError, type MethodResult, visible } from "@xworkmate/contracts";
import { pathText } from "../git/git-paths.ts";
import type { Look } from "../git/look.ts";
import type { OwnRepository } from "../git/own-repository.ts";
import type { OpenEdits } from "./edit-homes.ts";
import { listed } from "./move-files.ts";
import { toCommit } from "./to-commit.ts";
import type { UserRepository } from "./user-repository.ts";

/** The author of commits if git is not configured with a name and an address. */
const OURS = { name: "XWorkmate", email: "xworkmate@localhost" } as const;

/**
 * Commits the content of a worktree to its branch, as the author that the user's git has configured. Runs no hook, and signs nothing.
 * @throws ContractError EDITS_UNAVAILABLE without a worktree, or if there is nothing to commit; EDITS_CONFLICT
 */
export async function commitEdits(
	{ own, user, state }: OpenEdits,
	now: Look,
	message: string,
	userHome: string | undefined,
): Promise<MethodResult<"xworkmate.edits.commit">> {
	const { worktree, directory } = state;
	if (worktree === undefined) {
		throw new ContractError("EDITS_UNAVAILABLE", {
			detail: "XWorkmate can't commit the changes, because this thread has no worktree, and so no branch of its own.",
			fix: "Commit in the folder yourself, or start a thread with a worktree.",
		});
	}
	const { branch, administration } = worktree;
	const tip = await user.tip(branch);
	if (tip === undefined) {
		throw new ContractError("EDITS_CONFLICT", {
			detail: `The worktree's branch ${branch} no longer exists.`,
			fix: `In ${directory}, run \`git branch ${branch} COMMIT\`, where COMMIT is the commit that the branch pointed to, then try again.`,
		});
	}
	const head = await user.head(administration);
	if (head.branch !== branch) throw await offBranch(user, { ...worktree, tip, directory }, head);
	const { tree, changed, unread } = await toCommit({ own, state }, tip, now);
	if (unread.size > 0) {
		const names = listed([...unread].map((path) => pathText(path).text));
		throw new ContractError("EDITS_CONFLICT", {
			detail: `XWorkmate can't commit files that are too large or have names that are not valid UTF-8: ${names}`,
			fix: "Remove these files, or commit with git yourself.",
		});
	}
	const files = changed.size;
	if (files === 0) {
		throw new ContractError("EDITS_UNAVAILABLE", {
			detail: "There is nothing to commit, because the branch already contains every change.",
			fix: "You don't need to do anything.",
		});
	}
	const found = await user.identity(administration, userHome);
	const { author, committer } = found ?? { author: OURS, committer: OURS };
	const environment = {
		...{ GIT_AUTHOR_NAME: author.name, GIT_AUTHOR_EMAIL: author.email },
		...{ GIT_COMMITTER_NAME: committer.name, GIT_COMMITTER_EMAIL: committer.email },
	};
	const commit = await own.line({ args: ["commit-tree", tree, "-p", tip, "-F", "-"], input: message, environment });
	await giveObjects(own, state.common, commit, tip);
	await user.move(branch, commit, tip);
	const call = { index: join(administration, "index"), workTree: directory, timeMs: own.bounds.treeMs };
	await own.run({ ...call, args: ["read-tree", commit] });
	await own.run({ ...call, args: ["update-index", "-q", "--refresh"], accepts: [0, 1] });
	return { commit, branch, files, author: { ...author, configured: found !== undefined } };
}

interface OwnBranch {
	readonly branch: string;
	readonly tip: string;
	readonly directory: string;
}

/**
 * Refuses a commit, because the worktree is not on its branch. The error's commands return to the branch and keep every change in the list:
 * a mere switch would remove from the worktree what was committed elsewhere. The commands name the other branch's commit, because the
 * branch's name could contain a shell command.
 */
async function offBranch(
	user: UserRepository,
	{ branch, tip, directory }: OwnBranch,
	head: Awaited<ReturnType<UserRepository["head"]>>,
): Promise<ContractError> {
	const on = head.branch === undefined ? "no branch" : `the branch ${visible(head.branch)}`;
	const commands =
		head.commit === undefined
			? [`git symbolic-ref HEAD refs/heads/${branch}`]
			: (await user.contains(head.commit, tip))
				? [`git switch -C ${branch}`]
				: [`git switch ${branch}`, `git merge ${head.commit.slice(0, 12)}`];
	return new ContractError("EDITS_CONFLICT", {
		detail: `The worktree is on ${on}, not on its own branch ${branch}.`,
		fix: `To return to the thread's branch and keep every change, run ${commands.map((command) => `\`${command}\``).join(" and ")} in ${directory}, then try again.`,
	});
}

/** Copies the objects of a commit to the user's repository, which does not read objects from the bridge's own repository. */
async function giveObjects(own: OwnRepository, common: string, commit: string, known: string): Promise<void> {
	const { lookBytes: outputBytes, treeMs: timeMs } = own.bounds;
	const input = `${commit}\n^${known}\n`;
	const { output } = await own.run({ args: ["pack-objects", "--revs", "--stdout", "-q"], input, outputBytes, timeMs });
	const environment = { GIT_OBJECT_DIRECTORY: join(common, "objects") };
	await own.run({ args: ["unpack-objects", "-q"], input: output, environment, timeMs });
}
