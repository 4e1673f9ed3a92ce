import { execFile } from "node:child_process";
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { repositoryRoot } from "../repository.ts";
import { bundlePage } from "./bundle-page.ts";
import { bundlePrograms, TOOL_PACKAGE } from "./bundle-programs.ts";
import type { SpokenWords } from "./installed-words.ts";
import { packageManifest, toolManifest } from "./package-manifest.ts";

const run = promisify(execFile);

/** Programs, page and what they read beside them, in a folder. */
export interface WrittenPrograms {
	readonly version: string;
	/** Paths of the modules that are inside. */
	readonly modules: readonly string[];
}

/**
 * Writes what runs of a package into a folder: the programs, the page, package.json, the example tools, the script that starts the
 * compiler, and what tools import.
 */
export async function writePrograms(folder: string, words: SpokenWords): Promise<WrittenPrograms> {
	const { version, text } = await packageManifest();
	const modules = [...(await bundlePrograms(folder, words)), ...(await bundlePage(join(folder, "dist", "ui"), words))];
	await writeFile(join(folder, "package.json"), text);
	await cp(join(repositoryRoot, "examples/tools"), join(folder, "examples/tools"), { recursive: true });
	await cp(join(repositoryRoot, "bridge/src/sandbox/compiler/bounded-compiler.sh"), join(folder, "bounded-compiler.sh"));
	await addTool(join(folder, "node_modules", TOOL_PACKAGE));
	return { version, modules };
}

/** The types of what a tool imports are those that its sources have. */
async function addTool(tool: string): Promise<void> {
	await run(join(repositoryRoot, "node_modules", ".bin", "tsc"), ["-b", join(repositoryRoot, "tool-sdk")]);
	const types = join(repositoryRoot, ".cache", "types", "tool-sdk", "src");
	await cp(types, tool, { recursive: true, filter: (path) => !path.endsWith(".map") });
	await writeFile(join(tool, "package.json"), await toolManifest());
}
