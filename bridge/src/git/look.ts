import { rmSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { formatBytes } from "@xworkmate/contracts";
import { ifAbsent, isGoneCode, systemErrorCode } from "@xworkmate/platform/errors";
import { GitError } from "./git-error.ts";
import { joinRecords, pathText, type RawPath, splitRecords } from "./git-paths.ts";
import type { OwnRepository } from "./own-repository.ts";

/** A file that exists, but whose content is not in the tree. It counts as unchanged while its size, time and inode are the same. */
export interface Unread {
	readonly path: RawPath;
	readonly why: "too_large" | "name";
	readonly size: number;
	readonly modified: string;
	readonly inode: string;
}

/** What a work tree held at one moment. */
export interface Look {
	readonly tree: string;
	readonly unread: readonly Unread[];
}

const GITLINK = "160000";

/**
 * Captures what a work tree holds now, as a tree in the bridge's own repository. Skips folders that are repositories themselves, and
 * ignored files. Only files that changed since the last look are read, within the bounds.
 * @throws GitError
 */
export async function lookAt(own: OwnRepository, workTree: string): Promise<Look> {
	try {
		return await look(own, workTree);
	} catch (error) {
		if (!(error instanceof GitError) || error.problem !== "failed") throw error;
		// The copied index may be damaged, or may need parts that were not copied.
		rmSync(own.index, { force: true });
		return await look(own, workTree);
	}
}

async function look(own: OwnRepository, workTree: string): Promise<Look> {
	const paths = await changedPaths(own, workTree);
	if (paths.length > own.bounds.lookFiles) {
		throw new GitError("large", `more than ${own.bounds.lookFiles} files in ${workTree} differ from what XWorkmate last read there`);
	}
	const found = await Promise.all(paths.map((path) => describe(workTree, path, own.bounds.fileBytes)));
	const bytes = found.reduce((sum, { size, unread }) => sum + (unread === undefined ? size : 0), 0);
	if (bytes > own.bounds.lookBytes) {
		throw new GitError(
			"large",
			`files in ${workTree} that differ from what XWorkmate last read there take up more than ${formatBytes(own.bounds.lookBytes)}`,
		);
	}
	const readable = found.filter(({ isThere, unread }) => isThere && unread === undefined);
	const others = found.filter((file) => !readable.includes(file));
	await update(own, workTree, ["--force-remove"], others);
	await update(own, workTree, ["--add", "--remove", "--replace"], readable);
	const tree = await own.line({ args: ["write-tree"] });
	return { tree, unread: found.flatMap(({ unread }) => (unread === undefined ? [] : [unread])) };
}

async function update(own: OwnRepository, workTree: string, how: readonly string[], files: readonly Found[]): Promise<void> {
	if (files.length === 0) return;
	const input = joinRecords(files.map(({ path }) => path));
	await own.run({ args: ["update-index", ...how, "-z", "--stdin"], workTree, input, timeMs: own.bounds.treeMs });
}

/** Paths that differ from the index, or that are not in it. */
async function changedPaths(own: OwnRepository, workTree: string): Promise<readonly RawPath[]> {
	const call = { workTree, timeMs: own.bounds.treeMs };
	// Submodules are skipped, because git would start itself in each, with its configuration.
	const tracked = await own.run({
		...call,
		args: ["diff-files", "-z", "--raw", "--ignore-submodules=all", "--no-ext-diff", "--no-textconv"],
	});
	const untracked = await own.run({ ...call, args: ["ls-files", "-z", "--others", "--exclude-standard"] });
	const known = splitRecords(tracked.output);
	const differing = known.flatMap((record, at) => {
		if (at % 2 === 1) return [];
		const [from = "", to = ""] = record.slice(1).split(" ");
		return from === GITLINK || to === GITLINK ? [] : [known[at + 1] ?? ""];
	});
	// A name that ends with a slash is that of a repository inside the work tree.
	const others = splitRecords(untracked.output).filter((path) => !path.endsWith("/"));
	return [...new Set([...differing, ...others])].filter((path) => path !== "");
}

interface Found {
	readonly path: RawPath;
	readonly isThere: boolean;
	readonly size: number;
	readonly unread?: Unread;
}

async function describe(workTree: string, path: RawPath, fileBytes: number): Promise<Found> {
	const name = Buffer.from(path, "latin1");
	const full = Buffer.concat([Buffer.from(join(workTree, "/")), name]);
	const status = await lstat(full, { bigint: true }).catch((error: unknown) => {
		return isGoneCode(systemErrorCode(error)) ? undefined : ifAbsent(error);
	});
	if (status === undefined || (!status.isFile() && !status.isSymbolicLink())) return { path, isThere: false, size: 0 };
	const size = Number(status.size);
	const why = pathText(path).isWhole ? (size > fileBytes ? "too_large" : undefined) : "name";
	if (why === undefined) return { path, isThere: true, size };
	const unread = { path, why, size, modified: String(status.mtimeNs), inode: String(status.ino) } as const;
	return { path, isThere: true, size, unread };
}
