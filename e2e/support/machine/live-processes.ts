import { readdir, readFile, readlink } from "node:fs/promises";
import { waitUntil } from "./wait-until.ts";

export interface LiveProcess {
	readonly pid: number;
	readonly command: string;
}

/** Processes that carry a path in their environment, arguments or current directory. Linux only; elsewhere empty. */
export async function processesNaming(path: string): Promise<readonly LiveProcess[]> {
	if (process.platform !== "linux") return [];
	const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
	const found = await Promise.all(pids.filter((pid) => pid !== process.pid).map((pid) => inspect(pid, path)));
	return found.filter((entry) => entry !== undefined);
}

async function inspect(pid: number, path: string): Promise<LiveProcess | undefined> {
	try {
		const state = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1]?.[0];
		if (state === "Z" || state === "X") return undefined;
		const [environ, commandLine] = await Promise.all([readFile(`/proc/${pid}/environ`), readFile(`/proc/${pid}/cmdline`)]);
		const directory = await readlink(`/proc/${pid}/cwd`);
		if (!environ.includes(path) && !commandLine.includes(path) && !directory.startsWith(path)) return undefined;
		return { pid, command: commandLine.toString("utf8").replaceAll("\0", " ").trim() };
	} catch {
		// Ended between the listing and the check, or belongs to another user: not a process of the test.
		return undefined;
	}
}

/** Fails unless every process that names the path is gone within the bound. */
export async function expectNoProcessNaming(path: string, boundMs = 8_000): Promise<void> {
	let last: readonly LiveProcess[] = [];
	try {
		await waitUntil("the end of every process of this home", boundMs, async () => {
			last = await processesNaming(path);
			return last.length === 0 ? true : undefined;
		});
	} catch (cause) {
		for (const { pid } of last) endByPid(pid);
		throw new Error(`left behind: ${last.map(({ pid, command }) => `${pid} ${command}`).join("; ")}`, { cause });
	}
}

/** SIGKILL to one process; one that has ended already is fine. */
export function endByPid(pid: number): void {
	try {
		process.kill(pid, "SIGKILL");
	} catch (error) {
		if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
	}
}
