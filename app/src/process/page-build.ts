import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { omitUndefined } from "@xworkmate/contracts";
import { ifAbsent, systemErrorCode } from "@xworkmate/platform/errors";

const app = fileURLToPath(new URL("../..", import.meta.url));
const BUILD_MS = 120_000;
const STAMP = ".built-from";

/** The page's source folders and files, relative to `app/`. */
const sources = ["src", "vite.config.ts", "package.json", "../contracts/src"];

/** The absolute path of the built page. The page is served from there even if it has not been built yet. */
export const builtPage = join(app, "dist", "ui");

/**
 * Builds the page if it was never built, or was built from different sources. The new build replaces the old one once it is complete, so
 * that two starts at once, or a start that is killed, never leave half a page. `signal` ends the builder.
 * @throws Error with the builder's output
 */
export async function buildPageWhenStale(onNote: (words: string) => void, signal?: AbortSignal): Promise<void> {
	// An installed package contains the page but not its sources.
	if (!existsSync(join(app, "src"))) return;
	const stamp = await stampOfSources();
	const built = await readFile(join(builtPage, STAMP), "utf8").catch(() => "");
	if (built === stamp) return;
	onNote("Building the page (only the first time and after changes)…");
	const fresh = `${builtPage}.${process.pid}`;
	try {
		await runBuilder(fresh, signal);
		await writeFile(join(fresh, STAMP), stamp);
		await takePlace(fresh);
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

async function takePlace(fresh: string): Promise<void> {
	const old = `${fresh}.old`;
	await mkdir(join(app, "dist"), { recursive: true });
	await rename(builtPage, old).catch(ifAbsent);
	try {
		await rename(fresh, builtPage);
	} catch (error) {
		// Another start was faster and has already built a page from the same sources.
		if (!["ENOTEMPTY", "EEXIST"].includes(systemErrorCode(error) ?? "")) throw error;
	}
	await rm(old, { recursive: true, force: true });
}
