import { setTimeout as delay } from "node:timers/promises";
import { type ProcessEntry, type ProcessTable, processTable } from "./process-group-table.ts";

const FIRST_POLL_MS = 10;
const LONGEST_POLL_MS = 160;
const KILL_ROUNDS = 5;
/** How long the kernel may take to end killed processes. */
const KILLED_MS = 1_000;
/** The unit of start times in `/proc`, on every architecture (proc(5), USER_HZ). */
const TICK_MS = 10;
/** The precision of a process's start time: `ps` shows whole seconds. */
const EXACT_MS = process.platform === "linux" ? 2 * TICK_MS : 1_000;

type List = Pick<ProcessTable, "list">;

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
	const { byPid, byParent, byGroup } = indexOf(table);
	const leader = byPid.get(group.pid);
	if (leader !== undefined && leader.startTime !== group.startTime) return [];
	const found = new Map<number, ProcessEntry>();
	const add = (entries: readonly ProcessEntry[]) => {
		for (const entry of entries) {
			if (found.has(entry.pid)) continue;
			found.set(entry.pid, entry);
			add(byParent.get(entry.pid) ?? []);
		}
	};
	if (leader !== undefined) add([leader]);
	add((byGroup.get(group.pid) ?? []).filter((entry) => mayBeMember(entry, group)));
	return [...found.values()];
}

interface TableIndex {
	readonly byPid: ReadonlyMap<number, ProcessEntry>;
	readonly byParent: ReadonlyMap<number, readonly ProcessEntry[]>;
	readonly byGroup: ReadonlyMap<number, readonly ProcessEntry[]>;
}

/** The index of a table, built only once, because a thousand groups may share a table. */
const indexes = new WeakMap<readonly ProcessEntry[], TableIndex>();

function indexOf(table: readonly ProcessEntry[]): TableIndex {
	const known = indexes.get(table);
	if (known !== undefined) return known;
	const index: TableIndex = {
		byPid: new Map(table.map((entry) => [entry.pid, entry])),
		byParent: Map.groupBy(table, ({ parentPid }) => parentPid),
		byGroup: Map.groupBy(table, ({ groupId }) => groupId),
	};
	indexes.set(table, index);
	return index;
}

/** A member can't have started before the leader or on another boot of the machine; such a process is in a later group with this number. */
function mayBeMember(member: ProcessEntry, group: GroupIdentity): boolean {
	return startedAfter(member, group) >= 0;
}

/** How many milliseconds after the leader a process started; NaN if it started on another boot of the machine. Precise to `TICK_MS`. */
function startedAfter(member: ProcessEntry, group: GroupIdentity): number {
	const [memberTicks, memberBoot] = member.startTime.split("@");
	const [groupTicks, groupBoot] = group.startTime.split("@");
	if (memberBoot === undefined) return Date.parse(member.startTime) - Date.parse(group.startTime);
	return memberBoot === groupBoot ? (Number(memberTicks) - Number(groupTicks)) * TICK_MS : Number.NaN;
}

/** The given processes that are still in the table. A process that reuses a pid does not count. */
function aliveIn(table: readonly ProcessEntry[], entries: Iterable<ProcessEntry>): readonly ProcessEntry[] {
	const { byPid } = indexOf(table);
	return [...entries].filter((entry) => byPid.get(entry.pid)?.startTime === entry.startTime);
}

/** Sends a signal to these processes and waits at most `boundMs` until all of them are gone. */
async function signal(entries: readonly ProcessEntry[], name: NodeJS.Signals, boundMs: number, table: List): Promise<void> {
	for (const entry of entries) sendSignal(entry.pid, name);
	await gone(entries, boundMs, table);
}

