import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const pids = new Set<number>();

/**
 * Gives this process its own temporary folder. The bench writes gigabytes, so the folder is removed and all registered child processes are
 * ended however it ends, including by Ctrl+C, unless it is killed with SIGKILL.
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

/** Registers a child process that must not outlive this one. */
export function endWithBench(pid: number): void {
	pids.add(pid);
}

/** Unregisters a child that has ended, because its pid may soon be reused. */
export function hasEnded(pid: number): void {
	pids.delete(pid);
}

function kill(pid: number): void {
	try {
		process.kill(pid, "SIGKILL");
	} catch {
		// It has already ended.
	}
}
