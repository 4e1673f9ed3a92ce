import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	chained,
	deriveActivity,
	emptyChain,
	failedCommandsIn,
	lackingIn,
	PLAN_TOOL,
	type Receipt,
	type ReceiptDraft,
	ReportedToolId,
	RunId,
	renderActivity,
	ToolCallId,
	ToolId,
} from "../src/index.ts";

const runId = RunId.parse("run-1");
const AT = "2026-11-23T10:00:00.000Z";

function receiptsOf(drafts: readonly ReceiptDraft[]): readonly Receipt[] {
	let head = emptyChain(runId);
	return drafts.map((draft) => {
		const receipt = chained(runId, head, AT, draft);
		head = { count: receipt.n, hash: receipt.hash };
		return receipt;
	});
}

const outcome = { attempt: 1, durationMs: 5 };

/** A call's receipts up to one that ends it, or not. */
function call(
	toolCallId: string,
	how: Partial<ReceiptDraft> & { readonly ends: ReceiptDraft["type"] | undefined },
): readonly ReceiptDraft[] {
	const { ends, risk = "write", origin = "executed", words = "does it", detail, decision } = how;
	const base = { toolCallId, toolId: ToolId.parse("calendar.events.create"), risk, origin } as const;
	return [
		{ type: "tool.call.requested", ...base, words, ...(detail && { detail }) },
		...(decision === undefined || ends === "tool.call.denied" ? [] : [{ type: "tool.call.approved", ...base, decision } as const]),
		...(ends === "tool.call.denied" ? [] : [{ type: "tool.call.started", ...base } as const]),
		...(ends === undefined ? [] : [{ type: ends, ...base, ...(ends === "tool.call.denied" ? { decision } : { outcome }) } as ReceiptDraft]),
	];
}

const person = { approvalId: "apr-1", by: "person", decision: "allow_once" } as ReceiptDraft["decision"];

