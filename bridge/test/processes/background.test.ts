import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { getPriority, tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { putSessionInBackground } from "../../src/processes/background.ts";
import { ProcessGroup } from "../../src/processes/process-group.ts";

const ledger = { add: async () => {}, remove: async () => {}, list: async () => [] };

const command = { command: "/bin/cat", args: [], workingDirectory: tmpdir(), environment: {}, label: "test" };

async function started(isBackground: boolean): Promise<AsyncDisposable & { readonly pid: number }> {
	const group = await ProcessGroup.start(isBackground ? { ...command, isBackground } : command, ledger);
	group.output.resume();
	// Once it answers, it is what it is to become.
	group.input.write("hello");
	await once(group.output, "data");
	return { pid: group.pid, [Symbol.asyncDispose]: () => group.kill() };
}

describe("a process in the background", () => {
	it("comes behind others of its session, and one in the foreground does not", async () => {
		await using behind = await started(true);
		await using beside = await started(false);
		expect(getPriority(behind.pid)).toBe(10);
		expect(getPriority(beside.pid)).toBe(getPriority());
	});

	it.skipIf(!existsSync("/proc/self/autogroup"))("has a session that comes behind others", async () => {
		await using behind = await started(true);
		await using beside = await started(false);
		await expect.poll(() => sessionNiceness(behind.pid)).toBe(10);
		expect(sessionNiceness(beside.pid)).toBe(0);
	});

	it("does not need the sessions' niceness", async () => {
		const child = spawn("/bin/true", { detached: true });
		await once(child, "close");

		expect(() => putSessionInBackground(child.pid ?? 0)).not.toThrow();
	});
});

/** `/autogroup-123 nice 10` */
function sessionNiceness(pid: number): number {
	return Number(/ nice (-?\d+)/.exec(readFileSync(`/proc/${pid}/autogroup`, "utf8"))?.[1]);
}
