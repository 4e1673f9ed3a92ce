import { once } from "node:events";
import { readFileSync } from "node:fs";
import { getPriority, tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { ProcessGroup } from "../../../src/processes/group/process-group.ts";
import { readProcess } from "../../../src/processes/group/process-group-table.ts";

const ledger = { add: async () => {}, remove: async () => {}, list: async () => [] };

const command = { command: "/bin/cat", args: [], workingDirectory: tmpdir(), environment: {}, label: "test" };

const isBackground = true;

async function started(behind: boolean): Promise<AsyncDisposable & { readonly pid: number }> {
	const group = await ProcessGroup.start(behind ? { ...command, isBackground } : command, ledger);
	group.output.resume();
	// Once it answers, it is what it is to become.
	group.input.write("hello");
	await once(group.output, "data");
	return { pid: group.pid, [Symbol.asyncDispose]: async () => void (await group.kill()) };
}

describe("a process in the background", () => {
	it("comes behind others of its session, and one in the foreground does not", async () => {
		await using behind = await started(true);
		await using beside = await started(false);
		expect(getPriority(behind.pid)).toBe(10);
		expect(getPriority(beside.pid)).toBe(getPriority());
	});

	it.skipIf(process.platform !== "linux")("leads a group of its own in the session of who started it, where niceness counts", async () => {
		await using behind = await started(true);
		await using beside = await started(false);
		expect(membership(behind.pid)).toEqual({ group: behind.pid, session: membership(process.pid).session });
		expect(membership(beside.pid)).toEqual({ group: beside.pid, session: beside.pid });
	});

	it("ends with all it started", async () => {
		const group = await ProcessGroup.start(
			{ ...command, command: "/bin/sh", args: ["-c", "sleep 60 & echo $!; read x"], isBackground },
			ledger,
		);
		const [said] = await once(group.output, "data");
		const started = Number(String(said));
		await expect(readProcess(started)).resolves.toBeDefined();
		await group.kill();
		await expect(readProcess(started)).resolves.toBeUndefined();
	});
});

/** proc_pid_stat(5): after the name come state, parent, group and session. */
function membership(pid: number): { group: number; session: number } {
	const [, , , group, session] = readFileSync(`/proc/${pid}/stat`, "utf8")
		.replace(/^.*\) /s, "0 ")
		.split(" ")
		.map(Number);
	return { group: group ?? 0, session: session ?? 0 };
}
