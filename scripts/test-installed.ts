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
	const args = [vitest, "run", "--project", "e2e", "--exclude", "e2e/tests/command/npm-start.test.ts", ...process.argv.slice(2)];
	const env = { ...process.env, XWORKMATE_TEST_PACKAGE: installed.folder };
	const run = (given: readonly string[]) => spawnSync(process.execPath, given, { cwd: repositoryRoot, stdio: "inherit", env }).status ?? 1;
	process.exitCode = run(args);
	// Needs the registry and a Chromium, and installs the package itself: from nothing to a real agent's first task.
	if (process.argv.length === 2 && process.exitCode === 0)
		process.exitCode = run([vitest, "run", "--project", "extended", "e2e/extended/first-task.test.ts"]);
} finally {
	await rm(folder, { recursive: true, force: true });
}
