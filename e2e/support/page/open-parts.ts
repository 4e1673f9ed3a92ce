import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { repositoryRoot } from "../bridge/bridge-process.ts";

const address = "http://parts.localhost";

/** Builds the page of all parts, which is none of the product's, and shows it. */
export async function openParts(page: Page): Promise<AsyncDisposable> {
	const app = join(repositoryRoot, "app");
	const vite = join(dirname(createRequire(join(app, "package.json")).resolve("vite/package.json")), "bin", "vite.js");
	await using undo = new AsyncDisposableStack();
	const built = await mkdtemp(join(tmpdir(), "parts "));
	undo.defer(() => rm(built, { recursive: true, force: true }));
	const config = join(app, "test", "ui", "parts", "vite.config.ts");
	await promisify(execFile)(process.execPath, [vite, "build", "--config", config, "--outDir", built, "--emptyOutDir"], { cwd: app });
	await page.route(`${address}/**`, async (route) => {
		const { pathname } = new URL(route.request().url());
		await route.fulfill({ path: join(built, pathname === "/" ? "index.html" : pathname) });
	});
	await page.goto(address);
	await page.getByText("Stage rail").first().waitFor();
	return undo.move();
}
