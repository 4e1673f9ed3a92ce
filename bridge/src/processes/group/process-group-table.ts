import { execFile } from "node:child_process";
import { open, readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** One process as the kernel reports it. */
export interface ProcessEntry {
	readonly pid: number;
	readonly parentPid: number;
	readonly groupId: number;
	/** With the pid, it identifies a process: pids are reused, also across a restart of the machine. */
	readonly startTime: string;
}

const run = promisify(execFile);
const PS_TIMEOUT_MS = 5_000;

/** More than a line of `/proc/<pid>/stat`, which has 52 numbers and a name of 16 bytes. */
const STAT_BYTES = 2_048;
let running: Promise<unknown> = Promise.resolve();
let next: Promise<readonly ProcessEntry[]> | undefined;

/**
 * All visible processes of this machine, from `/proc` if it exists, otherwise from `ps`. One listing at a time: if thirty groups that end
 * at once each read `/proc`, they would block everything else. A caller during a listing shares the next one, which sees every process that
 * existed when it was requested.
 */
export function listProcesses(): Promise<readonly ProcessEntry[]> {
	next ??= running.then(() => {
		next = undefined;
		const listing = listNow();
		running = listing.catch(() => undefined); // The error is reported to the callers of this listing.
		return listing;
	});
	return next;
}

async function listNow(): Promise<readonly ProcessEntry[]> {
	if (process.platform !== "linux") return listWithPs([]);
	const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
	const entries = await Promise.all(names.map((name) => readProcStat(Number(name))));
	return entries.filter((entry) => entry !== undefined);
}

/** Undefined if the process does not exist. */
export async function readProcess(pid: number): Promise<ProcessEntry | undefined> {
	if (process.platform === "linux") return readProcStat(pid);
	const [entry] = await listWithPs(["-p", String(pid)]);
	return entry;
}

async function readProcStat(pid: number): Promise<ProcessEntry | undefined> {
	try {
		return parseProcStat(await readStat(pid), await bootId());
	} catch {
		// The process ended between the listing and the read.
		return undefined;
	}
}

/** `readFile` would allocate 64 KiB for each, because the size of such a file is not known before it is read. */
async function readStat(pid: number): Promise<string> {
	const file = await open(`/proc/${pid}/stat`);
	try {
		const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(STAT_BYTES), 0, STAT_BYTES, 0);
		return buffer.toString("utf8", 0, bytesRead);
	} finally {
		await file.close();
	}
}

/**
 * Fields 1, 4, 5 and 22 of `/proc/<pid>/stat` (proc(5)). Field 2 is the command in parentheses and may itself contain spaces and
 * parentheses. A zombie counts as ended.
 */
export function parseProcStat(text: string, boot: string): ProcessEntry | undefined {
	const open = text.indexOf("(");
	const close = text.lastIndexOf(")");
	const fields = text
		.slice(close + 1)
		.trim()
		.split(" ");
	const [state, parent, group] = fields;
	const ticks = fields[19];
	const pid = Number(text.slice(0, open));
	if (open < 0 || close < open || ticks === undefined || state === "Z" || state === "X" || !Number.isInteger(pid)) return undefined;
	return { pid, parentPid: Number(parent), groupId: Number(group), startTime: `${ticks}@${boot}` };
}

let knownBoot: string | undefined;

async function bootId(): Promise<string> {
	knownBoot ??= (await readFile("/proc/sys/kernel/random/boot_id", "utf8")).trim();
	return knownBoot;
}

async function listWithPs(selection: readonly string[]): Promise<readonly ProcessEntry[]> {
	const which = selection.length === 0 ? ["-A"] : selection;
	try {
		const options = { timeout: PS_TIMEOUT_MS, maxBuffer: 16 * 1024 * 1024, env: { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" } };
		const { stdout } = await run("ps", [...which, "-o", "pid=,ppid=,pgid=,stat=,lstart="], options);
		return stdout.split("\n").flatMap(parsePsLine);
	} catch {
		// ps exits with 1 if the selected process is gone.
		return [];
	}
}

export function parsePsLine(line: string): readonly ProcessEntry[] {
	const [, pid, parent, group, state = "", started] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S.*)$/.exec(line.trimEnd()) ?? [];
	if (started === undefined || state.startsWith("Z")) return [];
	return [{ pid: Number(pid), parentPid: Number(parent), groupId: Number(group), startTime: started }];
}
