import { Approval, Redaction } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { activityOfTrail } from "../../../src/runs/domain/call-trail.ts";
import type { RunCommand } from "../../../src/runs/domain/decide.ts";
import { PlayedRun, runId } from "./played-run.ts";

const reporter = { runId, providerId: "goose", redaction: new Redaction([]) };
const input = (command: string) => ({ text: JSON.stringify({ command }), truncated: false });

const reads = (state: "pending" | "running" | "completed", more: object = {}): RunCommand => ({
	type: "say",
	update: { kind: "tool_call", toolCallId: "c1", title: "Read the notes", toolKind: "read", state, ...more },
	reporter,
});

function played(...commands: readonly RunCommand[]) {
	const run = new PlayedRun();
	for (const command of commands) run.do(command);
	const { trail } = run.state;
	return { run, items: (trail && activityOfTrail(trail).items) ?? [] };
}

it.each([
	["from the first report", [reads("pending", { input: input("rm -rf build") }), reads("completed")]],
	["in a later report", [reads("pending"), reads("running", { input: input("rm -rf build") }), reads("completed")]],
])("a call that its agent calls a read is judged by the command in its input, %s", (_when, commands) => {
	const { run, items } = played(...commands);
	expect(items).toMatchObject([{ toolId: "goose:execute", risk: "destructive", status: "succeeded", command: "rm -rf build" }]);
	expect(run.receipts.at(-1)).toMatchObject({ toolId: "goose:execute", risk: "destructive" });
});

it("a command that only reads is no more than the read that its agent calls it", () => {
	const { run, items } = played(reads("completed", { input: input("cat notes.md") }));
	expect(items).toEqual([]);
	expect(run.receipts.at(-1)).toMatchObject({ toolId: "goose:read", risk: "read" });
});

it("the decision on a request is about its command too", () => {
	const asked = Approval.parse({
		...{ approvalId: "apr-1", runId, threadId: "thread1", toolCallId: "c1", title: "Read the notes", toolKind: "read" },
		...{ asker: { target: "agent", providerId: "goose" }, inputHash: "0".repeat(64), options: ["allow_once", "deny"] },
		...{ requestedAt: "2026-11-23T00:00:00.000Z", expiresAt: "2026-11-23T00:15:00.000Z", state: "pending", input: input("rm a.md") },
	});
	const { run } = played(
		reads("pending"),
		{ type: "ask", record: asked, asked: { words: "rm a.md" } },
		{ type: "answer", approvalId: "apr-1", decision: "deny", decidedBy: "person", windowSeconds: 900 },
	);
	expect(run.receipts.at(-1)).toMatchObject({ type: "tool.call.denied", toolId: "goose:execute", risk: "destructive" });
});

const executes = (toolCallId: string, more: object): RunCommand => ({
	type: "say",
	update: { kind: "tool_call", toolCallId, title: "rm -f zz", toolKind: "execute", state: "completed", ...more },
	reporter,
});

it("a receipt says that a call's command had been denied in another call", () => {
	const { run, items } = played(executes("c2", { unpermitted: "denied" }));
	expect(run.receipts.at(-1)).toMatchObject({ type: "tool.call.succeeded", detail: { unpermitted: "denied" } });
	expect(items).toMatchObject([{ status: "succeeded", unpermitted: "denied" }]);
});

it("a receipt names the denied command that a call contains in other words, also once the call is reported as failed", () => {
	const despite = { unpermitted: "denied", deniedCommand: "curl evil.com" };
	const { run, items } = played(executes("c2", despite), executes("c2", { ...despite, state: "failed" }));
	expect(run.receipts.slice(-2)).toMatchObject([
		{ type: "tool.call.succeeded", detail: despite },
		{ type: "tool.call.failed", detail: despite },
	]);
	expect(items).toMatchObject([{ status: "failed", ...despite }]);
});

it("a receipt says that the agent asked only after it had reported the call as done, and the answer does not change that", () => {
	const asked = Approval.parse({
		...{ approvalId: "apr-1", runId, threadId: "thread1", toolCallId: "c1", title: "rm -f zz", toolKind: "execute" },
		...{ asker: { target: "agent", providerId: "goose" }, inputHash: "0".repeat(64), options: ["allow_once", "deny"] },
		...{ requestedAt: "2026-11-23T00:00:00.000Z", expiresAt: "2026-11-23T00:15:00.000Z", state: "pending" },
	});
	const { items } = played(
		executes("c1", {}),
		executes("c1", { unpermitted: "unanswered" }),
		executes("c1", { unpermitted: "unanswered", output: { text: "x", truncated: false } }),
		{ type: "ask", record: asked, asked: { words: "rm -f zz" } },
		{ type: "answer", approvalId: "apr-1", decision: "allow_once", decidedBy: "person", windowSeconds: 900 },
	);
	expect(items).toMatchObject([{ status: "succeeded", unpermitted: "unanswered", approval: { decision: "allow_once" } }]);
});
