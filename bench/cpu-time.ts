import { readdirSync, readFileSync } from "node:fs";

/** USER_HZ, which Linux fixes at 100 in its interfaces to programs. */
const TICKS_PER_SECOND = 100;

/**
 * CPU time of a process since its start, in microseconds: user and system time of all its threads, without its children. Accurate to 10 ms
 * (proc_pid_stat(5)), so measure for a second or more.
 */
function cpuMicroseconds(pid: number): number {
	const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
	// The second field is the program's name and may contain anything, so count from its closing bracket.
	const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
	const ticks = Number(fields[11]) + Number(fields[12]);
	return (ticks * 1_000_000) / TICKS_PER_SECOND;
}

/** CPU time that a process uses during `act`, in microseconds. */
export async function cpuDuring(pid: number, act: () => Promise<void>): Promise<number> {
	const before = cpuMicroseconds(pid);
	await act();
	return cpuMicroseconds(pid) - before;
}

/** CPU time of a process's threads that are there now, in nanoseconds: for those that do so little that 10 ms is too coarse. */
export function threadNanoseconds(pid: number): number {
	const threads = readdirSync(`/proc/${pid}/task`);
	return threads.reduce((sum, thread) => sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]), 0);
}
