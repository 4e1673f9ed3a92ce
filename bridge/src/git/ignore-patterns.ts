import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join, resolve } from "node:path";
import { errorMessage, ifNowhere } from "@xworkmate/platform/errors";
import type { Repository } from "./find-repository.ts";
import type { GitSettings } from "./git-bounds.ts";
import { GitError } from "./git-error.ts";
import { splitRecords } from "./git-paths.ts";
import { runGit } from "./run-git.ts";

const MAX_PATTERN_BYTES = 1024 * 1024;
const MARK = Buffer.from("\uFEFF");

/**
 * The patterns by which the user's git ignores files in a work tree, apart from its `.gitignore` files: those of `core.excludesFile`, then
 * those of the repository's `info/exclude`. In one file, the later pattern decides, as `info/exclude` does for git.
 * @param folder where git is started: a folder of the bridge's own
 * @throws GitError also if patterns can't be read: what the user's git ignores must not be committed
 */
export async function ignorePatterns({ top, gitDirectory, common }: Repository, git: GitSettings, folder: string): Promise<Buffer> {
	const named = await excludesFile(gitDirectory, git, folder).catch((error: unknown) => {
		throw error instanceof GitError ? new GitError(error.problem, `it is not known which files git ignores: ${error.message}`) : error;
	});
	const ofUser = named === undefined ? defaultFile(git) : named === "" ? undefined : resolve(top, named);
	const paths = [ofUser, join(common, "info", "exclude")].filter((path) => path !== undefined);
	return Buffer.concat(await Promise.all(paths.map(patternsIn)));
}

/**
 * The value of `core.excludesFile`, from the configuration of the system, the user and the repository, in git's own order; undefined if none
 * sets it. Reading configuration starts no program.
 */
async function excludesFile(
	gitDirectory: string,
	{ userHome, userConfig, ...git }: GitSettings,
	folder: string,
): Promise<string | undefined> {
	const { output } = await runGit({
		args: ["config", "--null", "--show-scope", "--type=path", "--get-all", "core.excludesFile"],
		...{ folder, searchPath: git.searchPath, timeMs: git.callMs, outputBytes: git.outputBytes },
		environment: {
			HOME: userHome ?? "/nonexistent",
			XDG_CONFIG_HOME: userConfig,
			GIT_CONFIG_GLOBAL: undefined,
			GIT_CONFIG_SYSTEM: undefined,
			GIT_CONFIG_NOSYSTEM: undefined,
			GIT_DIR: gitDirectory,
		},
	});
	const records = splitRecords(output);
	// The bridge's own option, which switches the file off, is listed too: its scope is "command".
	const values = records.flatMap((value, at) => (at % 2 === 1 && records[at - 1] !== "command" ? [value] : []));
	const last = values.at(-1);
	return last === undefined ? undefined : Buffer.from(last, "latin1").toString("utf8");
}

/** Where git reads the user's patterns if `core.excludesFile` is not set. */
function defaultFile({ userHome, userConfig }: GitSettings): string | undefined {
	if (userConfig !== undefined && userConfig !== "") return join(userConfig, "git", "ignore");
	return userHome === undefined || userHome === "" ? undefined : join(userHome, ".config", "git", "ignore");
}

/** The patterns in a file, ending with a line break; empty if there is no such file. Links are followed, as git does. */
async function patternsIn(path: string): Promise<Buffer> {
	const bytes = await readPatterns(path).catch((error: unknown) => {
		const why = error instanceof GitError ? error.message : errorMessage(error);
		const problem = error instanceof GitError ? error.problem : "failed";
		throw new GitError(problem, `it is not known which files git ignores, because ${path} can't be read: ${why}`);
	});
	// git skips the mark only at the beginning of a file.
	return Buffer.concat([bytes.subarray(0, MARK.length).equals(MARK) ? bytes.subarray(MARK.length) : bytes, Buffer.from("\n")]);
}

async function readPatterns(path: string): Promise<Buffer> {
	// Without waiting for the writer of a pipe.
	const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(ifNowhere);
	if (file === undefined) return Buffer.of();
	try {
		const found = await file.stat();
		// For git, a device such as `/dev/null` is an empty file.
		if (found.isCharacterDevice()) return Buffer.of();
		if (!found.isFile()) throw new GitError("failed", "it is not a file");
		if (found.size > MAX_PATTERN_BYTES) throw new GitError("large", "it is over 1 MB");
		return await file.readFile();
	} finally {
		await file.close();
	}
}
