import { fileURLToPath } from "node:url";
import { build } from "vite";

/**
 * Builds the page: `node app/src/ui-build.ts <folder>`, absolute. A process of its own, since what a builder takes of
 * memory is not given back by a process that runs for weeks.
 */
const [, , outDir] = process.argv;
if (outDir === undefined) throw new Error("give the folder to build into");
await build({
	root: fileURLToPath(new URL("ui", import.meta.url)),
	configFile: false,
	logLevel: "error",
	oxc: { jsx: { runtime: "automatic" } },
	build: { outDir, emptyOutDir: true, target: "es2023", reportCompressedSize: false, modulePreload: { polyfill: false } },
});
