import { setTimeout as delay } from "node:timers/promises";
import { listProcesses, type ProcessEntry, readProcess } from "./process-group-table.ts";

const FIRST_POLL_MS = 10;
const LONGEST_POLL_MS = 160;
const KILL_ROUNDS = 5;

/** A group identified by its leader, whose pid is the group's number. */
export interface GroupIdentity {
	readonly pid: number;
	readonly startTime: string;
}

/**
 * The processes of a group: its leader, its members, and their descendants, because agents' tools often open process groups of their own.
 * Empty if the leader's pid now belongs to another process.
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

/** A member without a living leader must have started after the leader, on the same boot of the machine. */
function mayBeMember(member: ProcessEntry, group: GroupIdentity): boolean {
	const [memberTicks, memberBoot] = member.startTime.split("@");
	const [groupTicks, groupBoot] = group.startTime.split("@");
	if (memberBoot === undefined) return Date.parse(member.startTime) >= Date.parse(group.startTime);
	return memberBoot === groupBoot && Number(memberTicks) >= Number(groupTicks);
}

/** Sends a signal to each of these processes whose pid has not been reused. */
async function signalProcesses(entries: readonly ProcessEntry[], signal: NodeJS.Signals): Promise<void> {
	const alive = await stillAlive(entries);
	for (const entry of alive) sendSignal(entry.pid, signal);
}

/** The processes that are still alive, ignoring reused pids. */
async function stillAlive(entries: readonly ProcessEntry[]): Promise<readonly ProcessEntry[]> {
	const now = await Promise.all(entries.map(({ pid }) => readProcess(pid)));
	return entries.filter((entry, index) => now[index]?.startTime === entry.startTime);
}

/** Waits at most `boundMs` until all of these are gone. Returns those that are not. */
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
 * Sends SIGTERM to a group and its descendants, and SIGKILL after `graceMs` to what is left. Resolves when all are gone; false if one could
 * not be ended (another user's process).
 * @param seen processes known to belong to it, which can no longer be found once their parents are gone
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
	// Several rounds: a process that forks between the listing and the signal is found in the next one.
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
		// ESRCH: it has already ended. EPERM: another user's; the result says that it is still running.
	}
}
