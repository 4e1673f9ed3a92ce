import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ProcessGroup, SpawnError } from "../../../src/processes/group/process-group.ts";
import { endGroup, groupProcesses } from "../../../src/processes/group/process-group-end.ts";
import { endLeftoverProcesses } from "../../../src/processes/group/process-group-leftovers.ts";
import {
	listProcesses,
	type ProcessEntry,
	parseProcStat,
	parsePsLine,
	readProcess,
} from "../../../src/processes/group/process-group-table.ts";
import { MemoryLedger } from "../../providers/acp/support/memory-ledger.ts";
import { isAlive } from "../../providers/acp/support/processes.ts";

const environment = { PATH: process.env.PATH ?? "" };
const stubborn = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);";
const parent = `const {spawn} = require('node:child_process');
for (const detached of [false, true]) spawn(process.execPath, ['-e', ${JSON.stringify(stubborn)} + "console.log(process.pid)"], {stdio: ['ignore', 'inherit', 'ignore'], detached});
${stubborn}`;

async function start(script: string, ledger = new MemoryLedger()): Promise<ProcessGroup> {
	return ProcessGroup.start(
		{ command: process.execPath, args: ["-e", script], workingDirectory: process.cwd(), environment, label: "test" },
		ledger,
	);
}

/** The first numbers a child prints, one a line. */
async function printed(group: ProcessGroup, count: number): Promise<number[]> {
	const numbers: number[] = [];
	for await (const line of createInterface(group.output)) if (numbers.push(Number(line)) === count) break;
	return numbers;
}

describe("a process group", () => {
	it("is in the ledger with its start time while it lives, and not after", async () => {
		const ledger = new MemoryLedger();
		const group = await start("process.stdin.resume()", ledger);
		expect(await ledger.list()).toEqual([{ pid: group.pid, startTime: (await readProcess(group.pid))?.startTime, label: "test" }]);
		await group.end({ inputClosedMs: 5_000, terminatedMs: 0 });
		expect(await group.exited).toEqual({ code: 0, signal: null });
		expect(await ledger.list()).toEqual([]);
	});

	it("is asked by the end of stdin, then by SIGTERM, then killed", async () => {
		const polite = await start("process.stdin.resume(); process.on('SIGTERM', () => process.exit(9))");
		await polite.end({ inputClosedMs: 5_000, terminatedMs: 5_000 });
		expect(await polite.exited).toEqual({ code: 0, signal: null });
		const deaf = await start("process.on('SIGTERM', () => process.exit(9)); setInterval(() => {}, 1000); console.log(1)");
		await printed(deaf, 1);
		await deaf.end({ inputClosedMs: 10, terminatedMs: 5_000 });
		expect(await deaf.exited).toEqual({ code: 9, signal: null });
		const rock = await start(`${stubborn} console.log(1)`);
		await printed(rock, 1);
		await rock.end({ inputClosedMs: 10, terminatedMs: 10 });
		expect(await rock.exited).toEqual({ code: null, signal: "SIGKILL" });
	});

	it("keeps what it wrote for a reader that comes after its end", async () => {
		const group = await start("console.log(1); console.error(2)");
		await group.exited;
		expect([await text(group.output), await text(group.errors)]).toEqual(["1\n", "2\n"]);
	});

	it("takes its children with it, also those in groups of their own", async () => {
		const group = await start(parent);
		const children = await printed(group, 2);
		await group.kill();
		for (const pid of [group.pid, ...children]) expect(await isAlive(pid)).toBe(false);
	});

	it.each([
		["by SIGTERM", false],
		["before, when the processes had been seen", true],
	])("ends a late command whose shell was ended %s, but not the leader", async (_when, isShellGone) => {
		const command = JSON.stringify(`${stubborn} console.log(process.pid)`);
		const group = await start(`const {spawn} = require('node:child_process');
const shell = spawn('/bin/sh', ['-c', '"$0" -e "$1" & wait', process.execPath, ${command}], {stdio: ['ignore', 'inherit', 'ignore'], detached: true});
process.on('SIGUSR2', () => shell.kill('SIGKILL')); shell.on('exit', () => console.log(0)); setInterval(() => {}, 1000);`);
		const lines = createInterface(group.output)[Symbol.asyncIterator]();
		const child = Number((await lines.next()).value);
		const seen = await group.processes();
		// SIGTERM ends the shell alone; the command goes to another parent.
		const bounds = { leaderMs: 0, terminatedMs: 200 };
		if (isShellGone) {
			process.kill(group.pid, "SIGUSR2");
			await lines.next();
		}
		expect(await group.endStartedSince(0, bounds, isShellGone ? seen : [])).toBe(true);
		expect([await isAlive(group.pid), await isAlive(child)]).toEqual([true, false]);
		await group.kill();
	});

	it("that cannot be started is a SpawnError", async () => {
		const command = { command: "/nowhere", args: [], workingDirectory: process.cwd(), environment, label: "none" };
		await expect(ProcessGroup.start(command, new MemoryLedger())).rejects.toThrow(SpawnError);
	});

	it("is ended again when the ledger cannot take it", async () => {
		const ledger = new MemoryLedger();
		let pid = 0;
		ledger.add = async (entry) => {
			pid = entry.pid;
			throw new Error("disk full");
		};
		await expect(start("process.stdin.resume()", ledger)).rejects.toThrow("disk full");
		expect(await isAlive(pid)).toBe(false);
	});
});

