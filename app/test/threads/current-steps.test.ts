import { ThreadId, Update } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { AppEvents } from "../../src/threads/app-events.ts";
import { CurrentSteps } from "../../src/threads/current-steps.ts";

const threadId = ThreadId.parse("thread1");

function scene() {
	const events = new AppEvents();
	const steps = new CurrentSteps(events);
	const see = (...updates: readonly unknown[]) => {
		const items = updates.map((update) => ({ update: Update.parse(update) }));
		events.emit("threadWritten", { threadId, after: { pendingTurnId: "turn-1" }, updates: { items } } as never);
		return steps.of(threadId);
	};
	return { see, [Symbol.dispose]: () => steps.close() };
}

const call = (state: string, toolCallId = "t1", title = "npm run migrate") => ({
	...{ kind: "tool_call", toolCallId, title, toolKind: "execute", state },
	input: { text: JSON.stringify({ command: title }), truncated: false },
});
const request = (change: object) => ({
	...{ kind: "approval", approvalId: "apr_1", runId: "run-1", threadId, toolCallId: "t1", title: "npm run migrate", toolKind: "execute" },
	...{ inputHash: "a".repeat(64), options: ["allow_once", "deny"], requestedAt: "2026-11-23T10:00:00.000Z" },
	...{ expiresAt: "2026-11-23T10:15:00.000Z", ...change },
});
const denied = { state: "decided", decision: "deny", decidedBy: "person", decidedAt: "2026-11-23T10:00:30.000Z" };

it("names the step of a run by its command, whatever its agent calls it", () => {
	using steps = scene();
	expect(steps.see({ ...call("running", "t1", "List files"), input: { text: '{"command":"rm -r old"}', truncated: false } })).toBe(
		"rm -r old",
	);
});

it("a command that was never allowed is not the step of a run that goes on after it was denied, or after a stop", () => {
	for (const end of [denied, { state: "withdrawn", reason: "run_stopped" }, { state: "expired" }]) {
		using steps = scene();
		expect(steps.see(call("pending"), request({ state: "pending" }))).toBeUndefined();
		expect(steps.see(request(end))).toBeUndefined();
		expect(steps.see(call("pending"))).toBeUndefined();
		expect(steps.see(call("running"))).toBeUndefined();
		expect(steps.see(call("running", "t2", "ls"))).toBe("ls");
	}
});

it("a command that is only announced is not the step of a run, until it runs", () => {
	using steps = scene();
	expect(steps.see(call("pending"))).toBeUndefined();
	expect(steps.see(call("running"))).toBe("npm run migrate");
	expect(steps.see(call("pending", "t1", "npm run wipe"))).toBe("npm run wipe");
});

it("a command that was allowed is, before its agent says that it goes on", () => {
	using steps = scene();
	steps.see(call("pending"), request({ state: "pending" }));
	expect(steps.see(request({ ...denied, decision: "allow_once" }))).toBe("npm run migrate");
});

it("a step that has ended is not the step of the run any more; that of its plan is, if it has one", () => {
	for (const state of ["completed", "failed", "denied"]) {
		using steps = scene();
		expect(steps.see(call("running"))).toBe("npm run migrate");
		expect(steps.see(call(state))).toBeUndefined();
		const entries = [{ content: "Migrate", state: "in_progress", priority: "medium" }];
		expect(steps.see({ kind: "plan", entries })).toBe("Migrate");
		expect(steps.see(call("running", "t2", "ls"))).toBe("ls");
		expect(steps.see(call("running", "t3", "pwd"))).toBe("pwd");
		expect(steps.see(call("completed", "t2", "ls"))).toBe("pwd");
		expect(steps.see(call("completed", "t3", "pwd"))).toBe("Migrate");
		expect(steps.see({ kind: "plan", entries: [{ ...entries[0], state: "completed" }] })).toBeUndefined();
	}
});
