import { mkdir, realpath, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { repositoryRoot } from "../repository.ts";
import { INSTALLED, OPTIONAL_INSTALLED } from "./bundle-programs.ts";
import { installedIn } from "./package-manifest.ts";
import { unknownSources } from "./program-sources.ts";
import { writePrograms } from "./write-programs.ts";

// As in scripts/pack.ts. This is a process of its own, because the one of the tests has another value and a vite of its own.
process.env.NODE_ENV = "production";

/** Writes the programs into the folder that is its argument, as npm would install them, but with the packages of this checkout. */
const [folder = ""] = process.argv.slice(2);
const { modules } = await writePrograms(folder, "checkout");
const unknown = unknownSources(modules, repositoryRoot);
// Tests would go on with an old build when one of these changes.
if (unknown.length > 0) throw new Error(`scripts/pack/program-sources.ts doesn't know ${unknown.join(", ")}: add it to SOURCES`);
for (const name of [...INSTALLED, ...OPTIONAL_INSTALLED]) {
	const link = join(folder, "node_modules", name);
	await mkdir(dirname(link), { recursive: true });
	await symlink(await realpath(await installedIn(name)), link, "junction");
}
