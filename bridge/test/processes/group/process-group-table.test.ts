import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { listProcesses, listWithProc, readWithProc } from "../../../src/processes/group/process-group-table.ts";

it("reads the processes of the machine once for all who ask at the same time", async () => {
	const lists = await Promise.all(Array.from({ length: 30 }, () => listProcesses()));
	expect(new Set(lists).size).toBe(1);
	expect(lists[0]?.map(({ pid }) => pid)).toContain(process.pid);
});

it("shows a process that was started while others were being listed to those who ask then", async () => {
	const before = listProcesses();
	const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], { stdio: ["pipe", "ignore", "ignore"] });
	try {
		await once(child, "spawn");
		const seen = await Promise.all(Array.from({ length: 5 }, () => listProcesses()));
		expect(seen.map((list) => list.some(({ pid }) => pid === child.pid))).toEqual(Array(5).fill(true));
		await before;
	} finally {
		child.kill("SIGKILL");
		await once(child, "exit");
	}
});

it("reads them at most once in 50 ms, however fast it is asked", async () => {
	await listProcesses();
	const begin = performance.now();
	for (let round = 0; round < 3; round++) await listProcesses();
	// A timer may be a millisecond early.
	expect(performance.now() - begin).toBeGreaterThan(2 * 49);
});

it("counts a process as gone only if it is not there, not if its entry can't be read", async () => {
	const proc = await mkdtemp(join(tmpdir(), "proc-"));
	try {
		await mkdir(join(proc, "sys/kernel/random"), { recursive: true });
		await writeFile(join(proc, "sys/kernel/random/boot_id"), "a-boot\n");
		await mkdir(join(proc, "7"));
		await writeFile(join(proc, "7/stat"), `7 (a name) S 1 7 ${Array(20).fill("5").join(" ")}`);
		// It ended after the listing of the folder.
		await mkdir(join(proc, "8"));
		const seven = { pid: 7, parentPid: 1, groupId: 7, startTime: "5@a-boot" };
		expect(readWithProc(7, proc)).toEqual(seven);
		expect(readWithProc(8, proc)).toBeUndefined();
		expect(await listWithProc(proc)).toEqual([seven]);
		// Stands in for any other error, such as too many open files.
		await mkdir(join(proc, "9/stat"), { recursive: true });
		expect(() => readWithProc(9, proc)).toThrow("EISDIR");
		await expect(listWithProc(proc)).rejects.toThrow("EISDIR");
		// Without the boot, a process can't be told from a later one with its pid.
		const bare = join(proc, "bare");
		await cp(join(proc, "7"), join(bare, "7"), { recursive: true });
		expect(() => readWithProc(7, bare)).toThrow("boot_id");
	} finally {
		await rm(proc, { recursive: true });
	}
});
