import { basename, dirname, extname, relative, resolve } from "node:path";
import type { Plugin } from "rolldown";
import { repositoryRoot } from "../repository.ts";

/** A place in the sources, as a module names it: what follows `new URL(`. */
const PLACE = /new URL\("([^"]+)", import\.meta\.url\)/g;

/** Where a file or folder of the sources is in the package, relative to the folder of its programs. */
const PLACES: Readonly<Record<string, string>> = {
	app: "../",
	"app/package.json": "../package.json",
	"bridge/src": "./",
	"bridge/src/sandbox/compiler/bounded-compiler.sh": "../bounded-compiler.sh",
	"examples/tools": "../examples/tools",
};

/**
 * Modules start programs and threads by the place of their source file. Each becomes a program of the package, and each other place is
 * one that the package has.
 * @throws Error when a module names a place that the package does not have
 */
export function sourcePlaces(): Plugin {
	return {
		name: "source-places",
		transform(code, id) {
			if (!id.endsWith(".ts") || id.includes("node_modules") || !code.includes("import.meta.url")) return null;
			return code.replaceAll(PLACE, (_, specifier: string) => {
				const path = resolve(dirname(id), specifier);
				if (extname(path) === ".ts") {
					const name = basename(path, ".ts") === "main" ? programOf(path) : basename(path, ".ts");
					this.emitFile({ type: "chunk", id: path, name, fileName: `${name}.js` });
					return `new URL("./${name}.js", import.meta.url)`;
				}
				const place = PLACES[relative(repositoryRoot, path)];
				if (place === undefined) throw new Error(`${id} names ${specifier}, which the package does not have: add it to PLACES`);
				return `new URL("${place}", import.meta.url)`;
			});
		},
	};
}

/** `bridge/src/main.ts` is `bridge`. */
function programOf(path: string): string {
	return relative(repositoryRoot, path).split("/")[0] ?? "";
}
