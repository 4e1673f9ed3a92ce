import { setTimeout as delay } from "node:timers/promises";
import { ProviderId, RunId, ToolCallId } from "@xworkmate/contracts";
import { describe, expect, it, vi } from "vitest";
import { processTable } from "../../../src/processes/group/process-group-table.ts";
import { AgentReport } from "../../../src/providers/acp/process/agent-report.ts";
import { OpenCalls } from "../../../src/providers/acp/turn/open-calls.ts";
import { AcpBench } from "./support/acp-bench.ts";
import { isAlive, numberAfter, untilGone } from "./support/processes.ts";

const wentOn = "an agent went on working after it had confirmed that its run was stopped, so it was ended";
const executes = (toolCallId: string, status: string) =>
	JSON.stringify({ sessionUpdate: "tool_call", toolCallId, title: "./job.sh", kind: "execute", status });

const normalEnd = "Unruly reported the normal end of its turn instead of a stop, so its work may be finished or cut short.";

describe("stopping a turn", () => {
	it("is confirmed by the agent, which lives on and keeps the conversation", async () => {
		await using bench = await AcpBench.open();
		const first = await bench.begin("UNRULY:SESSION ;; HANG");
		await first.sink.until(({ text }) => text.includes("pid"));
		first.stop.abort();
		expect(await first.outcome).toEqual({ kind: "cancelled", remote: false });
		const { session } = first.sink;
		const { sink } = await bench.run("UNRULY:SESSION", session === undefined ? {} : { session });
		expect(numberAfter("prompt", sink.text)).toBe(2);
		expect(numberAfter("pid", sink.text)).toBe(numberAfter("pid", first.sink.text));
	});

	it("ends an agent that confirms it and then reports more work, with its children", async () => {
		await using bench = await AcpBench.open();
		const first = await bench.begin("UNRULY:SESSION ;; SPAWN_CHILD ;; IGNORE_CANCEL ;; UNTIL_CANCELLED ;; AFTER_END 300");
		await first.sink.until(({ text }) => text.includes("child"));
		first.stop.abort();
		expect(await first.outcome).toEqual({ kind: "cancelled", remote: false, normalEnd });
		for (const what of ["pid", "child"]) await untilGone(numberAfter(what, first.sink.text));
		expect(bench.logged).toContainEqual({ message: wentOn, agent: "unruly", runId: "run-1" });
		const { sink } = await bench.run("UNRULY:SESSION");
		expect(numberAfter("prompt", sink.text)).toBe(1);
	});

	it("ends the command that an agent leaves running when it confirms it, but not the agent, or what it started before", async () => {
		await using bench = await AcpBench.open();
		const running = `UPDATE ${executes("job", "in_progress")} ;; SPAWN_DETACHED`;
		const first = await bench.begin(`UNRULY:SESSION ;; SPAWN_CHILD ;; SLOW 3 200 ;; ${running} ;; IGNORE_CANCEL ;; UNTIL_CANCELLED`);
		await first.sink.until(({ text }) => text.split("child").length === 3);
		first.stop.abort();
		expect(await first.outcome).toEqual({ kind: "cancelled", remote: false, normalEnd });
		const [server = 0, job = 0] = [...first.sink.text.matchAll(/child (\d+)/g)].map(([, pid]) => Number(pid));
		expect([await isAlive(server), await isAlive(job)]).toEqual([true, false]);
		const { session } = first.sink;
		const { sink } = await bench.run("UNRULY:SESSION", session === undefined ? {} : { session });
		expect(numberAfter("pid", sink.text)).toBe(numberAfter("pid", first.sink.text));
	});

	it("does not hand an agent that is being ended to the next run", async () => {
		await using bench = await AcpBench.open();
		const first = await bench.begin("UNRULY:SESSION ;; IGNORE_CANCEL ;; UNTIL_CANCELLED ;; AFTER_END 300");
		await first.sink.until(({ text }) => text.includes("pid"));
		const { list } = processTable;
		using listed = vi.spyOn(processTable, "list").mockImplementation(() => delay(1_000).then(list));
		first.stop.abort();
		await first.outcome;
		await expect.poll(() => bench.logged).toContainEqual({ message: wentOn, agent: "unruly", runId: "run-1" });
		const { session } = first.sink;
		const { sink, outcome } = await bench.run("UNRULY:SESSION", session === undefined ? {} : { session });
		expect(outcome).toMatchObject({ kind: "ended" });
		expect(numberAfter("pid", sink.text)).not.toBe(numberAfter("pid", first.sink.text));
		listed.mockImplementation(list);
	});

	it("does not end an agent that only reports late how the stopped call ended", async () => {
		await using bench = await AcpBench.open();
		const late = ["failed", "completed"].map((status) => `UPDATE_AFTER_END 400 ${executes("job", status)}`).join(" ;; ");
		const script = `UPDATE ${executes("job", "in_progress")} ;; SESSION ;; IGNORE_CANCEL ;; UNTIL_CANCELLED ;; ${late}`;
		const first = await bench.begin(`UNRULY:${script}`);
		await first.sink.until(({ text }) => text.includes("pid"));
		first.stop.abort();
		await first.outcome;
		const message = "an agent's update arrived after the end of its run, and is not part of the answer";
		await expect.poll(() => bench.logged).toContainEqual({ message, agent: "unruly", runId: "run-1", what: "tool_call" });
		const { session } = first.sink;
		const { sink } = await bench.run("UNRULY:SESSION", session === undefined ? {} : { session });
		expect(numberAfter("prompt", sink.text)).toBe(2);
		expect(bench.warnings).not.toContain(wentOn);
		// The stop may have caused that end, so it does not show that the agent did more.
		expect(sink.of("notice")).toEqual([]);
	});

	it("ends a command whose shell the agent has ended, but not the agent", async () => {
		await using bench = await AcpBench.open();
		const first = await bench.begin(`UNRULY:SESSION ;; UPDATE ${executes("job", "in_progress")} ;; SHELL_UNTIL_CANCELLED`);
		await first.sink.until(({ text }) => text.includes("child"));
		first.stop.abort();
		expect(await first.outcome).toEqual({ kind: "cancelled", remote: false });
		const still = ["pid", "child"].map((what) => isAlive(numberAfter(what, first.sink.text)));
		expect(await Promise.all(still)).toEqual([true, false]);
	});

	it("ends a command of a call that begins after the stop, or that is never said to be more than pending", async () => {
		await using bench = await AcpBench.open();
		const begun = `UNTIL_CANCELLED ;; UPDATE ${executes("job", "in_progress")} ;; SPAWN_DETACHED`;
		const pending = `UPDATE ${executes("job", "pending")} ;; SPAWN_DETACHED ;; UNTIL_CANCELLED`;
		for (const [index, script] of [begun, pending].entries()) {
			const turn = await bench.begin(`UNRULY:IGNORE_CANCEL ;; SESSION ;; ${script}`, { sessionId: `thread-${index}` });
			await turn.sink.until(({ text }) => text.includes(script === begun ? "pid" : "child"));
			turn.stop.abort();
			expect(await turn.outcome).toEqual({ kind: "cancelled", remote: false, normalEnd });
			const still = ["pid", "child"].map((what) => isAlive(numberAfter(what, turn.sink.text)));
			expect(await Promise.all(still)).toEqual([true, false]);
		}
	});

	it("keeps what was said before it", async () => {
		await using bench = await AcpBench.open();
		const { sink, stop, outcome } = await bench.begin("UNRULY:SLOW 1000 5");
		await sink.until(({ text }) => text.includes("tick 3"));
		stop.abort();
		expect(await outcome).toEqual({ kind: "cancelled", remote: false });
		expect(sink.text).toContain("tick 3");
	});

	it("keeps what the agent reports while it stops", async () => {
		await using bench = await AcpBench.open();
		const call = { toolCallId: "make", title: "make", kind: "execute" };
		const begun = JSON.stringify({ sessionUpdate: "tool_call", ...call, status: "in_progress" });
		const done = JSON.stringify({ sessionUpdate: "tool_call_update", toolCallId: "make", status: "completed" });
		const { sink, stop, outcome } = await bench.begin(
			`UNRULY:IGNORE_CANCEL ;; UPDATE ${begun} ;; SAY begun ;; UNTIL_CANCELLED ;; UPDATE ${done} ;; SAY ended after all`,
		);
		await sink.until(({ text }) => text.includes("begun"));
		stop.abort();
		expect(await outcome).toEqual({ kind: "cancelled", remote: false, normalEnd });
		expect(sink.text).toContain("ended after all");
		const states = sink.updates.flatMap((update) => (update.kind === "tool_call" ? [update.state] : []));
		expect(states.at(-1)).toBe("completed");
	});

	it("ends the whole process group of an agent that ignores it, children and all", async () => {
		await using bench = await AcpBench.open({ bounds: { cancelMs: 200 } });
		const { sink, stop, outcome } = await bench.begin("UNRULY:SESSION ;; STUBBORN ;; SPAWN_CHILD ;; IGNORE_CANCEL ;; HANG");
		await sink.until(({ text }) => text.includes("child"));
		const pids = [numberAfter("pid", sink.text), numberAfter("child", sink.text)];
		stop.abort();
		const forced = "Unruly did not respond to the stop within 0.2 s, so the bridge ended its process.";
		expect(await outcome).toEqual({ kind: "cancelled", remote: false, forced });
		for (const pid of pids) expect(await isAlive(pid)).toBe(false);
		expect(bench.ledger.entries.size).toBe(0);
	});

	it("also ends a child that moved into a process group of its own", async () => {
		await using bench = await AcpBench.open({ bounds: { cancelMs: 200 } });
		const { sink, stop, outcome } = await bench.begin("UNRULY:SPAWN_DETACHED ;; IGNORE_CANCEL ;; HANG");
		await sink.until(({ text }) => text.includes("child"));
		stop.abort();
		expect(await outcome).toMatchObject({ kind: "cancelled", remote: false });
		expect(await isAlive(numberAfter("child", sink.text))).toBe(false);
	});

	it("does not say that everything has ended if the machine's processes can't be listed", async () => {
		await using bench = await AcpBench.open({ bounds: { cancelMs: 200 } });
		const { sink, stop, outcome } = await bench.begin("UNRULY:SESSION ;; STUBBORN ;; IGNORE_CANCEL ;; HANG");
		await sink.until(({ text }) => text.includes("pid"));
		using _list = vi.spyOn(processTable, "list").mockRejectedValue(new Error("ps failed"));
		stop.abort();
		expect(await outcome).toEqual({
			kind: "cancelled",
			remote: false,
			incomplete: expect.stringContaining("it is not known whether all of its processes have ended"),
		});
		await untilGone(numberAfter("pid", sink.text));
	});

	it("during the handshake ends the process and is confirmed", async () => {
		await using bench = await AcpBench.open({ unruly: { UNRULY_HANDSHAKE: "hang" } });
		const { stop, outcome } = await bench.begin("UNRULY:SAY never");
		await expect.poll(() => bench.ledger.entries.size).toBe(1);
		const [pid = 0] = bench.ledger.entries.keys();
		stop.abort();
		expect(await outcome).toEqual({ kind: "cancelled", remote: false });
		expect(await isAlive(pid)).toBe(false);
	});

	it("happens by itself when the log takes nothing more, and ends with the log's error", async () => {
		await using bench = await AcpBench.open();
		const { sink, outcome } = await bench.begin("UNRULY:SESSION ;; SLOW 100000 5");
		sink.pace = async () => {
			if (sink.text.includes("tick 2")) throw new Error("disk full");
		};
		await expect(outcome).rejects.toThrow("disk full");
		expect(sink.text).not.toContain("tick 4");
	});

	it("before it began starts no process", async () => {
		await using bench = await AcpBench.open();
		const { stop, outcome } = await bench.begin("UNRULY:SAY never");
		stop.abort();
		expect(await outcome).toEqual({ kind: "cancelled", remote: false });
		expect(bench.ledger.entries.size).toBe(0);
	});

	it("an agent that dies of the cancel is confirmed by its death", async () => {
		await using bench = await AcpBench.open();
		const { sink, stop, outcome } = await bench.begin("UNRULY:SESSION ;; HANG");
		await sink.until(({ text }) => text.includes("pid"));
		const pid = numberAfter("pid", sink.text);
		stop.abort();
		process.kill(pid, "SIGKILL");
		expect(await outcome).toEqual({ kind: "cancelled", remote: false });
		await untilGone(pid);
	});

	it("is not what happened when the agent ends the turn as cancelled by itself", async () => {
		await using bench = await AcpBench.open();
		const { outcome } = await bench.run("UNRULY:SAY working ;; CANCELLED");
		expect(outcome).toEqual({ kind: "cancelled", remote: true });
	});

	it("by a person's no is not somebody else's either", async () => {
		await using bench = await AcpBench.open();
		const { sink, outcome } = await bench.begin("UNRULY:ASK ls ;; CANCELLED");
		sink.answering = async () => ({ decision: "deny" });
		expect(await outcome).toEqual({ kind: "cancelled", remote: false });
	});
});

