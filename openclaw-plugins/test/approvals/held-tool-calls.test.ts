import { mkdirSync, rmdirSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { guardToolCall } from "../../src/approvals/guard-tool-call.ts";
import { openRig, pluginRig } from "../support/plugin-rig.ts";
import { runRef } from "../support/run-refs.ts";

async function guardedRun(hold: "effects" | "none" = "effects") {
	const rig = await pluginRig();
	const { artifactDirectory } = rig.prepare(runRef(1), { hold });
	rig.registry.change(runRef(1).runId, { kind: "begun" });
	const { runId, sessionKey } = runRef(1);
	const call = (
		toolName: string,
		params: object,
		{
			abortSignal,
			eventRun = runId,
			...context
		}: { abortSignal?: AbortSignal; eventRun?: string; runId?: string; sessionKey?: string } = {},
	) =>
		guardToolCall(
			{ toolName, params, runId: eventRun, toolCallId: "c1" },
			{ runId, sessionKey, ...context, abortSignal },
			{ registry: rig.registry, heldCalls: rig.heldCalls, places: rig.places, temporaryOf: rig.temporaryOf, now: Date.now },
		);
	return { ...rig, artifactDirectory, call, [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() };
}

describe("a tool call of a run that asks", () => {
	it("waits for the person, and the first answer counts", async () => {
		await using run = await guardedRun();
		const decision = run.call("exec", { command: "rm -rf build" });
		const [held] = run.heldCalls.list(runRef(1).sessionKey);
		expect(held).toMatchObject({
			title: "exec rm -rf build",
			command: "rm -rf build",
			toolKind: "execute",
			toolCallId: "c1",
			...{ runId: "run-1" },
		});
		expect(run.heldCalls.answer(held?.id ?? "", { allow: true })).toEqual({ applied: true, outcome: "allowed" });
		expect(run.heldCalls.answer(held?.id ?? "", { allow: false })).toEqual({ applied: false, outcome: "allowed" });
		expect(await decision).toBeUndefined();
		expect(() => run.heldCalls.answer("unknown", { allow: true })).toThrow(expect.objectContaining({ code: "APPROVAL_UNKNOWN" }));
	});

	it("tells everybody who may read how it was answered, and a late answer what counted", async () => {
		await using run = await guardedRun();
		for (const [allow, outcome] of [
			[true, "allowed"],
			[false, "denied"],
		] as const) {
			const decision = run.call("exec", { command: outcome });
			const id = run.heldCalls.list()[0]?.id ?? "";
			run.heldCalls.answer(id, { allow });
			await decision;
			expect(run.asked.at(-1)).toMatchObject({ state: outcome, approval: { id } });
			expect(run.heldCalls.answer(id, { allow: !allow })).toEqual({ applied: false, outcome });
		}
		const withdrawn = run.call("exec", { command: "c" });
		const id = run.heldCalls.list()[0]?.id ?? "";
		run.heldCalls.withdrawRun(runRef(1).runId, "over");
		await withdrawn;
		expect(run.heldCalls.answer(id, { allow: true })).toEqual({ applied: false, outcome: "withdrawn" });
	});

	it("counts as answered though the answer cannot be written down, or what was written cannot be read", async () => {
		await using run = await guardedRun();
		const record = join(run.state, "xworkmate", "approvals.json");
		mkdirSync(record);
		const decision = run.call("exec", { command: "make" });
		const id = run.heldCalls.list()[0]?.id ?? "";
		expect(run.heldCalls.answer(id, { allow: true })).toEqual({ applied: true, outcome: "allowed" });
		expect(await decision).toBeUndefined();
		expect(run.heldCalls.answer(id, { allow: false })).toEqual({ applied: false, outcome: "allowed" });
		rmdirSync(record);
		writeFileSync(record, "{");
		const next = openRig(run.state, run.workspace);
		expect(() => next.heldCalls.answer(id, { allow: false })).toThrow(expect.objectContaining({ code: "APPROVAL_UNKNOWN" }));
		expect([run.warnings.length > 0, next.warnings]).toEqual([true, [expect.stringContaining("earlier approvals cannot be read")]]);
	});

	it("is refused to the model with the person's reason", async () => {
		await using run = await guardedRun();
		const decision = run.call("web_fetch", { url: "https://example.org" });
		run.heldCalls.answer(run.heldCalls.list()[0]?.id ?? "", { allow: false, reason: "not today" });
		expect(await decision).toEqual({ block: true, blockReason: "XWorkmate: not today" });
	});

	it("is withdrawn when it is aborted, and when its run ends", async () => {
		await using run = await guardedRun();
		const abort = new AbortController();
		const aborted = run.call("exec", { command: "a" }, { abortSignal: abort.signal });
		abort.abort();
		expect(await aborted).toMatchObject({ block: true });
		const cut = run.call("exec", { command: "b" });
		run.registry.change(runRef(1).runId, { kind: "ended", state: "cancelled" });
		expect(await cut).toMatchObject({ block: true });
		expect(run.asked.map(({ state }) => state)).toEqual(["pending", "withdrawn", "pending", "withdrawn"]);
		expect(run.heldCalls.list()).toEqual([]);
	});

	it("has no exact command to allow by rule when something else decides what it does", async () => {
		await using run = await guardedRun();
		const decision = run.call("exec", { command: "make", env: { MAKEFLAGS: "-f other" } });
		expect(run.heldCalls.list()[0]).not.toHaveProperty("command");
		run.heldCalls.withdrawRun(runRef(1).runId, "over");
		await decision;
	});

	it("goes on unasked when it only reads, or writes into the scope", async () => {
		await using run = await guardedRun();
		expect(await run.call("read", { path: "/etc/hostname" })).toBeUndefined();
		expect(await run.call("write", { path: `${run.artifactDirectory}/a.txt`, content: "" })).toBeUndefined();
		expect(await run.call("write", { path: "$XWORKMATE_ARTIFACT_DIRECTORY/a.txt", content: "" })).toEqual({
			params: { path: `${run.artifactDirectory}/a.txt`, content: "" },
		});
		expect(run.asked).toEqual([]);
	});

	it("asks nobody to look a tool up, and once for the call that a look-up leads to, under its own name", async () => {
		await using run = await guardedRun();
		expect(await run.call("tool_search", { query: "send a message" })).toBeUndefined();
		expect(await run.call("tool_describe", { id: "message" })).toBeUndefined();
		expect(await run.call("tool_call", { id: "message", args: { action: "send", message: "hello" } })).toBeUndefined();
		expect(run.asked).toEqual([]);
		const inner = run.call("message", { action: "send", message: "hello" });
		expect(run.heldCalls.list()).toMatchObject([{ title: "message send", input: { text: '{"action":"send","message":"hello"}' } }]);
		run.heldCalls.answer(run.heldCalls.list()[0]?.id ?? "", { allow: true });
		expect(await inner).toBeUndefined();
		expect(run.asked.map(({ state }) => state)).toEqual(["pending", "allowed"]);
		const code = run.call("tool_search_code", { code: "x" });
		expect(run.heldCalls.list()).toHaveLength(1);
		run.heldCalls.withdrawRun(runRef(1).runId, "over");
		await code;
	});

	it("asks before it reads what another conversation said or made", async () => {
		await using run = await guardedRun();
		const theirs = run.prepare(runRef(2, 2)).artifactDirectory;
		writeFileSync(join(theirs, "secret.txt"), "theirs");
		symlinkSync(theirs, join(run.artifactDirectory, "theirs"));
		const foreign: readonly (readonly [string, object])[] = [
			["sessions_list", {}],
			["sessions_history", { sessionKey: runRef(2, 2).sessionKey }],
			["sessions_search", { query: "secret" }],
			["session_status", { sessionKey: runRef(2, 2).sessionKey }],
			["read", { path: join(theirs, "secret.txt") }],
			["read", { file_path: relative(run.workspace, join(theirs, "secret.txt")) }],
			["read", { path: `@${join(theirs, "secret.txt")}` }],
			["read", { path: join(run.artifactDirectory, "theirs", "secret.txt") }],
			["read", { path: join(run.state, "agents", "main", "sessions", "s.jsonl") }],
			["read", { path: join(run.state, "xworkmate", "runs", "run-2.json") }],
			["ls", { path: "tasks" }],
			["grep", { pattern: "secret" }],
			["find", { path: run.workspace, pattern: "*" }],
		];
		for (const [tool, params] of foreign) {
			const decision = run.call(tool, params);
			expect([tool, params, run.heldCalls.list().length]).toEqual([tool, params, 1]);
			expect(run.heldCalls.list()[0]?.title.startsWith(tool)).toBe(true);
			run.heldCalls.answer(run.heldCalls.list()[0]?.id ?? "", { allow: false });
			expect(await decision).toMatchObject({ block: true });
		}
		const own: readonly (readonly [string, object])[] = [
			["read", { path: join(run.artifactDirectory, "..", "run-0", "earlier.md") }],
			["read", { path: "notes.md" }],
			["read", { path: join(run.state, "media", "inbound", "picture.png") }],
			["read", { path: join(run.temporaryOf("run-1"), "x") }],
			["ls", {}],
			["grep", { path: run.artifactDirectory, pattern: "x" }],
			["session_status", {}],
		];
		for (const [tool, params] of own) expect([tool, params, await run.call(tool, params)]).toEqual([tool, params, undefined]);
	});

	it("goes on unasked when the run was prepared so, and in sessions that are not ours", async () => {
		await using run = await guardedRun("none");
		expect(await run.call("exec", { command: "a" })).toBeUndefined();
		await using other = await guardedRun();
		expect(await other.call("exec", { command: "a" }, { sessionKey: "agent:main:main" })).toBeUndefined();
	});

	it("does not happen in a session of ours without a run: there is nobody to ask", async () => {
		await using run = await guardedRun();
		run.registry.change(runRef(1).runId, { kind: "ended", state: "completed" });
		expect(await run.call("exec", { command: "a" })).toMatchObject({ block: true });
	});

	it("never writes into what an earlier run delivered", async () => {
		await using run = await guardedRun("none");
		run.registry.change(runRef(1).runId, { kind: "ended", state: "completed" });
		run.prepare(runRef(2));
		expect(await run.call("edit", { path: `${run.artifactDirectory}/report.md`, edits: [] })).toMatchObject({ block: true });
	});

	it("never writes into another run's folder, however the path is written", async () => {
		await using run = await guardedRun("none");
		run.registry.change(runRef(1).runId, { kind: "ended", state: "completed" });
		const mine = run.prepare(runRef(2)).artifactDirectory;
		const running = run.prepare(runRef(3, 2));
		symlinkSync(run.artifactDirectory, join(mine, "link"));
		writeFileSync(join(run.artifactDirectory, "a.txt"), "delivered");
		symlinkSync(join(run.artifactDirectory, "a.txt"), join(mine, "a.txt"));
		const as = { runId: runRef(2).runId };
		const delivered = relative(run.workspace, run.artifactDirectory);
		const elsewhere = [
			`${delivered}/a.txt`,
			`./${delivered}/new/a.txt`,
			`@${delivered}/a.txt`,
			`notes/../${delivered}/a.txt`,
			`${run.artifactDirectory}/../run-1/a.txt`,
			`${mine}/link/a.txt`,
			`${mine}/a.txt`,
			`~/${relative(homedir(), run.artifactDirectory)}/a.txt`,
			`${running.artifactDirectory}/a.txt`,
			relative(run.workspace, join(running.artifactDirectory, "a.txt")),
		];
		for (const path of elsewhere) {
			for (const params of [{ path }, { file_path: path }])
				expect([path, await run.call("write", { ...params, content: "x" }, { ...as, eventRun: as.runId })]).toEqual([
					path,
					{ block: true, blockReason: expect.stringContaining("files that were delivered, and files of other tasks, must not be changed") },
				]);
		}
		const patch = `*** Begin Patch\n*** Update File: ${delivered}/a.txt\n+x\n*** End Patch`;
		expect(await run.call("apply_patch", { input: patch }, { ...as, eventRun: as.runId })).toMatchObject({ block: true });
		for (const path of ["notes.md", "tasks/todo.md", `${mine}/b.txt`])
			expect([path, await run.call("write", { path, content: "x" }, { ...as, eventRun: as.runId })]).toEqual([path, undefined]);
	});
});
