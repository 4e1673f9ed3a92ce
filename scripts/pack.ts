import { execFile } from "node:child_process";
import { cp, mkdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { billOfMaterials, bundledPackages, licencesText } from "./pack/bundled-packages.ts";
import { writePackage } from "./pack/write-package.ts";
import { writePrograms } from "./pack/write-programs.ts";
import { repositoryRoot } from "./repository.ts";

// Whatever started this: React and the page have a form for development, which names the folders of their sources.
process.env.NODE_ENV = "production";

const bin = (name: string) => join(repositoryRoot, "node_modules", ".bin", name);
const run = promisify(execFile);

/**
 * Writes `xworkmate-<version>.tgz` into a folder, by default `dist`: everything that the command, the bridge and the page need, which
 * `npm i -g` installs. The last line printed is its path.
 */
const { values } = parseArgs({ options: { into: { type: "string", default: join(repositoryRoot, "dist") } } });
const folder = join(values.into, ".package");
await rm(folder, { recursive: true, force: true });
const { version, modules } = await writePrograms(folder, "installed");
const packages = await bundledPackages(modules);
await writeFile(join(folder, "THIRD-PARTY-LICENSES.txt"), licencesText(packages));
await writeFile(join(folder, "sbom.cdx.json"), billOfMaterials(version, packages));
await cp(join(repositoryRoot, "LICENSE"), join(folder, "LICENSE"));
await cp(join(repositoryRoot, "docs", "install.md"), join(folder, "README.md"));
await addPlugin(join(folder, "openclaw"));
const into = join(values.into, `xworkmate-${version}.tgz`);
await writePackage(folder, into, ["bounded-compiler.sh", "programs/xworkmate.js"]);
await rm(folder, { recursive: true });
console.log(`${((await stat(into)).size / 1e6).toFixed(2)} MB, with ${packages.length} packages inside:\n${into}`);

/** The plugin for an OpenClaw gateway, as a package of its own. */
async function addPlugin(into: string): Promise<void> {
	const plugin = join(repositoryRoot, "openclaw-plugins");
	const staged = join(folder, ".plugin");
	await run(bin("rolldown"), ["-c", "rolldown.config.ts", "-d", join(staged, "dist")], { cwd: plugin });
	for (const file of ["openclaw.plugin.json", "package.json", "README.md", "LICENSE"]) await cp(join(plugin, file), join(staged, file));
	await mkdir(into, { recursive: true });
	await writePackage(staged, join(into, `xworkmate-openclaw-plugins-${version}.tgz`));
	await rm(staged, { recursive: true });
}
