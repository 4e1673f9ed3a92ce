import { setTimeout as delay } from "node:timers/promises";
import { listProcesses, type ProcessEntry, readProcess } from "./process-group-table.ts";

const FIRST_POLL_MS = 10;
const LONGEST_POLL_MS = 160;
const KILL_ROUNDS = 5;

/** A group by its leader: the leader's pid is the group's number. */
export interface GroupIdentity {
	readonly pid: number;
	readonly startTime: string;
}

/**
 * The processes that belong to a group: its leader, its members, and what descends from them, since tools
 * of an agent often open process groups of their own. Empty when the leader's pid belongs to another process now.
 */
export function groupProcesses(group: GroupIdentity, table: readonly ProcessEntry[]): readonly ProcessEntry[] {
	const leader = table.find((entry) => entry.pid === group.pid);
	if (leader !== undefined && leader.startTime !== group.startTime) return [];
	const found = new Map<number, ProcessEntry>();
	const add = (entries: readonly ProcessEntry[]) => {
		for (const entry of entries) {
			if (found.has(entry.pid)) continue;
			found.set(entry.pid, entry);
			add(table.filter((child) => child.parentPid === entry.pid));
		}
	};
	add(table.filter((entry) => entry.pid === group.pid || (entry.groupId === group.pid && mayBeMember(entry, group))));
	return [...found.values()];
}

/** A member whose leader is gone was started after it, on the same boot of the machine. */
function mayBeMember(member: ProcessEntry, group: GroupIdentity): boolean {
	const [memberTicks, memberBoot] = member.startTime.split("@");
	const [groupTicks, groupBoot] = group.startTime.split("@");
	if (memberBoot === undefined) return Date.parse(member.startTime) >= Date.parse(group.startTime);
	return memberBoot === groupBoot && Number(memberTicks) >= Number(groupTicks);
}

/** Sends a signal to each of these that still is the process it was. */
async function signalProcesses(entries: readonly ProcessEntry[], signal: NodeJS.Signals): Promise<void> {
	const alive = await stillAlive(entries);
	for (const entry of alive) sendSignal(entry.pid, signal);
}

/** Those that still are the processes they were. */
async function stillAlive(entries: readonly ProcessEntry[]): Promise<readonly ProcessEntry[]> {
	const now = await Promise.all(entries.map(({ pid }) => readProcess(pid)));
	return entries.filter((entry, index) => now[index]?.startTime === entry.startTime);
}

/** Waits until none of these is left, at most `boundMs`. Returns those that are. */
async function waitUntilGone(entries: readonly ProcessEntry[], boundMs: number): Promise<readonly ProcessEntry[]> {
	const until = Date.now() + boundMs;
	for (let poll = FIRST_POLL_MS; ; poll = Math.min(poll * 2, LONGEST_POLL_MS)) {
		const alive = await stillAlive(entries);
		const left = until - Date.now();
		if (alive.length === 0 || left <= 0) return alive;
		await delay(Math.min(poll, left));
	}
}

/**
 * SIGTERM to a group and what descends from it, SIGKILL after `graceMs` to what is left. Resolves when
 * all are gone; false when something could not be ended (another user's process).
 * @param seen processes known to belong to it, which are not found any more once their parents are gone
 */
export async function endGroup(group: GroupIdentity, graceMs: number, seen: readonly ProcessEntry[] = []): Promise<boolean> {
	const known = new Map(seen.map((entry) => [entry.pid, entry]));
	const note = async () => {
		for (const entry of groupProcesses(group, await listProcesses())) known.set(entry.pid, entry);
		return [...known.values()];
	};
	if (graceMs > 0) {
		await signalProcesses(await note(), "SIGTERM");
		await waitUntilGone([...known.values()], graceMs);
	}
	// Several rounds: a process that forks between the listing and the signal is seen in the next one.
	for (let round = 0; round < KILL_ROUNDS; round++) {
		const alive = await stillAlive(await note());
		if (alive.length === 0) return true;
		for (const entry of alive) sendSignal(entry.pid, "SIGKILL");
		await waitUntilGone(alive, 1_000);
	}
	return (await stillAlive([...known.values()])).length === 0;
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
	try {
		process.kill(pid, signal);
	} catch {
		// ESRCH: it has already ended. EPERM: not ours; the caller learns that it is still running.
	}
}
