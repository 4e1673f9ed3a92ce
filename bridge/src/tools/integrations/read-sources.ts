import { constants, type Dirent } from "node:fs";
import { lstat, open, opendir } from "node:fs/promises";
import { join } from "node:path";
import { formatBytes, type ToolProblem } from "@xworkmate/contracts";
import { systemErrorCode } from "@xworkmate/platform/errors";
import { READ_FILE } from "@xworkmate/platform/files";
import type { SourceFile } from "./tool-version.ts";

const sourceBounds = { files: 200, folders: 50, depth: 8, entries: 1_000, fileBytes: 256 * 1024, bytes: 2 * 2 ** 20 } as const;
const NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/;
const NAME_RULE =
	"A name may contain only ASCII letters, digits, dots, dashes and underscores, at most 100 in total, and may not begin with a dash.";
/** Not part of an integration: declaration files, tests, and anything installed or hidden. */
const IGNORED = /^(?:\..*|node_modules)$|\.(?:d|test)\.ts$/;

export type Sources =
	| { readonly kind: "read"; readonly files: readonly SourceFile[]; readonly folders: readonly string[] }
	| { readonly kind: "refused"; readonly problem: ToolProblem; readonly folders: readonly string[] };

class Refused extends Error {
	readonly problem: ToolProblem;

	constructor(code: "IMPORT_FAILED" | "TOO_LARGE", message: string, file?: string) {
		super(message);
		this.problem = { code, message, ...(file === undefined ? {} : { file: file.slice(0, 1_000) }) };
	}
}

/**
 * Reads the `.ts` files of an integration's folder, in the order of their paths. Odd names, and links and special files with such names,
 * are refused, never followed or corrected. Everything else is ignored. `folders`: absolute paths of the folders that were read, to be
 * watched.
 */
export async function readSources(root: string): Promise<Sources> {
	const folders: string[] = [];
	try {
		const stat = await lstat(root);
		if (!stat.isDirectory())
			throw new Refused("IMPORT_FAILED", "The integration's folder is a link or a file. Replace it with a real folder.");
		const paths = await sourcePaths(root, folders);
		const files: SourceFile[] = [];
		let bytes = 0;
		for (const path of paths) {
			const text = await readSource(root, path);
			bytes += Buffer.byteLength(text);
			if (bytes > sourceBounds.bytes)
				throw new Refused("TOO_LARGE", `The integration's files are larger than ${formatBytes(sourceBounds.bytes)} in total.`);
			files.push({ path, text });
		}
		return { kind: "read", files, folders };
	} catch (error) {
		if (error instanceof Refused) return { kind: "refused", problem: error.problem, folders };
		const code = systemErrorCode(error);
		if (code === undefined) throw error;
		return { kind: "refused", problem: { code: "IMPORT_FAILED", message: `The integration's files can't be read (${code}).` }, folders };
	}
}

async function sourcePaths(root: string, folders: string[]): Promise<readonly string[]> {
	const paths: string[] = [];
	const waiting = [""];
	for (let below = waiting.shift(); below !== undefined; below = waiting.shift()) {
		if (folders.length >= sourceBounds.folders)
			throw new Refused("TOO_LARGE", `The integration has more than ${sourceBounds.folders} folders.`);
		folders.push(join(root, below));
		for (const entry of await entriesOf(root, below)) {
			if (IGNORED.test(entry.name) || !(entry.isDirectory() || entry.name.endsWith(".ts"))) continue;
			const path = below === "" ? entry.name : `${below}/${entry.name}`;
			if (!NAME.test(entry.name)) throw new Refused("IMPORT_FAILED", NAME_RULE, path);
			if (entry.isDirectory() && path.split("/").length > sourceBounds.depth)
				throw new Refused("TOO_LARGE", `This folder is nested more than ${sourceBounds.depth} levels deep.`, path);
			if (entry.isDirectory()) waiting.push(path);
			else if (entry.isFile()) paths.push(path);
			else throw new Refused("IMPORT_FAILED", "This is a link or a special file. Replace it with a regular file.", path);
			if (paths.length > sourceBounds.files) throw new Refused("TOO_LARGE", `The integration has more than ${sourceBounds.files} files.`);
		}
	}
	return paths.sort((one, other) => (one < other ? -1 : 1));
}

async function entriesOf(root: string, below: string): Promise<readonly Dirent[]> {
	const entries: Dirent[] = [];
	for await (const entry of await opendir(join(root, below))) {
		entries.push(entry);
		if (entries.length > sourceBounds.entries)
			throw new Refused("TOO_LARGE", `A folder has more than ${sourceBounds.entries} entries.`, below);
	}
	return entries;
}

async function readSource(root: string, path: string): Promise<string> {
	await using file = await open(join(root, path), READ_FILE | (constants.O_NOCTTY ?? 0));
	const stat = await file.stat();
	if (!stat.isFile()) throw new Refused("IMPORT_FAILED", "This is a special file. Replace it with a regular file.", path);
	if (stat.size > sourceBounds.fileBytes)
		throw new Refused("TOO_LARGE", `This file is larger than ${formatBytes(sourceBounds.fileBytes)}.`, path);
	const bytes = Buffer.alloc(sourceBounds.fileBytes + 1);
	let length = 0;
	for (let read = -1; read !== 0 && length < bytes.length; length += read) ({ bytesRead: read } = await file.read(bytes, length));
	if (length > sourceBounds.fileBytes)
		throw new Refused("TOO_LARGE", `This file is larger than ${formatBytes(sourceBounds.fileBytes)}.`, path);
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, length));
	} catch {
		throw new Refused("IMPORT_FAILED", "This file is not UTF-8 text.", path);
	}
}
