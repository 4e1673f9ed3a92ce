import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { omitUndefined } from "@xworkmate/contracts";
import { freshPage, recoverPage, STAMP, stampIn, takePlace } from "./page-place.ts";

const app = fileURLToPath(new URL("../..", import.meta.url));
const BUILD_MS = 120_000;

/** The page's source folders and files, relative to `app/`. */
const sources = ["src", "vite.config.ts", "package.json", "../contracts/src"];

/** The absolute path of the built page. The page is served from there even if it has not been built yet. */
export const builtPage = join(app, "dist", "ui");

/**
 * Builds the page if it was never built, or was built from different sources. The new build replaces the old one once it is complete, so
 * that two starts at once never leave half a page. The next start cleans up after one that was killed. `signal` ends the builder.
 * @throws Error with the builder's output
 */
export async function buildPageWhenStale(onNote: (words: string) => void, signal?: AbortSignal): Promise<void> {
	// An installed package contains the page but not its sources.
	if (!existsSync(join(app, "src"))) return;
	const stamp = await stampOfSources();
	await recoverPage(builtPage, stamp);
	if ((await stampIn(builtPage)) === stamp) return;
	onNote("Building the page (only the first time and after changes)…");
	const fresh = freshPage(builtPage);
	try {
		await runBuilder(fresh, signal);
		await writeFile(join(fresh, STAMP), stamp);
		await takePlace(fresh, builtPage);
	} finally {
		await rm(fresh, { recursive: true, force: true });
	}
}

async function stampOfSources(): Promise<string> {
	const files = await Promise.all(sources.map((source) => filesUnder(join(app, source))));
	return createHash("sha256").update(files.flat().sort().join("\n")).digest("hex");
}

/** Every file with its size and modification time. A source that does not exist counts as empty. */
async function filesUnder(path: string): Promise<readonly string[]> {
	const found = await stat(path).catch(() => undefined);
	if (found === undefined) return [];
	if (!found.isDirectory()) return [`${path} ${found.size} ${found.mtimeMs}`];
	const inside = await Promise.all((await readdir(path)).map((name) => filesUnder(join(path, name))));
	return inside.flat();
}

/** A separate process, because a process that runs for weeks would keep the memory that a build needs. */
async function runBuilder(into: string, signal: AbortSignal | undefined): Promise<void> {
	const vite = fileURLToPath(new URL("bin/vite.js", import.meta.resolve("vite/package.json")));
	const options = { cwd: app, timeout: BUILD_MS, ...omitUndefined({ signal }) };
	await promisify(execFile)(process.execPath, [vite, "build", "--outDir", into, "--emptyOutDir"], options);
}
