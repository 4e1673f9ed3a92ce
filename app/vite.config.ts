import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/** The page. Its output's folder is named by what builds it (src/page-build.ts). */
export default defineConfig({
	root: fileURLToPath(new URL("src/ui", import.meta.url)),
	logLevel: "error",
	oxc: { jsx: { runtime: "automatic" } },
	build: { target: "es2023", reportCompressedSize: false, modulePreload: { polyfill: false } },
});
