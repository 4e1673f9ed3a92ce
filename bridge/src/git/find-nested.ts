import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { ThreadFolder } from "@xworkmate/contracts";
import { pathText, splitRecords } from "./git-paths.ts";
import type { OwnRepository } from "./own-repository.ts";

/** The maximum number of repositories that are named. */
const MOST_NAMED = 5;
const GITLINK = "160000 ";

/**
 * The repositories inside a work tree, which a `Look` skips: those that git does not track, and submodules that were checked out. Undefined
 * if there are none. `withIgnored`: includes those that git ignores, for which git has to list all ignored files.
 * @throws GitError
 */
export async function findNested(own: OwnRepository, workTree: string, withIgnored = true): Promise<ThreadFolder["repositories"]> {
	const list = async (...args: readonly string[]) => {
		const { output, isCut } = await own.run({ workTree, args: ["ls-files", "-z", ...args], cuts: true, timeMs: own.bounds.treeMs });
		return splitRecords(isCut ? output.subarray(0, output.lastIndexOf(0) + 1) : output);
	};
	const ignored = withIgnored ? await list("--others", "--ignored", "--exclude-standard") : [];
	const untracked = [...(await list("--others", "--exclude-standard")), ...ignored];
	// Git names only the folder of a repository, with a slash at its end.
	const nested = untracked.filter((path) => path.endsWith("/")).map((path) => pathText(path).text);
	const links = (await list("--stage")).filter((record) => record.startsWith(GITLINK));
	for (const link of links) {
		const path = pathText(link.slice(link.indexOf("\t") + 1)).text;
		if ((await lstat(join(workTree, path, ".git")).catch(() => undefined)) !== undefined) nested.push(`${path}/`);
	}
	return nested.length === 0 ? undefined : { count: nested.length, paths: nested.slice(0, MOST_NAMED) };
}
