import { closeSync, openSync, readFileSync, readSync, realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { z } from "zod";

const Manifest = z.looseObject({ bin: z.union([z.string(), z.record(z.string(), z.string())]).optional() });

export interface PackageProgram {
	/** Relative to the folder of the installation. */
	readonly path: string;
	/** `node`: a script for Node. `itself`: an executable. */
	readonly runtime: "node" | "itself";
}

/**
 * The program of an installed package: the one with the name of the agent's command, or the only one. Undefined if there is none, or if it
 * is not inside the package.
 */
export function findProgram(folder: string, packageName: string, command: string): PackageProgram | undefined {
	const root = realpathSync(join(folder, "node_modules", packageName));
	const { bin } = Manifest.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
	const named = typeof bin === "string" ? { [command]: bin } : (bin ?? {});
	const only = Object.values(named).length === 1 ? Object.values(named)[0] : undefined;
	const file = (Object.hasOwn(named, command) ? named[command] : undefined) ?? only;
	if (file === undefined) return undefined;
	const path = realpathIfThere(join(root, file));
	// A package must not name a program outside its own folder.
	if (path === undefined || !path.startsWith(root + sep)) return undefined;
	return { path: relative(realpathSync(folder), path), runtime: isScript(path) ? "node" : "itself" };
}

function isScript(path: string): boolean {
	const first = Buffer.alloc(128);
	const file = openSync(path, "r");
	try {
		const length = readSync(file, first, 0, first.length, 0);
		const [line = ""] = first.toString("latin1", 0, length).split("\n");
		return line.startsWith("#!") ? /\bnode\b/.test(line) : /\.[cm]?js$/.test(path);
	} finally {
		closeSync(file);
	}
}

function realpathIfThere(path: string): string | undefined {
	try {
		return realpathSync(path);
	} catch {
		// The package names a program that does not exist.
		return undefined;
	}
}
