import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { OutsideAnswer } from "../../src/ports/agents/provider.ts";
import { Core, ended, say } from "../runs/core-fixture.ts";

/** A run that asks one question which can also be answered on the runtime's side, and says what counted. */
async function askingRun(bring: (answer: string) => Promise<OutsideAnswer | undefined>) {
	const outside = Promise.withResolvers<OutsideAnswer>();
	const core = await Core.open(async (_turn, sink) => {
		const { decision } = await sink.requestPermission({
			title: "Write a file",
			toolKind: "edit",
			inputHash: "0".repeat(64),
			options: ["allow_once", "allow_window", "deny"],
			outside: { given: outside.promise, bring },
		});
		await say(sink, decision);
		return ended;
	});
	const runId = await core.submit("t1");
	const { event } = await core.until(runId, (logged) => logged.event.type === "approval");
	if (event.type !== "approval") throw new Error("no approval was asked for");
	const { approvalId } = event.record;
	return { core, runId, approvalId, answerOutside: outside.resolve, [Symbol.asyncDispose]: () => core[Symbol.asyncDispose]() };
}

describe("a request that can be answered on the runtime's side too", () => {
	it.for([
		["allow_once", { state: "decided", decision: "allow_once", decidedBy: "gateway" }],
		["deny", { state: "decided", decision: "deny", decidedBy: "gateway" }],
		["withdrawn", { state: "withdrawn" }],
	] as const)("has the outcome that was given there first: %s", async ([other, record], { expect }) => {
		await using run = await askingRun(async () => expect.unreachable("nobody answered here"));
		run.answerOutside(other);
		const snapshot = await run.core.settled(run.runId);
		expect(snapshot.output?.text).toBe(other);
		const late = await run.core.service.decideApproval(run.approvalId, "allow_once", "a person");
		expect(late).toMatchObject({ applied: false, record });
	});

	it("has the outcome that counts there, when an answer from here comes second", async () => {
		await using run = await askingRun(async () => "allow_once");
		const late = await run.core.service.decideApproval(run.approvalId, "deny", "a person");
		expect(late).toMatchObject({ applied: false, record: { state: "decided", decision: "allow_once", decidedBy: "gateway" } });
		expect((await run.core.settled(run.runId)).output?.text).toBe("allow_once");
	});

	it("is answered here only when it is known what counts there", async () => {
		await using run = await askingRun(async () => {
			// The decision is in the log by now: only what the gateway says is missing.
			await nextTurn();
			return "allow_once";
		});
		const late = await run.core.service.decideApproval(run.approvalId, "deny", "a person");
		expect(late).toMatchObject({ applied: false, record: { decision: "allow_once", decidedBy: "gateway" } });
	});

	it("gives no permission for a time by an answer that did not count", async () => {
		await using run = await askingRun(async () => "deny");
		await run.core.service.decideApproval(run.approvalId, "allow_window", "a person");
		await run.core.settled(run.runId);
		expect(await run.core.service.grants()).toEqual([]);
	});

	it("has the answer from here when that one was first, told once", async () => {
		const brought: string[] = [];
		await using run = await askingRun(async (answer) => void brought.push(answer));
		const first = await run.core.service.decideApproval(run.approvalId, "deny", "a person");
		run.answerOutside("deny");
		expect(first).toMatchObject({ applied: true, record: { decision: "deny", decidedBy: "a person" } });
		expect((await run.core.settled(run.runId)).output?.text).toBe("deny");
		expect(brought).toEqual(["deny"]);
	});
});
