import { lstat, readFile, realpath, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { ifNowhere, systemErrorCode } from "@xworkmate/platform/errors";
import { isInside } from "../artifacts/workspace/resolve-working-directory.ts";
import { RepositoryRefusedError } from "./git-error.ts";

/** The repository that a folder belongs to. All paths are absolute and real. */
export interface Repository {
	/** The top folder of the work tree. */
	readonly top: string;
	/** The folder of this work tree only, with `HEAD` and the index. */
	readonly gitDirectory: string;
	/** The folder that all work trees of the repository share, with objects and branches. */
	readonly common: string;
}

const MAX_POINTER_BYTES = 8_192;

/**
 * The repository whose work tree contains a folder, found without running git; undefined if there is none. If `.git` is a file, any program
 * may have written it to name any repository. So its target counts only if that is also inside the allowed folders, or names this work tree
 * as its own.
 * @param folder absolute real path
 * @throws RepositoryRefusedError
 */
export async function findRepository(folder: string, allowedRoots: readonly string[]): Promise<Repository | undefined> {
	for (let top = folder; ; top = dirname(top)) {
		const found = await lstat(join(top, ".git")).catch(ifNowhere);
		if (found !== undefined) return await repositoryAt(top, found.isFile(), await realRoots(allowedRoots));
		if (dirname(top) === top) return undefined;
	}
}

async function repositoryAt(top: string, isPointer: boolean, roots: readonly string[]): Promise<Repository> {
	if (!roots.some((root) => isInside(top, root))) {
		throw new RepositoryRefusedError(
			`The root of the folder's repository is ${top}, where runs are not allowed to work.`,
			`Add ${top} under Settings > Project folders (allowedRoots), or run the thread without a worktree.`,
		);
	}
	const marker = join(top, ".git");
	const gitDirectory = await directoryAt(isPointer ? resolve(top, await pointer(marker, /^gitdir: (.+)$/m)) : marker);
	const shared = await readBounded(join(gitDirectory, "commondir")).catch(ifNowhere);
	const common = shared === undefined ? gitDirectory : await directoryAt(resolve(gitDirectory, shared.trim()));
	if (/\p{Cc}/u.test(common)) throw new RepositoryRefusedError("The repository's path contains a control character.");
	const outside = [gitDirectory, common].find((path) => !roots.some((root) => isInside(path, root)));
	if (outside !== undefined && !(await isOwnWorkTree(gitDirectory, marker))) {
		throw new RepositoryRefusedError(`${marker} leads to ${outside}, where runs are not allowed to work.`);
	}
	return { top, gitDirectory, common };
}

async function isOwnWorkTree(gitDirectory: string, marker: string): Promise<boolean> {
	const named = await readBounded(join(gitDirectory, "gitdir")).catch(ifNowhere);
	return named !== undefined && (await realIfThere(named.trim())) === marker;
}

async function pointer(path: string, form: RegExp): Promise<string> {
	const named = form.exec(await readBounded(path))?.[1];
	if (named === undefined) throw new RepositoryRefusedError(`${path} does not point to a repository.`);
	return named.trim();
}

async function directoryAt(path: string): Promise<string> {
	const real = await realIfThere(path);
	if (real === undefined || !(await stat(real)).isDirectory()) throw new RepositoryRefusedError(`There is no repository at ${path}.`);
	return real;
}

async function readBounded(path: string): Promise<string> {
	const found = await lstat(path);
	if (!found.isFile() || found.size > MAX_POINTER_BYTES) throw new RepositoryRefusedError(`${path} is not a git file.`);
	return await readFile(path, "utf8");
}

async function realRoots(allowedRoots: readonly string[]): Promise<readonly string[]> {
	const real = await Promise.all(allowedRoots.map(realIfThere));
	return real.filter((root) => root !== undefined);
}

/** The real path; undefined if it leads nowhere, for example because its links form a loop. */
async function realIfThere(path: string): Promise<string | undefined> {
	return await realpath(path).catch((error: unknown) => (systemErrorCode(error) === "ELOOP" ? undefined : ifNowhere(error)));
}
