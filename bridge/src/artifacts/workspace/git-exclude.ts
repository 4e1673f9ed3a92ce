import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { errorMessage, ifNowhere } from "@xworkmate/platform/errors";
import { BRIDGE_FOLDER } from "./workspace-layout.ts";

const LINE = `${BRIDGE_FOLDER}/`;
const MAX_EXCLUDE_BYTES = 1024 * 1024;

/** The result of excluding the bridge's folder from git. A failure only leads to a notice; the run continues. */
export type GitExclusion =
	| { readonly state: "outside_git" | "already_excluded" | "excluded" }
	| { readonly state: "failed"; readonly message: string };

/**
 * Adds `.xworkmate/` to the `info/exclude` of the work tree that contains a directory (docs/protocol.md#turns). In a linked work tree or a
 * submodule, where `.git` is a file, it uses the repository that the file names. It does not run git, which would execute what the
 * repository's configuration says.
 */
export async function excludeFromGit(directory: string): Promise<GitExclusion> {
	try {
		const repository = await findRepository(directory);
		if (repository === undefined) return { state: "outside_git" };
		return { state: (await addLine(repository)) ? "excluded" : "already_excluded" };
	} catch (error) {
		return { state: "failed", message: errorMessage(error) };
	}
}

/** The repository's common directory, or undefined outside of any work tree. */
async function findRepository(directory: string): Promise<string | undefined> {
	for (let at = directory; ; at = dirname(at)) {
		const marker = join(at, ".git");
		const found = await lstat(marker).catch(ifNowhere);
		if (found?.isDirectory()) return isRepository(marker);
		if (found?.isFile()) return linkedRepository(at, await readFile(marker, "utf8"));
		if (dirname(at) === at) return undefined;
	}
}

async function linkedRepository(workTree: string, marker: string): Promise<string | undefined> {
	const named = /^gitdir: (.+)$/m.exec(marker)?.[1];
	if (named === undefined) return undefined;
	const directory = resolve(workTree, named.trim());
	const common = await readFile(join(directory, "commondir"), "utf8").catch(ifNowhere);
	return isRepository(common === undefined ? directory : resolve(directory, common.trim()));
}

/** Undefined unless the path looks like a repository: the bridge writes there, and the path may come from a file that any program wrote. */
async function isRepository(directory: string): Promise<string | undefined> {
	const [head, objects] = await Promise.all([
		stat(join(directory, "HEAD")).catch(ifNowhere),
		stat(join(directory, "objects")).catch(ifNowhere),
	]);
	return head?.isFile() === true && objects?.isDirectory() === true ? directory : undefined;
}

async function addLine(repository: string): Promise<boolean> {
	await mkdir(join(repository, "info"), { recursive: true });
	const flags = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);
	await using file = await open(join(repository, "info", "exclude"), flags, 0o644);
	const text = await readBounded(file);
	if (text.split(/\r?\n/).includes(LINE)) return false;
	await file.appendFile(text === "" || text.endsWith("\n") ? `${LINE}\n` : `\n${LINE}\n`);
	return true;
}

async function readBounded(file: FileHandle): Promise<string> {
	const { size } = await file.stat();
	if (size > MAX_EXCLUDE_BYTES) throw new Error("info/exclude is over 1 MB");
	return await file.readFile("utf8");
}
