import { describe, expect, it } from "vitest";
import { guardToolCall } from "../../src/approvals/guard-tool-call.ts";
import { pluginRig } from "../support/plugin-rig.ts";
import { runRef } from "../support/run-refs.ts";

async function guardedRun(hold: "effects" | "none" = "effects") {
	const rig = await pluginRig();
	const { artifactDirectory } = rig.prepare(runRef(1), { hold });
	rig.registry.change(runRef(1).runId, { kind: "begun" });
	const { runId, sessionKey } = runRef(1);
	const call = (
		toolName: string,
		params: object,
		{ abortSignal, ...context }: { abortSignal?: AbortSignal; runId?: string; sessionKey?: string } = {},
	) =>
		guardToolCall(
			{ toolName, params, runId, toolCallId: "c1" },
			{ runId, sessionKey, ...context, abortSignal },
			{ registry: rig.registry, desk: rig.desk, now: Date.now },
		);
	return { ...rig, artifactDirectory, call, [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() };
}

describe("a tool call of a run that asks", () => {
	it("waits for the person, and the first answer counts", async () => {
		await using run = await guardedRun();
		const decision = run.call("exec", { command: "rm -rf build" });
		const [held] = run.desk.list(runRef(1).sessionKey);
		expect(held).toMatchObject({
			title: "exec rm -rf build",
			command: "rm -rf build",
			toolKind: "execute",
			toolCallId: "c1",
			...{ runId: "run-1" },
		});
		expect(run.desk.answer(held?.id ?? "", { allow: true })).toEqual({ applied: true, outcome: "allowed" });
		expect(run.desk.answer(held?.id ?? "", { allow: false })).toEqual({ applied: false, outcome: "allowed" });
		expect(await decision).toBeUndefined();
		expect(() => run.desk.answer("unknown", { allow: true })).toThrow(expect.objectContaining({ code: "APPROVAL_UNKNOWN" }));
	});

	it("tells everybody who may read how it was answered, and a late answer what counted", async () => {
		await using run = await guardedRun();
		for (const [allow, outcome] of [
			[true, "allowed"],
			[false, "denied"],
		] as const) {
			const decision = run.call("exec", { command: outcome });
			const id = run.desk.list()[0]?.id ?? "";
			run.desk.answer(id, { allow });
			await decision;
			expect(run.asked.at(-1)).toMatchObject({ state: outcome, approval: { id } });
			expect(run.desk.answer(id, { allow: !allow })).toEqual({ applied: false, outcome });
		}
		const withdrawn = run.call("exec", { command: "c" });
		const id = run.desk.list()[0]?.id ?? "";
		run.desk.withdrawRun(runRef(1).runId, "over");
		await withdrawn;
		expect(run.desk.answer(id, { allow: true })).toEqual({ applied: false, outcome: "withdrawn" });
	});

	it("is refused to the model with the person's reason", async () => {
		await using run = await guardedRun();
		const decision = run.call("web_fetch", { url: "https://example.org" });
		run.desk.answer(run.desk.list()[0]?.id ?? "", { allow: false, reason: "not today" });
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
		expect(run.desk.list()).toEqual([]);
	});

	it("has no exact command to allow by rule when something else decides what it does", async () => {
		await using run = await guardedRun();
		const decision = run.call("exec", { command: "make", env: { MAKEFLAGS: "-f other" } });
		expect(run.desk.list()[0]).not.toHaveProperty("command");
		run.desk.withdrawRun(runRef(1).runId, "over");
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
});