it("an agent that goes on working just before its stopped run is over is in the log, once", () => {
	const logged: object[] = [];
	const log = { debug: () => {}, warn: (fields: object, message: string) => void logged.push({ ...fields, message }) };
	const report = new AgentReport(ProviderId.parse("unruly"), RunId.parse("run-1"), log);
	report.noteLate("text");
	report.confirmStop();
	report.noteNotStopped();
	const once = [{ message: wentOn, agent: "unruly", runId: "run-1" }];
	expect(logged).toEqual(once);
	report.finish();
	report.noteNotStopped();
	expect(logged).toEqual(once);
});

describe("since when something may be running", () => {
	const report = (calls: OpenCalls, id: string, toolKind: "edit" | "execute", state: "pending" | "running" | "completed") =>
		calls.reported({ toolCallId: ToolCallId.parse(id), toolKind, state }, new Set(["/a"]), "/");

	it("is known after more calls than are remembered", () => {
		using clock = vi.spyOn(Date, "now").mockReturnValue(1_000);
		const calls = new OpenCalls();
		report(calls, "job", "execute", "running");
		clock.mockReturnValue(2_000);
		for (let index = 0; index < 1_000; index++) report(calls, `edit-${index}`, "edit", "running");
		expect(calls.runningSince).toBe(1_000);
		report(calls, "later", "execute", "running");
		expect(calls.runningSince).toBe(1_000);
	});

	it("begins before the report of a call, which may be read late, but not before the previous command ended", () => {
		using clock = vi.spyOn(Date, "now").mockReturnValue(1_000);
		const calls = new OpenCalls();
		clock.mockReturnValue(1_100);
		report(calls, "first", "execute", "running");
		expect(calls.runningSince).toBe(1_000);
		clock.mockReturnValue(2_000);
		report(calls, "first", "execute", "completed");
		clock.mockReturnValue(2_100);
		report(calls, "second", "execute", "pending");
		expect(calls.runningSince).toBe(2_000);
		report(calls, "second", "execute", "completed");
		clock.mockReturnValue(2_200);
		report(calls, "third", "execute", "running");
		expect(calls.runningSince).toBe(2_100);
		report(calls, "third", "execute", "completed");
		report(calls, "edit", "edit", "running");
		clock.mockReturnValue(2_300);
		report(calls, "edit", "edit", "completed");
		clock.mockReturnValue(3_000);
		report(calls, "last", "execute", "running");
		expect(calls.runningSince).toBe(2_750);
	});

	it("counts a command that is pending, unless it has ended or the user was asked about it", () => {
		using clock = vi.spyOn(Date, "now").mockReturnValue(1_000);
		const calls = new OpenCalls();
		report(calls, "edit", "edit", "pending");
		expect(calls.runningSince).toBeUndefined();
		report(calls, "job", "execute", "pending");
		clock.mockReturnValue(2_000);
		report(calls, "job", "execute", "pending");
		expect(calls.runningSince).toBe(1_000);
		report(calls, "job", "execute", "running");
		expect(calls.runningSince).toBe(1_000);
		report(calls, "job", "execute", "completed");
		expect(calls.runningSince).toBeUndefined();
		report(calls, "asked", "execute", "pending");
		calls.asked(ToolCallId.parse("asked"));
		report(calls, "asked", "execute", "pending");
		expect(calls.runningSince).toBeUndefined();
		calls.allowed(ToolCallId.parse("asked"), "execute", new Set(), "/");
		expect(calls.runningSince).toBe(2_000);
	});
});
