import { join } from "node:path";
import { type Plugin, type RolldownLog, rolldown } from "rolldown";
import { repositoryRoot } from "../repository.ts";
import { builtinParts } from "./builtin-parts.ts";
import { installedWords, type SpokenWords } from "./installed-words.ts";
import { sourcePlaces } from "./source-places.ts";

/** What cannot be bundled: compiled code, threads and files beside a module, and what tools import themselves. */
export const INSTALLED = ["@types/node", "better-sqlite3", "quickjs-wasi", "tinypool", "typescript", "zod"] as const;

/** Our package that tools import by name, so it is in the package as a package of its own. */
export const TOOL_PACKAGE = "@xworkmate/tool";

/** The native window, which a machine may be without. */
export const OPTIONAL_INSTALLED = ["@webviewjs/webview"] as const;

/** What libraries use where it is installed, and do without elsewhere. */
const OPTIONAL = ["bufferutil", "utf-8-validate", "zlib-sync", "pino-pretty", "encoding"];

/** jsonc-parser's first entry loads its parts in a way that no bundler can follow; it has another. */
const ALIASES = { "jsonc-parser": join(repositoryRoot, "bridge/node_modules/jsonc-parser/lib/esm/main.js") };

/** discord.js evaluates the scripts that a manager sends to its shards. The bridge has neither, so nothing reaches that line. */
function isKnown({ code, id }: RolldownLog): boolean {
	return code === "EVAL" && id?.replaceAll("\\", "/").endsWith("/discord.js/src/client/Client.js") === true;
}

/** Bundles all programs into a folder. Settles with the paths of the modules that are inside. */
export async function bundlePrograms(into: string, words: SpokenWords): Promise<readonly string[]> {
	const said = words === "installed" ? [{ name: "installed-words", transform: installedWords().transform }] : [];
	const external = [...INSTALLED, ...OPTIONAL_INSTALLED, ...OPTIONAL, TOOL_PACKAGE].map((name) => new RegExp(`^${name}(?:$|/)`));
	const entry = { xworkmate: join(repositoryRoot, "app/src/installed.ts") };
	const programs = await bundle(entry, external, [...said, builtinParts()], join(into, "programs"));
	const tool = await bundle(
		{ index: join(repositoryRoot, "tool-sdk/src/index.ts") },
		external.filter((name) => !name.test(TOOL_PACKAGE)),
		said,
		join(into, "node_modules", TOOL_PACKAGE),
	);
	return [...new Set([...programs, ...tool])].sort();
}

async function bundle(
	input: Readonly<Record<string, string>>,
	external: readonly RegExp[],
	said: readonly Plugin[],
	dir: string,
): Promise<readonly string[]> {
	const build = await rolldown({
		cwd: repositoryRoot,
		input,
		platform: "node",
		external: [...external],
		plugins: [sourcePlaces(), ...said],
		resolve: { alias: ALIASES },
		onLog: (level, log, handle) => {
			if (!isKnown(log)) handle(level, log);
		},
	});
	try {
		const { output } = await build.write({
			dir,
			format: "esm",
			cleanDir: true,
			entryFileNames: "[name].js",
			chunkFileNames: "[name]-[hash].js",
			minify: "dce-only",
			comments: { legal: false },
		});
		return output.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []));
	} finally {
		await build.close();
	}
}
