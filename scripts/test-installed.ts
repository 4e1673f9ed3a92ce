import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installPackage } from "../e2e/support/installed/install-package.ts";
import { repositoryRoot } from "./repository.ts";

/** The end-to-end tests, with the installed package instead of the sources. Arguments are passed to vitest. */
const folder = await mkdtemp(join(tmpdir(), "xworkmate-installed-"));
try {
	const installed = await installPackage(folder);
	const vitest = join(repositoryRoot, "node_modules", "vitest", "vitest.mjs");
	// `npm start` is a checkout's own.
	const args = [vitest, "run", "--project", "e2e", "--exclude", "e2e/tests/npm-start.test.ts", ...process.argv.slice(2)];
	const env = { ...process.env, XWORKMATE_TEST_PACKAGE: installed.folder };
	const { status } = spawnSync(process.execPath, args, { cwd: repositoryRoot, stdio: "inherit", env });
	process.exitCode = status ?? 1;
} finally {
	await rm(folder, { recursive: true, force: true });
}
