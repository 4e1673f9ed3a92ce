import { createHash } from "node:crypto";
import { type BigIntStats, closeSync, fstatSync, lstatSync, openSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { isGoneCode, systemErrorCode } from "@xworkmate/platform/errors";
import { READ_FILE } from "@xworkmate/platform/files";
import { joinRecords, type RawPath, splitRecords } from "../git/git-paths.ts";
import type { OwnRepository, TreeEntry } from "../git/own-repository.ts";

/**
 * What is at a path now. `behind`: the file or link that has replaced one of the path's folders. `blocked`: anything else, such as a
 * folder, a device on the way, or a file that is too large. `seen`: a value that changes with the file, to detect a change after the file
 * was read.
 */
export type FileNow =
	| { readonly kind: "absent"; readonly behind?: RawPath }
	| { readonly kind: "blocked" }
	| { readonly kind: "file"; readonly entry: TreeEntry; readonly seen: string };

type Found = { readonly kind: "absent"; readonly behind?: RawPath } | { readonly kind: "blocked" } | { readonly status: BigIntStats };

/** What is at these paths of a work tree now, read without following links. */
export async function filesNow(own: OwnRepository, root: string, paths: readonly RawPath[]): Promise<ReadonlyMap<RawPath, FileNow>> {
	const found = paths.map((path) => [path, find(root, path)] as const);
	const bound = BigInt(own.bounds.fileBytes);
	// Recorded before git reads the files, so that a later change to a file is noticed before the file is replaced.
	const sights = new Map(
		found.flatMap(([path, at]) => ("status" in at && at.status.size <= bound ? [[path, sightOf(root, path, at.status)] as const] : [])),
	);
	const entries = await entriesOf(own, root, [...sights.keys()]);
	return new Map(
		found.map(([path, at]): [RawPath, FileNow] => {
			if (!("status" in at)) return [path, at];
			const entry = entries.get(path);
			return [path, entry === undefined ? { kind: "blocked" } : { kind: "file", entry, seen: sights.get(path) ?? "" }];
		}),
	);
}

/** The current `seen` value of a file; undefined if there is nothing at the path, and "blocked" if anything else is there. */
export function sightAt(root: string, path: RawPath): string | undefined {
	const found = find(root, path);
	if ("status" in found) return sightOf(root, path, found.status);
	return found.kind === "absent" ? undefined : found.kind;
}

/** True if nothing is at a path, and nothing else is in the place of one of its folders. */
export function isFree(root: string, path: RawPath): boolean {
	const found = find(root, path);
	return "kind" in found && found.kind === "absent" && found.behind === undefined;
}

export function segmentsOf(path: RawPath): readonly string[] {
	return Buffer.from(path, "latin1").toString("utf8").split("/");
}

/**
 * A file's times don't show every change: two changes within one tick of the file system's clock leave the same times. So the value
 * includes a hash.
 */
function sightOf(root: string, path: RawPath, { size, mtimeNs, ctimeNs, ino, mode }: BigIntStats): string {
	return [size, mtimeNs, ctimeNs, ino, mode, hashOf(join(root, ...segmentsOf(path)))].join(" ");
}

/** The hash of a file's bytes, of a link's target, or of no bytes if something else is at the path; "gone" if nothing is. */
function hashOf(path: string): string {
	try {
		const bytes = lstatSync(path).isSymbolicLink() ? readlinkSync(path, "buffer") : readPlainFile(path);
		return createHash("sha256").update(bytes).digest("hex");
	} catch (error) {
		if (isGoneCode(systemErrorCode(error)) || systemErrorCode(error) === "ELOOP") return "gone";
		throw error;
	}
}

/** Does not follow a link, and does not wait for the writer of a pipe, either of which may have taken the file's place. */
function readPlainFile(path: string): Buffer {
	const file = openSync(path, READ_FILE);
	try {
		return fstatSync(file).isFile() ? readFileSync(file) : Buffer.of();
	} finally {
		closeSync(file);
	}
}

function find(root: string, path: RawPath): Found {
	const names = segmentsOf(path);
	for (let depth = 1; depth < names.length; depth += 1) {
		const status = lstatIfThere(join(root, ...names.slice(0, depth)));
		if (status === undefined) return { kind: "absent" };
		if (status.isFile() || status.isSymbolicLink()) return { kind: "absent", behind: path.split("/").slice(0, depth).join("/") };
		if (!status.isDirectory()) return { kind: "blocked" };
	}
	const status = lstatIfThere(join(root, ...names));
	if (status === undefined) return { kind: "absent" };
	return status.isFile() || status.isSymbolicLink() ? { status } : { kind: "blocked" };
}

function lstatIfThere(path: string): BigIntStats | undefined {
	try {
		return lstatSync(path, { bigint: true });
	} catch (error) {
		if (isGoneCode(systemErrorCode(error))) return undefined;
		throw error;
	}
}

async function entriesOf(own: OwnRepository, root: string, paths: readonly RawPath[]): Promise<ReadonlyMap<RawPath, TreeEntry>> {
	if (paths.length === 0) return new Map();
	return await own.withIndex(async (index) => {
		const shared = { index, workTree: root, timeMs: own.bounds.treeMs };
		await own.run({ ...shared, args: ["update-index", "--add", "--remove", "-z", "--stdin"], input: joinRecords(paths) });
		const { output } = await own.run({ ...shared, args: ["ls-files", "-s", "-z"] });
		return new Map(
			splitRecords(output).map((record) => {
				const tab = record.indexOf("\t");
				const [mode = "", id = ""] = record.slice(0, tab).split(" ");
				return [record.slice(tab + 1), { mode, id }];
			}),
		);
	});
}
