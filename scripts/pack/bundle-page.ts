import { join } from "node:path";
import { build } from "vite";
import { repositoryRoot } from "../repository.ts";
import { installedWords, type SpokenWords } from "./installed-words.ts";

/** Builds the page into a folder. Settles with the paths of the modules that are inside. */
export async function bundlePage(into: string, words: SpokenWords): Promise<readonly string[]> {
	const modules = new Set<string>();
	await build({
		configFile: join(repositoryRoot, "app", "vite.config.ts"),
		build: { outDir: into, emptyOutDir: true },
		plugins: [
			words === "installed" && installedWords(),
			{
				name: "modules",
				generateBundle(_, bundle) {
					for (const chunk of Object.values(bundle)) if (chunk.type === "chunk") for (const id of chunk.moduleIds) modules.add(id);
				},
			},
		],
	});
	return [...modules].sort();
}
