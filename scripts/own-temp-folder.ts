import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";

/** What `tmpdir()` reads, on one system or another. */
const NAMES = ["TMPDIR", "TEMP", "TMP"];

/** What these start, browsers and real agents, keeps its own folders: they are reported and fail nothing. */
const TOLERANT = new Set(["extended", "alone", "openclaw", "browser"]);

/** Gives a test run a temporary folder of its own, for its workers and what they start, and fails when anything is left in it. */
export default function useOwnTempFolder({ vitest }: TestProject): () => void {
	// Short: a socket's path has at most 107 bytes.
	const folder = mkdtempSync(join(tmpdir(), "xw-"));
	for (const name of NAMES) process.env[name] = folder;
	// npm and vite keep compiled code in the temporary folder unless they are told where; scripts/toolchain.mjs tells them.
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
