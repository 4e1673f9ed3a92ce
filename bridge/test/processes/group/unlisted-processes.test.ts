import { describe, expect, it, vi } from "vitest";
import { ProcessGroup, SpawnError } from "../../../src/processes/group/process-group.ts";
import { endGroup } from "../../../src/processes/group/process-group-end.ts";
import { endLeftoverProcesses } from "../../../src/processes/group/process-group-leftovers.ts";
import { listWithPs, type ProcessTable, processTable, readWithPs } from "../../../src/processes/group/process-group-table.ts";
import { MemoryLedger } from "../../providers/acp/support/memory-ledger.ts";
import { isAlive } from "../../providers/acp/support/processes.ts";

const command = {
	command: process.execPath,
	args: ["-e", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);"],
	workingDirectory: process.cwd(),
	environment: { PATH: process.env.PATH ?? "" },
	label: "test",
};
const fails = () => Promise.reject(new Error("ps failed"));

describe("if ps fails", () => {
	it("it has not listed processes, and has not said that one has ended", async () => {
		await expect(listWithPs("/nonexistent/ps")).rejects.toThrow("ENOENT");
		await expect(listWithPs("false")).rejects.toThrow("Command failed");
		await expect(listWithPs("true")).rejects.toThrow("listed no process");
		await expect(readWithPs(process.pid, "/nonexistent/ps")).rejects.toThrow("ENOENT");
	});

	it("with 1 and without a word, the process has ended", async () => {
		expect(await readWithPs(process.pid, "false")).toBeUndefined();
	});
});

describe("if the processes can't be listed", () => {
	it("no group is said to have ended", async () => {
		expect(await endGroup({ pid: 2 ** 30, startTime: "1@boot" }, 0, [], { list: fails })).toBe(false);
		expect(await endGroup({ pid: 2 ** 30, startTime: "1@boot" }, 1_000, [], { list: fails })).toBe(false);
	});

	it("a process of an earlier bridge stays in the ledger", async () => {
		const ledger = new MemoryLedger();
		const entry = { pid: 2 ** 30, startTime: "1@boot", label: "test" };
		await ledger.add(entry);
		expect(await endLeftoverProcesses(ledger, { list: fails })).toEqual([entry]);
		expect(await ledger.list()).toEqual([entry]);
		expect(await endLeftoverProcesses(ledger)).toEqual([]);
		expect(await ledger.list()).toEqual([]);
	});

	it("a process that the bridge ends is killed, is not said to have ended with all that it started, and stays in the ledger", async () => {
		const ledger = new MemoryLedger();
		const table: ProcessTable = { ...processTable, list: fails };
		const group = await ProcessGroup.start(command, ledger, table);
		expect(await group.kill()).toBe(false);
		expect(await group.exited).toEqual({ code: null, signal: "SIGKILL" });
		expect(await ledger.list()).toMatchObject([{ pid: group.pid }]);
		expect(await group.end({ inputClosedMs: 0, terminatedMs: 0 })).toBe(false);
	});

	it("a process that can't be identified is ended and not used", async () => {
		const ledger = new MemoryLedger();
		let pid = 0;
		const table: ProcessTable = {
			...processTable,
			read: (started) => {
				pid = started;
				return fails();
			},
		};
		const started = ProcessGroup.start(command, ledger, table);
		await expect(started).rejects.toThrow(SpawnError);
		await expect(started).rejects.toThrow("ps failed");
		expect(await ledger.list()).toEqual([]);
		await vi.waitFor(async () => expect(await isAlive(pid)).toBe(false));
	});
});
