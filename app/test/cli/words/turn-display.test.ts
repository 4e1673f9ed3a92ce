import { ApprovalId, Receipt, ThreadId, Timestamp, ToolCallId, ToolId, TurnId, type Update } from "@xworkmate/contracts";
import { expect, it, vi } from "vitest";
import { RESUMED, type TurnEvent } from "../../../src/api/app-api.ts";
import { TextDisplay } from "../../../src/cli/words/runs/turn-display.ts";
import { FakeRun } from "../../support/fake-run.ts";
import { looseReceipt } from "../../support/receipt-of.ts";
import { RecordingConsole } from "../../support/recording-console.ts";
import { updateOf } from "../../support/update-of.ts";

const [first, second] = new FakeRun(ThreadId.parse("thread1"), TurnId.parse("turn1"), "run-1").text("a").text("b").log;
if (first === undefined || second === undefined) throw new Error("the run said nothing");
const working: TurnEvent = { type: "update", update: first };

/** What a terminal says about these events, one after the other. */
function said(...events: readonly TurnEvent[]): readonly string[] {
	const console = new RecordingConsole();
	const display = new TextDisplay(console, "/x");
	for (const event of events) display.show(event);
	display.stop();
	return console.notes;
}

it("[D4] a command never says of a run that it does not hear of that it still runs", () => {
	const lost: TurnEvent = { type: "connection_lost", code: "ACP_HTTP_CONNECTION_CLOSED" };
	expect(said(working, lost).at(-1)).toBe(
		"· Lost contact with the bridge (ACP_HTTP_CONNECTION_CLOSED). The run may still be running. Reconnecting…",
	);
	expect(said(working, { ...lost, bridgeEnded: true }).at(-1)).toMatch(/^· The bridge stopped during this run/);
	expect(said(lost).at(-1)).toContain("can't start the run twice");
	expect(said(working, { ...lost, code: "DISK_FULL" }).at(-1)).toMatch(/^· The disk is full.* It may still be running\./);
	expect(said({ ...lost, code: "DISK_FULL" }).at(-1)).toMatch(/^· The disk is full\. The message will be sent again/);
	expect(said({ type: "connection_lost", code: RESUMED }).at(-1)).toBe("· Asking the bridge for the run's state…");
});

it("says that it is reconnected once, and before what it hears of the run then", () => {
	const lost: TurnEvent = { type: "connection_lost", code: "X" };
	const queued: TurnEvent = { type: "update", update: updateOf(1, { kind: "status", progress: { stage: "queued" } }) };
	const [, ...notes] = said(lost, queued, { type: "connection_restored" });
	expect(notes).toEqual(["· reconnected", expect.stringContaining("queued")]);
});

it("says what this computer can't save, and nothing of a connection, when the app itself fails", () => {
	const lost: TurnEvent = { type: "connection_lost", code: "SQLITE_IOERR", local: true };
	expect(said(working, lost).at(-1)).toBe(
		"· XWorkmate can't save the run's progress (SQLITE_IOERR). The run may still be running. Trying again…",
	);
	// The turn is taken up again after such a fault.
	const resumed: TurnEvent = { type: "connection_lost", code: RESUMED };
	const [unsent, ...later] = said(lost, resumed, { type: "connection_restored" });
	expect(unsent).toMatch(
		/^· XWorkmate can't save .* \(SQLITE_IOERR\), which may not have arrived\. Sending it again can't start the run twice\./,
	);
	expect(later).toEqual(["· Asking the bridge for the run's state…", "· the retry succeeded"]);
	expect(said(resumed, { type: "connection_restored" }).at(-1)).toBe("· reconnected");
});

it("does not say that an edit is done whose file is not there", () => {
	const edit = { kind: "tool_call", toolCallId: "c", title: "report.md", toolKind: "edit", state: "completed" } as const;
	const notes = [{ notFound: true }, { untouched: true }, { notHeld: true }, { untouched: false }, {}].map((found, n) =>
		said({ type: "update", update: updateOf(n + 1, { ...edit, ...found }) }).at(-1),
	);
	expect(notes).toEqual([
		"· Says it edited: report.md (but the file wasn’t there)",
		"· Says it edited: report.md (but the file hadn’t changed)",
		"· Says it edited: report.md (but the file didn’t contain the reported text)",
		"· report.md (done)",
		"· report.md (reported as done)",
	]);
	const moved = updateOf(9, { ...edit, toolKind: "move", notFound: true });
	expect(said({ type: "update", update: moved }).at(-1)).toBe("· Says it moved: report.md (but the file wasn’t there)");
});