/** Waits at most `boundMs` until all of these processes are gone. */
async function gone(entries: readonly ProcessEntry[], boundMs: number, table: List): Promise<void> {
	if (entries.length === 0) return;
	const until = Date.now() + boundMs;
	for (let poll = FIRST_POLL_MS; ; poll = Math.min(poll * 2, LONGEST_POLL_MS)) {
		const alive = aliveIn(await table.list(), entries);
		const left = until - Date.now();
		if (alive.length === 0 || left <= 0) return;
		await delay(Math.min(poll, left));
	}
}

/**
 * Sends SIGTERM to a group and its descendants, unless `graceMs` is 0, and SIGKILL after `graceMs` to those that are left. Resolves with
 * true once all are gone, or with false if one may still be running, such as another user's, or if the processes can't be listed.
 * @param seen processes known to belong to the group, which can no longer be found once their parents are gone
 */
export async function endGroup(
	group: GroupIdentity,
	graceMs: number,
	seen: readonly ProcessEntry[] = [],
	table: List = processTable,
): Promise<boolean> {
	try {
		return await endListed(group, graceMs, seen, table);
	} catch {
		// Without the list, neither a signal nor a claim about these pids would be safe: another process may have one of them.
		return false;
	}
}

/** Time limits of `endStartedSince`, in milliseconds. */
export interface LateEndBounds {
	/** How long the leader has to end the processes itself. */
	readonly leaderMs: number;
	/** How long to wait after SIGTERM before SIGKILL. */
	readonly terminatedMs: number;
}

/**
 * Ends the processes that a group's leader started at least `afterMs` after its own start, but neither the leader nor what it started
 * earlier. Resolves as `endGroup` does.
 * @param afterMs milliseconds after the start of the leader
 * @param seen processes known to belong to the group, which can no longer be found once their parents are gone
 */
export async function endStartedSince(
	group: GroupIdentity,
	afterMs: number,
	{ leaderMs, terminatedMs }: LateEndBounds,
	seen: readonly ProcessEntry[] = [],
	table: List = processTable,
): Promise<boolean> {
	const isLate = (one: ProcessEntry) => one.pid !== group.pid && startedAfter(one, group) >= afterMs - EXACT_MS;
	const started = finder((listed) => groupProcesses(group, listed).filter(isLate), seen.filter(isLate), table);
	try {
		const first = await started();
		if (first.length === 0) return true;
		await gone(first, leaderMs, table);
		await signal(await started(), "SIGTERM", terminatedMs, table);
		return await killAll(started, table);
	} catch {
		return false;
	}
}

/** @throws Error if the processes can't be listed */
async function endListed(group: GroupIdentity, graceMs: number, seen: readonly ProcessEntry[], table: List): Promise<boolean> {
	const alive = finder((listed) => groupProcesses(group, listed), seen, table);
	if (graceMs > 0) await signal(await alive(), "SIGTERM", graceMs, table);
	return await killAll(alive, table);
}

type Find = () => Promise<readonly ProcessEntry[]>;

/** Returns a function that lists those processes that are still running, of all that `select` has ever found and those in `seen`. */
function finder(select: (table: readonly ProcessEntry[]) => readonly ProcessEntry[], seen: readonly ProcessEntry[], table: List): Find {
	const known = new Map(seen.map((entry) => [entry.pid, entry]));
	return async () => {
		const listed = await table.list();
		for (const entry of select(listed)) known.set(entry.pid, entry);
		return aliveIn(listed, known.values());
	};
}

/** Sends SIGKILL until no process is found, for a limited number of rounds. Resolves to true if all are gone. */
async function killAll(alive: Find, table: List): Promise<boolean> {
	// A process that forks between the listing and the signal leaves a child that only the next round finds.
	for (let round = 0; round < KILL_ROUNDS; round++) {
		const left = await alive();
		if (left.length === 0) return true;
		await signal(left, "SIGKILL", KILLED_MS, table);
	}
	return (await alive()).length === 0;
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
	try {
		process.kill(pid, signal);
	} catch {
		// ESRCH: the process has already ended. EPERM: it is another user's, and the result says that it is still running.
	}
}
