import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { temporaryRoot } from "./temporary-root.ts";

/** The variables that `tmpdir()` reads, depending on the system. */
const NAMES = ["TMPDIR", "TEMP", "TMP"];

/**
 * Programs that these projects start, such as browsers and real agents, leave folders of their own, which are reported without failing the
 * run.
 */
const TOLERANT = new Set(["extended", "alone", "openclaw", "browser"]);

/** Gives a test run its own temporary folder, for its workers and what they start, and fails if anything is left in it. */
export default function useOwnTempFolder({ vitest }: TestProject): () => void {
	// Short, because a socket's path has at most 107 bytes.
	const folder = mkdtempSync(join(temporaryRoot(), "xw-"));
	for (const name of NAMES) process.env[name] = folder;
	// npm and vite put compiled code into the temporary folder by default; scripts/toolchain.mjs sets another folder.
	process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL("../.cache/compile", import.meta.url));
	return () => {
		const left = readdirSync(folder);
		rmSync(folder, { recursive: true, force: true });
		if (left.length === 0) return;
		const problem = `tests left ${left.length} entries in the temporary folder: ${left.slice(0, 10).join(", ")}`;
		if (!vitest.projects.some(({ name }) => TOLERANT.has(name))) throw new Error(problem);
		console.warn(problem);
	};
}