it("says of a deletion that its file is still there, and of a command only that it was reported", () => {
	const line = (more: object) => {
		const call = { kind: "tool_call", toolCallId: "c", title: "it", state: "completed", ...more } as Update;
		return said({ type: "update", update: updateOf(1, call) }).at(-1);
	};
	expect(line({ toolKind: "delete", stillThere: true })).toBe("· Says it deleted: it (but the file was still there)");
	expect(line({ toolKind: "delete", stillThere: false })).toBe("· it (done)");
	const elsewhere = { title: "Delete customers.db", examined: ["main.js"] };
	expect(line({ ...elsewhere, toolKind: "delete", stillThere: true })).toBe("· Says it deleted: main.js (but the file was still there)");
	expect(line({ ...elsewhere, toolKind: "delete", stillThere: false })).toBe("· main.js (done)");
	expect(line({ toolKind: "execute" })).toBe("· it (reported as done)");
	expect(line({ toolKind: "execute", origin: "executed" })).toBe("· it (done)");
	expect(line({ toolKind: "read" })).toBe("· it (reported as done)");
});

it("names a call by its command to the end, although only its first updates show the command and its agent calls it something else", () => {
	const call = { kind: "tool_call", toolCallId: "c", title: "ls", toolKind: "execute" } as const;
	const input = { text: '{"command":"rm -rf /tmp/zz"}', truncated: false };
	const done = { ...call, state: "completed" } as const;
	const updates = [{ ...call, state: "pending", input }, { ...call, state: "running" }, done, { ...call, state: "failed" }] as const;
	expect(said(...updates.map((update, n) => ({ type: "update" as const, update: updateOf(n + 1, update) })))).toEqual([
		"· Announced: rm -rf /tmp/zz (not reported as started)",
		"· rm -rf /tmp/zz (running)",
		"· rm -rf /tmp/zz (reported as done)",
		"· rm -rf /tmp/zz (failed, no reason given)",
	]);
	const denied = [
		{ ...call, state: "pending", input },
		{ ...call, state: "denied" },
	] as const;
	expect(said(...denied.map((update, n) => ({ type: "update" as const, update: updateOf(n + 1, update) }))).at(-1)).toContain("rm -rf");
});

it("says that the steps of an agent's plan are done only by its report", () => {
	const entries = [
		{ content: "Deploy to production", state: "completed" as const },
		{ content: "Check it", state: "pending" as const },
	];
	expect(said({ type: "update", update: updateOf(1, { kind: "plan", entries }) }).at(-1)).toBe("· plan: 1 of 2 steps reported as done");
});

it("[D4] the line that moves stands still while the run is not heard of", () => {
	const statuses: string[] = [];
	class Terminal extends RecordingConsole {
		override readonly interactive: boolean = true;
		override status(words?: string): void {
			if (words !== undefined && words !== "") statuses.push(words.slice(0, 1));
		}
	}
	vi.useFakeTimers();
	try {
		const display = new TextDisplay(new Terminal(), "/x");
		display.show(working);
		vi.advanceTimersByTime(500);
		expect(new Set(statuses).size).toBeGreaterThan(2);
		display.show({ type: "connection_lost", code: "X" });
		statuses.length = 0;
		vi.advanceTimersByTime(500);
		expect(new Set(statuses)).toEqual(new Set(["·"]));
		display.show({ type: "update", update: second });
		statuses.length = 0;
		vi.advanceTimersByTime(500);
		expect(statuses).not.toContain("·");
		display.stop();
	} finally {
		vi.useRealTimers();
	}
});

it("counts the time of saving the files from where the saving began", () => {
	let last = "";
	class Terminal extends RecordingConsole {
		override readonly interactive: boolean = true;
		override status(words?: string): void {
			last = words ?? last;
		}
	}
	vi.useFakeTimers();
	try {
		const display = new TextDisplay(new Terminal(), "/x");
		display.show(working);
		vi.advanceTimersByTime(60_120);
		expect(last).toContain("1 min");
		display.show({ type: "syncing", files: 1, totalBytes: 10 });
		vi.advanceTimersByTime(2_040);
		expect(last).toMatch(/saving 1 file, 10 B · [12](\.0)? s$/);
		display.stop();
	} finally {
		vi.useRealTimers();
	}
});

it("says when a run switches its account, and why", () => {
	const detail = { from: "anthropic:work", to: "anthropic:home", reason: "x", cause: "rate_limited" };
	const receipt = looseReceipt(1, "auth.profile.rotated", detail);
	expect(said({ type: "update", update: updateOf(1, { kind: "receipt", ...receipt }) })).toEqual([
		"· Switched from account anthropic:work to account anthropic:home: the first one reached its rate limit",
	]);
});

function tool(seq: number, state: "running" | "failed", output?: string): TurnEvent {
	const call = { kind: "tool_call" as const, toolCallId: "call-1", title: "Build", toolKind: "execute" as const, state };
	return {
		type: "update",
		update: updateOf(seq, { ...call, ...(output !== undefined && { output: { text: output, truncated: false } }) }),
	};
}

