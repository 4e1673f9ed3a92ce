import { mkdir, realpath, symlink, writeFile } from "node:fs/promises";
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
// An old build would go on being used when one of these changes.
if (unknown.length > 0) throw new Error(`scripts/programs.mjs doesn't know ${unknown.join(", ")}: add it to SOURCES`);
// By this name the programs know that they are not installed, so that they say how commands are typed in a checkout.
await writeFile(join(folder, "programs", "main.js"), 'import "./xworkmate.js";\n');
for (const name of [...INSTALLED, ...OPTIONAL_INSTALLED]) {
	const link = join(folder, "node_modules", name);
	await mkdir(dirname(link), { recursive: true });
	await symlink(await realpath(await installedIn(name)), link, "junction");
}
