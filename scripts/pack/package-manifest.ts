import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { repositoryRoot } from "../repository.ts";
import { INSTALLED, OPTIONAL_INSTALLED, TOOL_PACKAGE } from "./bundle-programs.ts";

const Manifest = z.object({ version: z.string(), description: z.string().optional(), license: z.string().optional() });

/** The package.json of the package: its dependencies are what cannot be bundled, in the versions that are installed here. */
export async function packageManifest(): Promise<{ readonly version: string; readonly text: string }> {
	const { version, description, license } = await manifestIn(repositoryRoot);
	const tool = await manifestIn(join(repositoryRoot, "tool-sdk"));
	const fields = {
		name: "xworkmate",
		version,
		description,
		license,
		type: "module",
		bin: { xworkmate: "programs/xworkmate.js" },
		engines: { node: ">=24" },
		dependencies: { ...(await versions(INSTALLED)), [TOOL_PACKAGE]: tool.version },
		optionalDependencies: await versions(OPTIONAL_INSTALLED),
		bundleDependencies: [TOOL_PACKAGE],
	};
	return { version, text: `${JSON.stringify(fields, undefined, "\t")}\n` };
}

/** The package.json of what a tool imports. */
export async function toolManifest(): Promise<string> {
	const { version, license } = await manifestIn(join(repositoryRoot, "tool-sdk"));
	const exports = { ".": { types: "./index.d.ts", default: "./index.js" } };
	return `${JSON.stringify({ name: TOOL_PACKAGE, version, license, type: "module", exports }, undefined, "\t")}\n`;
}

async function versions(names: readonly string[]): Promise<Readonly<Record<string, string>>> {
	return Object.fromEntries(await Promise.all(names.map(async (name) => [name, (await manifestIn(await installedIn(name))).version])));
}

/** Where a package of the workspace's members is installed. @throws Error when it is in none */
export async function installedIn(name: string): Promise<string> {
	for (const member of ["bridge", "app", "."]) {
		const folder = join(repositoryRoot, member, "node_modules", name);
		const found = await readFile(join(folder, "package.json"), "utf8").catch(() => undefined);
		if (found !== undefined) return folder;
	}
	throw new Error(`${name} is not installed in bridge, app or the workspace`);
}

async function manifestIn(folder: string) {
	return Manifest.parse(JSON.parse(await readFile(join(folder, "package.json"), "utf8")));
}
