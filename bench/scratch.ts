import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const pids = new Set<number>();

/**
 * Gives this process a temporary folder of its own. However it ends, Ctrl-C included, the folder and
 * the processes that were named are gone: the bench writes gigabytes.
 */
export function useScratchFolder(): void {
	const folder = mkdtempSync(join(tmpdir(), "xworkmate-bench-"));
	process.env.TMPDIR = folder;
	process.on("exit", () => {
		for (const pid of pids) kill(pid);
		rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
	});
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(1));
}

/** Names a child process that must not outlive this one. */
export function endWithBench(pid: number): void {
	pids.add(pid);
}

/** The child has ended; its pid may be someone else's soon. */
export function hasEnded(pid: number): void {
	pids.delete(pid);
}

function kill(pid: number): void {
	try {
		process.kill(pid, "SIGKILL");
	} catch {
		// It has ended on its own.
	}
}
