import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { listProcesses } from "../../../src/processes/group/process-group-table.ts";

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
