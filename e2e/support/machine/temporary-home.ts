import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endByPid, processesNaming } from "./live-processes.ts";

/** A user's empty home directory, its path with a space and letters beyond ASCII in it. */
export interface TemporaryHome extends AsyncDisposable {
	/** Absolute; `HOME` of every process of the test. Unique, so that processes can be found by it. */
	readonly path: string;
	/** `XWORKMATE_HOME`. */
	readonly xworkmate: string;
}

export async function temporaryHome(): Promise<TemporaryHome> {
	const root = await mkdtemp(join(tmpdir(), "xw e2e-"));
	const path = join(root, "Häuser 家");
	const xworkmate = join(path, ".xworkmate");
	await mkdir(xworkmate, { recursive: true, mode: 0o700 });
	return {
		path,
		xworkmate,
		async [Symbol.asyncDispose]() {
			// A test that failed half-way may have left its processes; they carry this path, so they are its own.
			for (const { pid } of await processesNaming(path)) endByPid(pid);
			await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
		},
	};
}
