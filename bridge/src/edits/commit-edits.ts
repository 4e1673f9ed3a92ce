import { join } from "node:path";
import { ContractError, type MethodResult } from "@xworkmate/contracts";
import { pathText } from "../git/git-paths.ts";
import type { Look } from "../git/look.ts";
import type { OwnRepository } from "../git/own-repository.ts";
import type { OpenEdits } from "./edit-homes.ts";
import { listed } from "./move-files.ts";
import { differingPaths } from "./outside-edits.ts";

/**
 * Commits the content of a worktree to its branch, in the user's name. Runs no hook, and signs nothing.
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
	if (now.unread.length > 0) {
		const names = listed(now.unread.map(({ path }) => pathText(path).text));
		throw new ContractError("EDITS_CONFLICT", {
			detail: `These files can't be committed, because they are too large or their names are not valid UTF-8: ${names}`,
			fix: "Remove these files, or commit with git yourself.",
		});
	}
	const tip = await user.tip(branch);
	if (tip === undefined) {
		throw new ContractError("EDITS_CONFLICT", {
			detail: `The worktree's branch ${branch} no longer exists.`,
			fix: `In ${directory}, run \`git branch ${branch} COMMIT\`, where COMMIT is the commit that the branch pointed to, then try again.`,
		});
	}
	if (!(await user.isOn(administration, branch))) {
		throw new ContractError("EDITS_CONFLICT", {
			detail: `The worktree is no longer on its branch ${branch}.`,
			fix: `Run \`git switch ${branch}\` in ${directory}, then try again.`,
		});
	}
	const { size: files } = await differingPaths({ own, state }, tip, now.tree);
	if (files === 0) {
		throw new ContractError("EDITS_UNAVAILABLE", { detail: "There is nothing to commit.", fix: "The branch already contains everything." });
	}
	const environment = await identity(own, userHome);
	const commit = await own.line({ args: ["commit-tree", now.tree, "-p", tip, "-F", "-"], input: message, environment });
	await giveObjects(own, state.common, commit, tip);
	await user.move(branch, commit, tip);
	const call = { index: join(administration, "index"), workTree: directory, timeMs: own.bounds.treeMs };
	await own.run({ ...call, args: ["read-tree", commit] });
	await own.run({ ...call, args: ["update-index", "-q", "--refresh"], accepts: [0, 1] });
	return { commit, branch, files };
}

/** Copies the objects of a commit to the user's repository, which does not read the bridge's own. */
async function giveObjects(own: OwnRepository, common: string, commit: string, known: string): Promise<void> {
	const { lookBytes: outputBytes, treeMs: timeMs } = own.bounds;
	const input = `${commit}\n^${known}\n`;
	const { output } = await own.run({ args: ["pack-objects", "--revs", "--stdout", "-q"], input, outputBytes, timeMs });
	const environment = { GIT_OBJECT_DIRECTORY: join(common, "objects") };
	await own.run({ args: ["unpack-objects", "-q"], input: output, environment, timeMs });
}

/** The name and address from the user's own configuration. Anyone could have written a repository's configuration. */
async function identity(own: OwnRepository, userHome: string | undefined): Promise<Record<string, string>> {
	const of = async (key: string): Promise<string | undefined> => {
		if (userHome === undefined) return undefined;
		const environment = { HOME: userHome, GIT_CONFIG_GLOBAL: join(userHome, ".gitconfig") };
		const { code, output } = await own.run({ args: ["config", "--global", "--get", key], environment, accepts: [0, 1, 128] });
		return code === 0 ? output.toString("utf8").trim() || undefined : undefined;
	};
	const [name, email] = [(await of("user.name")) ?? "XWorkmate", (await of("user.email")) ?? "xworkmate@localhost"];
	return { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email };
}
