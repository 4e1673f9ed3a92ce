import { posix } from "node:path";
import { packages } from "./package-files.ts";
import type { SourceFile } from "./source-file.ts";
import { loadedModules } from "./syntax.ts";

const page = /^app\/src\/ui\//;

/**
 * Modules of Node that the page would load, as `a -> b -> node:util`. A browser has none of them: the build leaves an empty module in
 * their place, and the part of the page that calls one fails when it is first shown.
 */
export function nodeModulesOfPage(files: readonly SourceFile[]): string[] {
	const byPath = new Map(files.map((file) => [file.path, file]));
	const found: string[] = [];
	const walked = new Set<string>();
	const walk = (path: string, way: readonly string[]): void => {
		const file = byPath.get(path);
		if (file === undefined || walked.has(path)) return;
		walked.add(path);
		for (const module of loadedModules(file)) {
			if (module.startsWith("node:")) found.push([...way, path, module].join(" -> "));
			else walk(fileOf(path, module), [...way, path]);
		}
	};
	for (const { path } of files) if (page.test(path)) walk(path, []);
	return found;
}

/** The file of this repository that a module resolves to; the module itself for one of another package, which is no file here. */
function fileOf(from: string, module: string): string {
	if (module.startsWith(".")) return posix.normalize(posix.join(posix.dirname(from), module));
	return packages[module] ?? module;
}