it("says why a tool failed, also when the reason came before the end, or that no reason was given", () => {
	const console = new RecordingConsole();
	const shown = new TextDisplay(console, "/x");
	shown.show(tool(1, "failed"));
	shown.show(tool(2, "running", "error: no\n rule"));
	shown.show(tool(3, "failed"));
	shown.show(tool(4, "failed", "exit code 2"));
	expect(console.notes).toEqual([
		"· Build (failed, no reason given)",
		"· Build (running)",
		"· Build (failed: error: no rule)",
		"· Build (failed: exit code 2)",
	]);
});

it("says failed of a typed call that is known not to have acted, and of any other that its outcome is not known", () => {
	const notesOf = (type: "tool.call.failed" | "tool.call.unknown", code: string) => {
		const call = { toolCallId: "call-1", toolId: ToolId.parse("notes.note.add"), risk: "write", origin: "executed" } as const;
		const shown: Update = { kind: "tool_call", title: "notes.addNote", toolKind: "edit", state: "failed", ...call };
		const hash = "0".repeat(64);
		const receipt = Receipt.parse({
			...{ receiptId: "run-1.3", runId: "run-1", n: 3, at: "2026-01-01T00:00:00.000Z", type, ...call, prevHash: hash, hash },
			outcome: { code, message: "It broke.\u202e", attempt: 1, durationMs: 1 },
		});
		return said({ type: "update", update: updateOf(1, shown) }, { type: "update", update: updateOf(2, { kind: "receipt", ...receipt }) });
	};
	expect(notesOf("tool.call.failed", "TOOL_FAILED")).toEqual([expect.stringContaining("notes.note.add (failed: It broke.")]);
	expect(notesOf("tool.call.unknown", "HOST_LOST")).toEqual([
		expect.stringContaining("notes.note.add (outcome unknown: It broke.\\u{202e})"),
	]);
});

it("calls a tool call that is only announced that, and one that waits for an answer waiting", () => {
	const call: Update = {
		kind: "tool_call",
		toolCallId: ToolCallId.parse("c"),
		title: "npm run wipe",
		toolKind: "execute",
		state: "pending",
	};
	const asked = new FakeRun(ThreadId.parse("thread1"), TurnId.parse("turn1"), "run-1").asks("a1").log.at(-1);
	if (asked?.update.kind !== "approval") throw new Error("nothing was asked");
	const shown = (n: number, update: Update): TurnEvent => ({ type: "update", update: updateOf(n, update) });
	expect(said(shown(1, call)).at(-1)).toBe("· Announced: npm run wipe (not reported as started)");
	expect(said(shown(1, { ...asked.update, toolCallId: call.toolCallId }), shown(2, call)).at(-1)).toBe("· npm run wipe (waiting)");
	expect(said(shown(1, { ...call, origin: "executed" })).at(-1)).toBe("· npm run wipe (waiting)");
});

it("does not call a call waiting again once its request was answered, also if it had been denied before", () => {
	const call = { kind: "tool_call", toolCallId: ToolCallId.parse("c"), title: "npm run wipe", toolKind: "execute" } as const;
	const asked = new FakeRun(ThreadId.parse("thread1"), TurnId.parse("turn1"), "run-1").asks("a1").log.at(-1)?.update;
	if (asked?.kind !== "approval") throw new Error("nothing was asked");
	const request = { ...asked, toolCallId: call.toolCallId };
	const again = { ...request, approvalId: ApprovalId.parse("a2") };
	const given = { state: "decided", decidedBy: "user", decidedAt: Timestamp.parse("2026-01-01T00:00:00.000Z") } as const;
	const updates: readonly Update[] = [
		...[request, { ...request, ...given, decision: "deny" as const }, { ...call, state: "denied" as const }],
		...[again, { ...again, ...given, decision: "allow_once" as const }, { ...call, state: "pending" as const }],
	];
	const notes = said(...updates.map((update, n) => ({ type: "update" as const, update: updateOf(n + 1, update) })));
	expect(notes.at(-1)).toMatch(/^· allowed once: /);
	expect(notes.join("\n")).not.toContain("waiting");
});

it("says of a call that was allowed as something else how it ended, also if it never did", () => {
	const call = {
		kind: "tool_call",
		toolCallId: ToolCallId.parse("c1"),
		title: "rm x",
		toolKind: "execute",
		unpermitted: "another",
	} as const;
	const line = (state: "completed" | "failed" | "running") => said({ type: "update", update: updateOf(1, { ...call, state }) }).at(-1);
	expect(line("completed")).toBe("· rm x (reported as done, but not as allowed)");
	expect(line("failed")).toBe("· rm x (failed, but not as allowed)");
	expect(line("running")).toBe("· rm x (no result, but not as allowed)");
});

it("names the denied command that a call contains", () => {
	const call = { kind: "tool_call", toolCallId: ToolCallId.parse("c1"), title: 'sh -c "rm x"', toolKind: "execute" } as const;
	const update = updateOf(1, { ...call, state: "completed", unpermitted: "denied", deniedCommand: "rm x" });
	expect(said({ type: "update", update }).at(-1)).toBe('· sh -c "rm x" (reported as done, although “rm x” was denied)');
});
