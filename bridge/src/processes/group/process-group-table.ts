import { execFile } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { setTimeout as delay, setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { ifAbsent, systemErrorCode } from "@xworkmate/platform/errors";

/** One process as the kernel reports it. */
export interface ProcessEntry {
	readonly pid: number;
	readonly parentPid: number;
	readonly groupId: number;
	/** Together with the pid, identifies a process, because pids are reused, for example after the machine has restarted. */
	readonly startTime: string;
}

/** Reads the processes of this machine. */
export interface ProcessTable {
	list(): Promise<readonly ProcessEntry[]>;
	read(pid: number): Promise<ProcessEntry | undefined>;
}

const run = promisify(execFile);
const PS_TIMEOUT_MS = 5_000;

/** More than the length of `/proc/<pid>/stat`: one line with a name of at most 64 bytes and 51 other fields of at most 20 digits. */
const STAT_BYTES = 2_048;
const statBuffer = Buffer.alloc(STAT_BYTES);
/** The minimum time between the starts of two listings. */
const LIST_EVERY_MS = 50;
/** How many processes are read before something else may run. */
const READ_AT_ONCE = 64;
/** Settles when the next listing may begin. */
let free: Promise<unknown> = Promise.resolve();
let next: Promise<readonly ProcessEntry[]> | undefined;

/**
 * All visible processes of this machine, from `/proc` on Linux, and from `ps` elsewhere. There is one listing at a time, and at most one
 * every 50 ms for all callers: if a thousand groups ended at once and each read `/proc`, they would block everything else. A caller shares
 * the next listing, which contains every process that existed when it was requested and still does.
 * @throws Error if the processes can't be listed, which says nothing about whether they run
 */
export function listProcesses(): Promise<readonly ProcessEntry[]> {
	next ??= free.then(() => {
		next = undefined;
		const listing = listNow();
		// The error is reported to the callers of this listing.
		free = Promise.all([listing.catch(() => undefined), delay(LIST_EVERY_MS, undefined, { ref: false })]);
		return listing;
	});
	return next;
}

async function listNow(): Promise<readonly ProcessEntry[]> {
	return process.platform === "linux" ? listWithProc() : listWithPs();
}

/**
 * The table entry of one process; undefined if it does not exist.
 * @throws Error if it can't be read, which says nothing about whether it runs
 */
export async function readProcess(pid: number): Promise<ProcessEntry | undefined> {
	return process.platform === "linux" ? readWithProc(pid) : readWithPs(pid);
}

export const processTable: ProcessTable = { list: listProcesses, read: readProcess };

/** @throws Error if the entry of a process can't be read, for example because too many files are open */
export async function listWithProc(proc = "/proc"): Promise<readonly ProcessEntry[]> {
	const entries: ProcessEntry[] = [];
	const names = readdirSync(proc).filter((name) => /^\d+$/.test(name));
	for (const [index, name] of names.entries()) {
		if (index % READ_AT_ONCE === READ_AT_ONCE - 1) await setImmediate();
		const entry = readVisible(Number(name), proc);
		if (entry !== undefined) entries.push(entry);
	}
	return entries;
}

/** Undefined for another user's process too, because `/proc` may be mounted to hide it (`hidepid`). */
function readVisible(pid: number, proc: string): ProcessEntry | undefined {
	try {
		return readWithProc(pid, proc);
	} catch (error) {
		const code = systemErrorCode(error);
		if (code === "EACCES" || code === "EPERM") return undefined;
		throw error;
	}
}

/** @throws Error if the process has an entry that can't be read */
export function readWithProc(pid: number, proc = "/proc"): ProcessEntry | undefined {
	const boot = bootId(proc);
	let stat: string;
	try {
		stat = readStat(`${proc}/${pid}/stat`);
	} catch (error) {
		// ESRCH: the process ended after the file was opened.
		if (systemErrorCode(error) === "ESRCH") return undefined;
		return ifAbsent(error);
	}
	return parseProcStat(stat, boot);
}

/** Synchronous, because the kernel answers from memory, and passing each read through Node's worker pool costs five times as much. */
function readStat(path: string): string {
	const file = openSync(path, "r");
	try {
		return statBuffer.toString("utf8", 0, readSync(file, statBuffer, 0, STAT_BYTES, 0));
	} finally {
		closeSync(file);
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

/** The boot ids, by the path of `/proc`. */
const boots = new Map<string, string>();

function bootId(proc: string): string {
	const known = boots.get(proc) ?? readFileSync(`${proc}/sys/kernel/random/boot_id`, "utf8").trim();
	boots.set(proc, known);
	return known;
}

/** @throws Error if `ps` fails. It always lists at least itself, so an empty list is a failure too. */
export async function listWithPs(program = "ps"): Promise<readonly ProcessEntry[]> {
	const entries = await ps(program, "-A");
	if (entries.length === 0) throw new Error("ps listed no processes");
	return entries;
}

/** @throws Error if `ps` fails */
export async function readWithPs(pid: number, program = "ps"): Promise<ProcessEntry | undefined> {
	try {
		return (await ps(program, "-p", String(pid))).at(0);
	} catch (error) {
		// ps exits with 1 and writes nothing if the process is gone.
		if (error instanceof Error && "code" in error && error.code === 1 && "stderr" in error && error.stderr === "") return undefined;
		throw error;
	}
}

async function ps(program: string, ...which: readonly string[]): Promise<readonly ProcessEntry[]> {
	const options = { timeout: PS_TIMEOUT_MS, maxBuffer: 16 * 1024 * 1024, env: { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" } };
	const { stdout } = await run(program, [...which, "-o", "pid=,ppid=,pgid=,stat=,lstart="], options);
	return stdout.split("\n").flatMap(parsePsLine);
}

export function parsePsLine(line: string): readonly ProcessEntry[] {
	const [, pid, parent, group, state = "", started] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S.*)$/.exec(line.trimEnd()) ?? [];
	if (started === undefined || state.startsWith("Z")) return [];
	return [{ pid: Number(pid), parentPid: Number(parent), groupId: Number(group), startTime: started }];
}
