import { defineConfig } from "rolldown";

/** What the gateway loads has no dependencies: contracts, zod and tar-stream are inside. */
export default defineConfig({
	input: { index: "src/index.ts", "seal-worker": "src/seal-worker.ts" },
	platform: "node",
	// The gateway's own, resolved by it.
	external: [/^openclaw\//],
	output: { dir: "dist", format: "esm", cleanDir: true, chunkFileNames: "[name].js", sourcemap: false, comments: { legal: true } },
});
