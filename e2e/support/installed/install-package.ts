import { execFile } from "node:child_process";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { repositoryRoot } from "../machine/programs.ts";

const run = promisify(execFile);
const BOUND_MS = 180_000;

/** A package that was installed with npm's `-g` below a folder. */
export interface InstalledPackage {
	/** The package's own folder. */
	readonly folder: string;
	/** The folder with `xworkmate`, and node: a PATH of this alone has all that it needs. */
	readonly bin: string;
}

/** Packs the sources and installs the package, as a user would. @param below an existing folder */
export async function installPackage(below: string): Promise<InstalledPackage> {
	const packing = [join(repositoryRoot, "scripts", "pack.ts"), "--into", join(below, "packed")];
	const { stdout } = await run(process.execPath, packing, { timeout: BOUND_MS });
	const archive = stdout.trim().split("\n").at(-1) ?? "";
	const prefix = join(below, "prefix");
	// Npm of the tests' own Node: where it finds the registry is a matter of the machine.
	await run("npm", ["install", "--global", "--prefix", prefix, archive], { timeout: BOUND_MS, cwd: below });
	const bin = join(prefix, "bin");
	await symlink(process.execPath, join(bin, "node"));
	return { folder: join(prefix, "lib", "node_modules", "xworkmate"), bin };
}
