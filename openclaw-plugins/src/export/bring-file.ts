import { createHash } from "node:crypto";
import { closeSync, existsSync, fstatSync, lstatSync, mkdirSync, openSync, readSync, realpathSync, rmSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { artifactPathProblem, type RejectionReason } from "@xworkmate/contracts";
import { READ_FILE, WRITE_NEW_FILE } from "@xworkmate/platform/files";
import { isScopeError } from "@xworkmate/platform/scope-tree";
import type { BringFile } from "../attribution/bring-plan.ts";

const chunk = Buffer.allocUnsafeSlow(1024 * 1024);

/**
 * Copies a file into the scope; returns the reason if it is rejected, otherwise undefined. If an identical file already has the name, it
 * counts as copied.
 */
export function bringFile({ source, relativePath }: BringFile, scope: string): RejectionReason | undefined {
	const problem = artifactPathProblem(relativePath);
	if (problem !== undefined) return problem;
	try {
		const destination = join(makeFolders(scope, dirname(relativePath)), basename(relativePath));
		return copy(source, destination);
	} catch (error) {
		if (isScopeError(error)) return "changed_while_reading";
		throw error;
	}
}

/** Creates the folders of a path below the scope. Each has to be a real folder. */
function makeFolders(scope: string, path: string): string {
	if (path === ".") return scope;
	const folder = join(makeFolders(scope, dirname(path)), basename(path));
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	if (realpathSync(folder) !== folder) throw Object.assign(new Error("a folder of the scope points elsewhere"), { code: "ELOOP" });
	return folder;
}

function copy(source: string, destination: string): RejectionReason | undefined {
	// A link in place of the folder would point elsewhere; the last segment is never followed.
	if (realpathSync(dirname(source)) !== dirname(source)) return "symlink";
	const input = openSync(source, READ_FILE);
	try {
		const before = fstatSync(input, { bigint: true });
		if (!before.isFile()) return "special_file";
		if (before.nlink > 1n) return "hard_link";
		if (lstatSync(source, { bigint: true }).ino !== before.ino) return "changed_while_reading";
		if (existsSync(destination)) return isSame(source, destination) ? undefined : "name_collision";
		copyBytes(input, destination);
		const after = fstatSync(input, { bigint: true });
		if (before.mtimeNs === after.mtimeNs && before.size === after.size) return undefined;
		rmSync(destination);
		return "changed_while_reading";
	} finally {
		closeSync(input);
	}
}

function copyBytes(input: number, destination: string): void {
	const output = openSync(destination, WRITE_NEW_FILE, 0o600);
	try {
		for (let length = readSync(input, chunk); length > 0; length = readSync(input, chunk)) {
			for (let written = 0; written < length; ) written += writeSync(output, chunk, written, length - written);
		}
	} finally {
		closeSync(output);
	}
}

function isSame(one: string, other: string): boolean {
	const [a, b] = [one, other].map((path) => lstatSync(path));
	return a?.isFile() === true && b?.isFile() === true && a.size === b.size && hashOf(one) === hashOf(other);
}

function hashOf(path: string): string {
	const input = openSync(path, READ_FILE);
	try {
		const hash = createHash("sha256");
		for (let length = readSync(input, chunk); length > 0; length = readSync(input, chunk)) hash.update(chunk.subarray(0, length));
		return hash.digest("hex");
	} finally {
		closeSync(input);
	}
}