describe("leftovers of an earlier bridge", () => {
	it("are ended, children and all, and leave the ledger", async () => {
		const ledger = new MemoryLedger();
		const group = await start(parent, ledger);
		const children = await printed(group, 2);
		expect(await endLeftoverProcesses(ledger)).toEqual([]);
		for (const pid of [group.pid, ...children]) expect(await isAlive(pid)).toBe(false);
		expect(await ledger.list()).toEqual([]);
	});

	it("are found by their group when the leader is gone", async () => {
		const ledger = new MemoryLedger();
		const group = await start(parent.replace("[false, true]", "[false]"), ledger);
		const [child = 0] = await printed(group, 1);
		const entries = await ledger.list();
		process.kill(group.pid, "SIGKILL");
		await group.exited;
		for (const entry of entries) await ledger.add(entry);
		await endLeftoverProcesses(ledger);
		expect(await isAlive(child)).toBe(false);
	});

	it("whose pid belongs to another process now are left alone", async () => {
		const child = spawn(process.execPath, ["-e", "process.stdin.resume(); console.log(1)"], {
			detached: true,
			stdio: ["pipe", "pipe", "ignore"],
		});
		await once(child.stdout, "data");
		const pid = child.pid ?? 0;
		const actual = (await readProcess(pid))?.startTime ?? "";
		const ledger = new MemoryLedger();
		for (const startTime of [`1${actual}`, actual.replace(/@.*/, "@another-boot"), "ended"]) {
			await ledger.add({ pid, startTime, label: "reused" });
			expect(await endLeftoverProcesses(ledger)).toEqual([]);
			expect(await isAlive(pid)).toBe(true);
			expect(await ledger.list()).toEqual([]);
		}
		child.stdin.end();
		await once(child, "exit");
	});
});

describe("the table of processes", () => {
	it("sees this process as the kernel does", async () => {
		const entry = (await listProcesses()).find(({ pid }) => pid === process.pid);
		expect(entry).toMatchObject({ pid: process.pid, parentPid: process.ppid });
		expect(entry).toEqual(await readProcess(process.pid));
	});

	it("reads /proc/<pid>/stat with any command name, and counts the dead as gone", () => {
		const line = (name: string, state: string) => `42 (${name}) ${state} 7 42 42 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 12345 1 2`;
		fc.assert(
			fc.property(fc.string(), (name) => {
				expect(parseProcStat(line(name, "S"), "boot")).toEqual({ pid: 42, parentPid: 7, groupId: 42, startTime: "12345@boot" });
			}),
		);
		expect(parseProcStat(line("x", "Z"), "boot")).toBeUndefined();
		fc.assert(fc.property(fc.string(), (text) => void parseProcStat(text, "boot")));
	});

	it("reads the lines of ps", () => {
		expect(parsePsLine("  42     7    42 Ss   Sat Nov 21 22:05:01 2026")).toEqual([
			{ pid: 42, parentPid: 7, groupId: 42, startTime: "Sat Nov 21 22:05:01 2026" },
		]);
		expect(parsePsLine(" 42 7 42 Z+ Sat Nov 21 22:05:01 2026")).toEqual([]);
		fc.assert(fc.property(fc.string(), (text) => void parsePsLine(text)));
	});

	it("never counts a process as a member whose leader is another one", () => {
		const entry = fc.record({
			pid: fc.integer({ min: 2, max: 30 }),
			parentPid: fc.integer({ min: 0, max: 30 }),
			groupId: fc.integer({ min: 2, max: 30 }),
			startTime: fc.integer({ min: 0, max: 5 }).map((ticks) => `${ticks}@boot`),
		});
		const table = fc.uniqueArray(entry, { selector: ({ pid }) => pid });
		fc.assert(
			fc.property(table, fc.integer({ min: 2, max: 30 }), (entries: readonly ProcessEntry[], pid) => {
				const leader = entries.find((candidate) => candidate.pid === pid);
				const members = groupProcesses({ pid, startTime: "3@boot" }, entries);
				if (leader !== undefined && leader.startTime !== "3@boot") expect(members).toEqual([]);
				const pids = members.map((member) => member.pid);
				expect(new Set(pids).size).toBe(pids.length);
				for (const member of members) {
					const own = member.pid === pid || member.groupId === pid;
					expect(own || pids.includes(member.parentPid)).toBe(true);
				}
			}),
		);
	});

	it("ends nothing for a group that is not there", async () => {
		expect(await endGroup({ pid: 2 ** 30, startTime: "1@boot" }, 0)).toBe(true);
	});
});
