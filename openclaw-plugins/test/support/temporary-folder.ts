import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TemporaryFolder extends AsyncDisposable {
	/** Absolute real path. */
	readonly path: string;
}

/** An empty folder that goes away with the test. */
export async function temporaryFolder(): Promise<TemporaryFolder> {
	const path = await realpath(await mkdtemp(join(tmpdir(), "xw-plugin-")));
	return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
