import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const app = fileURLToPath(new URL("..", import.meta.url));
const sources = join(app, "src/ui");
const built = join(app, "dist/ui");
/** What the page is made of besides its own folder: what it imports, and the versions of its libraries. */
const alsoMadeOf = [join(app, "src/core/ui-routes.ts"), join(app, "package.json"), fileURLToPath(import.meta.url)];

/** Builds the page when a source is newer than what was built. @returns the built page's folder, absolute */
export async function buildUiWhenStale(onNote: (words: string) => void): Promise<string> {
	if (await isStale()) {
		onNote("Building the page, once after each change of it…");
		await buildUi();
	}
	return built;
}

/** Vite is loaded only here: a start with a page that is built does not pay for it. */
async function buildUi(): Promise<void> {
	const { build } = await import("vite");
	await build({
		root: sources,
		configFile: false,
		logLevel: "error",
		oxc: { jsx: { runtime: "automatic" } },
		build: { outDir: built, emptyOutDir: true, target: "es2023", reportCompressedSize: false, modulePreload: { polyfill: false } },
	});
}

async function isStale(): Promise<boolean> {
	const made = await changedAt(join(built, "index.html"));
	if (made === undefined) return true;
	const files = await readdir(sources, { recursive: true });
	const times = await Promise.all([sources, ...files.map((file) => join(sources, file)), ...alsoMadeOf].map(changedAt));
	return times.some((time) => time === undefined || time > made);
}

/** Milliseconds; undefined = it is not there. */
async function changedAt(path: string): Promise<number | undefined> {
	try {
		return (await stat(path)).mtimeMs;
	} catch (error) {
		if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
		throw error;
	}
}
