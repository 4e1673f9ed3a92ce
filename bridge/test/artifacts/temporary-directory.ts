import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TemporaryDirectory extends AsyncDisposable {
	/** Absolute real path. */
	readonly path: string;
}

/** An empty directory that goes away with the test. */
export async function temporaryDirectory(): Promise<TemporaryDirectory> {
	const path = await realpath(await mkdtemp(join(tmpdir(), "xw-artifacts-")));
	return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
