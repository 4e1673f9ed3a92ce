import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { repositoryRoot } from "../../e2e/support/bridge/bridge-process.ts";
import { type TemporaryHome, temporaryHome } from "../../e2e/support/machine/temporary-home.ts";
import type { BenchOptions } from "../options.ts";
import { compare, type Result } from "../result.ts";
import { interleave } from "../rounds.ts";
import { untilInstalled, untilPage } from "../until-page.ts";

/**
 * `npm start` in a fresh clone with an empty home, including download, install and build, until the page answers; compared with only the
 * toolchain and `pnpm install --frozen-lockfile` in another fresh clone with empty caches.
 */
export async function benchCold({ quick }: BenchOptions): Promise<readonly Result[]> {
	const samples = await interleave(quick ? 1 : 3, { bare: () => inFreshClone(untilInstalled), start: () => inFreshClone(untilPage) });
	return [
		compare(samples, {
			name: "npm start in a fresh clone, until the page answers",
			unit: "ms",
			measured: "start",
			against: "installing the packages alone",
			baseline: "bare",
			aim: { atMost: 2 },
		}),
	];
}

/** A clone of the committed state, in a folder with a space in its name. */
async function inFreshClone(measure: (home: TemporaryHome, checkout: string) => Promise<number>): Promise<number> {
	await using home = await temporaryHome();
	const folder = await mkdtemp(join(tmpdir(), "fresh clone-"));
	try {
		const checkout = join(folder, "xworkmate");
		await promisify(execFile)("git", ["clone", "--quiet", repositoryRoot, checkout]);
		return await measure(home, checkout);
	} finally {
		await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
	}
}