describe("what a run did", () => {
	it("names the plan that a call made, by the bridge's own receipt of it alone", () => {
		const made = { planId: "plan-7", title: "Call mom" };
		const of = { toolCallId: "call-1", toolId: PLAN_TOOL, risk: "write", origin: "executed" } as const;
		const planOf = (change: Partial<ReceiptDraft>, output: unknown = made) => {
			const preview = { text: JSON.stringify(output).slice(0, 30), truncated: true };
			const end = { type: "tool.call.succeeded", ...of, outcome: { ...outcome, preview }, ...change } as ReceiptDraft;
			return deriveActivity(runId, receiptsOf([{ type: "tool.call.requested", ...of, ...change } as ReceiptDraft, end])).items[0]?.planId;
		};
		expect(planOf({})).toBe("plan-7");
		expect(planOf({ origin: "reported" })).toBeUndefined();
		expect(planOf({ toolId: ToolId.parse("calendar.events.create") })).toBeUndefined();
		expect(planOf({}, { planId: "../../etc" })).toBeUndefined();
		expect(planOf({}, { title: "x", planId: "plan-7" })).toBeUndefined();
	});

	it("[T1-28] [T1-31] [T1-32] [T1-34] [T1-35] [T1-36] [T1-62] [T1-87] lists writes, whatever did not succeed, and key reads; other reads only count", () => {
		const activity = deriveActivity(
			runId,
			receiptsOf([
				...call("call-1", { ends: "tool.call.succeeded", decision: person }),
				...call("call-2", { ends: "tool.call.succeeded", risk: "read" }),
				...call("call-3", { ends: "tool.call.failed", risk: "read" }),
				...call("call-4", { ends: "tool.call.succeeded", risk: "read", detail: { keyRead: true } }),
				...call("call-5", { ends: "tool.call.denied", decision: { by: "policy", decision: "deny", reason: "policy" } }),
				...call("call-6", { ends: undefined }),
				...call("call-7", { ends: "tool.call.unknown" }),
			]),
		);
		expect(activity.items.map(({ toolCallId, status }) => [toolCallId, status])).toEqual([
			["call-1", "succeeded"],
			["call-3", "failed"],
			["call-4", "succeeded"],
			["call-5", "denied"],
			["call-6", "pending"],
			["call-7", "unknown"],
		]);
		expect(activity.completed).toBe(1);
		expect(activity.counts).toEqual({ succeeded: 3, failed: 1, denied: 1, pending: 1, unknown: 1, reported: 0 });
		expect(activity.items[0]).toMatchObject({
			approval: { required: true, decision: "allow_once", by: "person" },
			receiptRef: "run-1.4",
			when: AT,
		});
		expect(activity.items[3]).toMatchObject({ code: "policy", approval: { required: false, decision: "deny" } });
	});

	it("what an agent reports as done and did not happen is said to be that, until it is looked at again", () => {
		const base = { toolCallId: "c1", toolId: ReportedToolId.parse("codex:edit"), risk: "write", origin: "reported" } as const;
		const said = (...found: readonly string[]) =>
			deriveActivity(
				runId,
				receiptsOf([
					{ type: "tool.call.requested", ...base, words: "Edit other.txt" },
					...found.map((contradiction) => ({ type: "tool.call.succeeded", ...base, outcome, detail: { contradiction } }) as const),
				]),
			);
		expect(renderActivity(said("untouched")).at(-1)).toContain("reported, but the file had not changed");
		expect(renderActivity(said("untouched", "none")).at(-1)).toContain("reported as done");
		expect(lackingIn({ activity: said("untouched") })).toBe("unverified");
		expect(lackingIn({ activity: said("not_held") })).toBeUndefined();
		expect(said("nonsense").items[0]?.contradiction).toBeUndefined();
	});

	it("what an agent reports as done without permission is said to be that", () => {
		const base = { toolCallId: "c1", toolId: ToolId.parse("calendar.events.create"), risk: "destructive", origin: "reported" } as const;
		const denied = { type: "tool.call.denied", ...base, decision: { by: "person", decision: "deny" } } as const;
		const claimed = (unpermitted: string, ...before: readonly ReceiptDraft[]) =>
			deriveActivity(
				runId,
				receiptsOf([
					{ type: "tool.call.requested", ...base, words: "rm -rf build" },
					...before,
					{ type: "tool.call.succeeded", ...base, outcome, detail: { unpermitted } },
				]),
			);
		const despite = claimed("denied", denied);
		expect(despite).toMatchObject({ completed: 0, counts: { reported: 1, denied: 0 }, items: [{ unpermitted: "denied" }] });
		expect(renderActivity(despite).at(-1)).toContain("denied, but the agent reports doing it anyway, denied by the user");
		expect(renderActivity(claimed("unanswered")).at(-1)).toContain("reports doing it without waiting for the answer");
		const contained = { type: "tool.call.succeeded", ...base, outcome, detail: { unpermitted: "denied", deniedCommand: "rm x" } } as const;
		const requested = { type: "tool.call.requested", ...base, words: "sh -c 'rm x'" } as const;
		expect(renderActivity(deriveActivity(runId, receiptsOf([requested, contained]))).at(-1)).toContain(
			"reported as done, although “rm x” was denied",
		);
		const detail = { unpermitted: "another", allowed: "ls", reported: "rm -rf stuff" };
		const another = deriveActivity(
			runId,
			receiptsOf([
				{ type: "tool.call.requested", ...base, words: "Run: ls" },
				{ type: "tool.call.approved", ...base, decision: { by: "person", decision: "allow_once" } },
				{ type: "tool.call.started", ...base },
				{ type: "tool.call.succeeded", ...base, outcome, detail },
			]),
		);
		expect(another.items).toMatchObject([{ unpermitted: "another", swapped: { allowed: "ls", reported: "rm -rf stuff" } }]);
		expect(renderActivity(another).at(-1)).toContain(
			"“Run: ls”, allowed by the user, but the agent reports something other than what was allowed, allowed “ls”, reported “rm -rf stuff”",
		);
		const left = deriveActivity(
			runId,
			receiptsOf([
				{ type: "tool.call.requested", ...base, words: "Run: ls" },
				{ type: "tool.call.approved", ...base, decision: { by: "person", decision: "allow_once" } },
				{ type: "tool.call.unknown", ...base, outcome: { ...outcome, code: "NOT_REPORTED" }, detail },
			]),
		);
		expect(left.items).toMatchObject([{ status: "unknown", unpermitted: "another", swapped: { reported: "rm -rf stuff" } }]);
		expect(renderActivity(left).at(-1)).toContain("reported “rm -rf stuff”, the agent did not report how the call ended");
		expect(claimed("nonsense").items[0]?.unpermitted).toBeUndefined();
	});

	it.each([
		["bridge", "run_ended", "not answered before the run ended, run-1.2"],
		["bridge", "bridge_stopped", "not answered because the bridge stopped, run-1.2"],
		["bridge", "expired", "not answered in time, so it was denied automatically, run-1.2"],
		// As earlier bridges wrote it.
		["policy", "withdrawn", "not answered because the request was withdrawn, run-1.2"],
		["policy", "unattended", "denied because the run was unattended, run-1.2"],
		["person", "policy", "denied by the user's rule, run-1.2"],
		["configuration:tools", "policy", "denied by the user's settings, run-1.2"],
		["person", "person", "denied by the user, run-1.2"],
	] as const)("a request denied by %s as %s names who denied it only if someone did", (by, reason, line) => {
		const base = { toolCallId: "c1", toolId: ToolId.parse("calendar.events.create"), risk: "write", origin: "reported" } as const;
		const denied = { type: "tool.call.denied", ...base, decision: { by, decision: "deny", reason } } as const;
		const activity = deriveActivity(runId, receiptsOf([{ type: "tool.call.requested", ...base, words: "Writes" }, denied]));
		expect(renderActivity(activity).at(-1)).toBe(`  calendar.events.create “Writes”, ${line}`);
	});

	it("a report says in words how a call ended, and no code", () => {
		const line = (type: "tool.call.unknown" | "tool.call.failed", code: "NOT_REPORTED" | "TOOL_FAILED") => {
			const base = { toolCallId: "c1", toolId: ReportedToolId.parse("codex:execute"), risk: "destructive", origin: "reported" } as const;
			const ended = { type, ...base, outcome: { attempt: 1, durationMs: 0, code } } as const;
			return renderActivity(deriveActivity(runId, receiptsOf([{ type: "tool.call.requested", ...base, words: "npm test" }, ended]))).at(-1);
		};
		expect(line("tool.call.unknown", "NOT_REPORTED")).toBe(
			"  codex:execute “npm test”, the agent did not report how the call ended, run-1.2",
		);
		expect(line("tool.call.failed", "TOOL_FAILED")).toBe("  codex:execute “npm test”, reported as failed, run-1.2");
	});

	it("a call that waits for the user's answer is said to wait, and no other open call", () => {
		const base = { toolCallId: "c2", toolId: ReportedToolId.parse("codex:execute"), risk: "destructive", origin: "reported" } as const;
		const receipts = [...call("c1", { ends: undefined }), { type: "tool.call.requested", ...base, words: "npm test" } as ReceiptDraft];
		const activity = deriveActivity(runId, receiptsOf(receipts));
		const waiting = ", waiting for the user's answer, ";
		const saying = (...asked: readonly string[]) =>
			renderActivity(activity, new Set(asked.map((id) => ToolCallId.parse(id)))).flatMap((line) =>
				line.includes(waiting) ? [line.split(" ")[2]] : [],
			);
		expect(saying("c1", "c2")).toEqual(["calendar.events.create", "codex:execute"]);
		expect(saying("c2")).toEqual(["codex:execute"]);
		expect(saying()).toEqual([]);
		expect(renderActivity(activity).at(-1)).toContain("not finished yet");
	});

	it("lists what an agent calls a read if it was asked about or was not allowed", () => {
		const base = { toolCallId: "c1", toolId: ReportedToolId.parse("evil:read"), risk: "read", origin: "reported" } as const;
		const listed = (...more: readonly object[]) =>
			deriveActivity(runId, receiptsOf([{ type: "tool.call.requested", ...base, words: "Read" }, ...more] as ReceiptDraft[])).items.length;
		const ended = { type: "tool.call.succeeded", ...base, outcome };
		expect(listed(ended)).toBe(0);
		expect(listed({ type: "tool.call.approved", ...base, decision: person }, ended)).toBe(1);
		expect(listed({ ...ended, detail: { unpermitted: "unanswered" } })).toBe(1);
	});

	it("what an agent reported never counts as completed, and is said apart", () => {
		const activity = deriveActivity(
			runId,
			receiptsOf(call("c1", { ends: "tool.call.succeeded", origin: "reported", risk: "destructive" })),
		);
		expect(activity).toMatchObject({ completed: 0, counts: { succeeded: 0, reported: 1 } });
		const lines = renderActivity(activity);
		expect(lines[0]).toBe("0 actions completed.");
		expect(lines).not.toContain("Done:");
		expect(lines.indexOf("The agent's own calls, as it reported them:")).toBe(1);
		expect(lines[2]).toContain("reported as done");
	});

	it.each([
		["person", "allowed by the user"],
		["window:apr-1", "allowed by the permission apr-1"],
		["discord:Ada”, run-1.9", "allowed by “Ada\\u{201d}, run-1.9” on Discord"],
		["configuration:provider", "allowed by the user's settings"],
		["window:the user, run-1.9", "allowed by “window:the user, run-1.9”"],
		["person, run-1.9", "allowed by “person, run-1.9”"],
	])("says who allowed it, and quotes a name: %s", (by, said) => {
		const decision = { approvalId: "apr-1", by, decision: "allow_once" } as ReceiptDraft["decision"];
		const words = 'Delete the event "Standup"';
		const lines = renderActivity(deriveActivity(runId, receiptsOf(call("call-1", { ends: "tool.call.succeeded", decision, words }))));
		expect(lines[2]).toBe(`  calendar.events.create “Delete the event "Standup"”, ${said}, run-1.4`);
	});

	it.each([
		["person", "allowed by the user's rule"],
		["run", "allowed by this run's rule"],
	])("says that a rule allowed a call about which nobody was asked: %s", (by, said) => {
		const decision = { by, decision: "allow" } as ReceiptDraft["decision"];
		const lines = renderActivity(
			deriveActivity(runId, receiptsOf(call("call-1", { ends: "tool.call.succeeded", decision, words: "Note" }))),
		);
		expect(lines[2]).toBe(`  calendar.events.create “Note”, ${said}, run-1.4`);
	});

	describe("the command of a reported call", () => {
		const toolId = ReportedToolId.parse("codex:execute");
		const runs = (toolCallId: string, command: string, ends: "succeeded" | "failed"): readonly ReceiptDraft[] => {
			const base = { toolCallId, toolId, risk: "destructive", origin: "reported" } as const;
			const input = { text: JSON.stringify({ command }), truncated: false };
			return [
				{ type: "tool.call.requested", ...base, words: "Terminal", input },
				{ type: `tool.call.${ends}`, ...base, outcome },
			];
		};
		const after = (...drafts: readonly (readonly ReceiptDraft[])[]) => deriveActivity(runId, receiptsOf(drafts.flat()));

		it("keeps its lines apart, and its name is on one line", () => {
			const [item] = after(runs("call-1", "cd app\n\tnpm test \u202e", "succeeded")).items;
			expect(item).toMatchObject({ command: "cd app\n npm test \\u{202e}", words: "cd app ⏎ npm test \\u{202e}" });
			expect(item).not.toHaveProperty("commandTruncated");
		});

		it("is not the same as another of which only the beginning is known, too", () => {
			const long = `npm test -- ${"a.test.ts ".repeat(100)}`;
			const cut = after(runs("call-1", `${long}b.test.ts`, "failed"), runs("call-2", `${long}c.test.ts`, "succeeded"));
			expect(cut.items).toMatchObject([{ commandTruncated: true }, { commandTruncated: true }]);
			expect(cut.items[0]?.command).toBe(cut.items[1]?.command);
			expect(failedCommandsIn(cut)).toHaveLength(1);
			expect(failedCommandsIn(after(runs("call-1", "npm test", "failed"), runs("call-2", "npm test", "succeeded")))).toEqual([]);
		});
	});

	it("says that nothing was done", () => {
		expect(renderActivity(deriveActivity(runId, []))).toEqual(["0 actions completed."]);
	});

	it("no words can end their quotation marks, add a line or hide what they are", () => {
		const unit = fc.constantFrom('"', "“", "”", "\\", "\n", "\u202e", "\u200b", "\u2028", "\u001b", "a", "\u{1f600}", "\r", "\u0085");
		fc.assert(
			fc.property(fc.string({ unit, maxLength: 400 }), (words) => {
				const lines = renderActivity(deriveActivity(runId, receiptsOf(call("call-1", { ends: "tool.call.failed", words }))));
				expect(lines).toHaveLength(3);
				expect(lines[2]).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
				// Only quoted text between the tool's id and what we say.
				expect(lines[2]?.replace(/“[^“”]*”/u, "“”")).toBe("  calendar.events.create “”, run-1.3");
			}),
		);
	});

	it("[T1-33] is the same for a run that is cut anywhere and continued, and has an item for each open or harmful call", () => {
		const ends = fc.constantFrom<(ReceiptDraft["type"] | undefined)[]>(
			"tool.call.succeeded",
			"tool.call.failed",
			"tool.call.unknown",
			undefined,
		);
		const one = fc.record({ ends, risk: fc.constantFrom("read", "write", "destructive"), origin: fc.constantFrom("executed", "reported") });
		fc.assert(
			fc.property(fc.array(one, { maxLength: 30 }), fc.nat(30), (calls, most) => {
				const receipts = receiptsOf(calls.flatMap((how, index) => call(`call-${index}`, how as Parameters<typeof call>[1])));
				const whole = deriveActivity(runId, receipts);
				const part = deriveActivity(runId, receipts, most);
				const listed = new Set(part.items.map(({ toolCallId }) => toolCallId));
				expect(part.items).toEqual(whole.items.filter(({ toolCallId }) => listed.has(toolCallId)));
				expect(part.items).toHaveLength(Math.min(most, whole.items.length));
				expect(part.truncated).toBe(whole.items.length > most);
				expect({ ...part, items: [], truncated: false }).toEqual({ ...whole, items: [] });
				const relevant = calls.filter(({ ends, risk }) => risk !== "read" || ends !== "tool.call.succeeded");
				expect(whole.items).toHaveLength(relevant.length);
				expect(whole.completed).toBe(
					calls.filter(({ ends, risk, origin }) => ends === "tool.call.succeeded" && risk !== "read" && origin === "executed").length,
				);
			}),
		);
	});
});
