import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ProviderUpdate } from "../../src/ports/runs/run-event.ts";
import { defineTool, ToolRefusal } from "../../src/tools/define-tool.ts";
import { ToolCalls } from "../../src/tools/tool-calls.ts";

/** The calls of one run that may make two, with a tool that does what it is given to do. */
function scene(act: () => Promise<{ done: string }>) {
	const shown: Extract<ProviderUpdate, { kind: "tool_call" }>[] = [];
	const ran: unknown[] = [];
	const refusals: unknown[] = [];
	let left = 2;
	const calls = new ToolCalls({
		context: "the run",
		spend: () => left-- > 0,
		show: async (update) => void shown.push(update),
	});
	const tool = defineTool({
		id: "mail.send",
		mode: "concurrent",
		input: z.strictObject({ to: z.string() }),
		output: z.object({ done: z.string() }),
		describe: (input, passed) => ({ title: `mail to ${input?.to ?? "?"}`, toolKind: "other", input: JSON.stringify(passed) }),
		run: async (input, context: string) => {
			ran.push([input, context]);
			return act();
		},
		refused: async ({ code }, passed) => void refusals.push([code, passed]),
	});
	return { calls, ran, refusals, shown, invoke: (passed: unknown) => calls.invoke(tool, passed) };
}

const sent = async () => ({ done: "sent" });

describe("a call of a tool", () => {
	it("is shown running before it runs, and completed with what the program gets", async () => {
		const before: unknown[] = [];
		const s = scene(async () => {
			before.push(...s.shown.map(({ state }) => state));
			return { done: "sent" };
		});
		expect(await s.invoke({ to: "a" })).toEqual({ ok: true, value: { done: "sent" } });
		expect(before).toEqual(["running"]);
		expect(s.ran).toEqual([[{ to: "a" }, "the run"]]);
		expect(s.shown).toEqual([
			expect.objectContaining({ title: "mail to a", state: "running", input: { text: '{"to":"a"}', truncated: false } }),
			expect.objectContaining({ title: "mail to a", state: "completed", output: { text: '{"done":"sent"}', truncated: false } }),
		]);
		expect(new Set(s.shown.map(({ toolCallId }) => toolCallId)).size).toBe(1);
		// The bridge executes it, so it is known and not only reported.
		expect(s.shown.map(({ origin }) => origin)).toEqual(["executed", "executed"]);
	});

	it("never runs with an input that its schema refuses", async () => {
		const s = scene(sent);
		expect(await s.invoke({ to: 1 })).toMatchObject({
			ok: false,
			error: { code: "INVALID_INPUT", message: expect.stringMatching(/^to: /) },
		});
		expect(s.ran).toEqual([]);
		expect(s.refusals).toEqual([["INVALID_INPUT", { to: 1 }]]);
		expect(s.shown.map(({ state }) => state)).toEqual(["running", "failed"]);
	});

	it("beyond what a run may make is neither shown nor made", async () => {
		const s = scene(sent);
		await Promise.all([s.invoke({ to: "a" }), s.invoke({ to: "b" })]);
		expect(await s.invoke({ to: "c" })).toMatchObject({ ok: false, error: { code: "STOPPED" } });
		expect(s.ran).toHaveLength(2);
		expect(s.calls.made).toBe(2);
		expect(JSON.stringify(s.shown)).not.toContain("mail to c");
	});

	it.each([
		[
			"a refusal of its tool",
			new ToolRefusal("NO_SUCH_BOX", "there is no such box"),
			{ code: "NO_SUCH_BOX", message: "there is no such box" },
		],
		["the run's end", new DOMException("over", "AbortError"), { code: "STOPPED", message: "the run has ended" }],
	])("answers with %s", async (_what, thrown, error) => {
		const s = scene(() => Promise.reject(thrown));
		expect(await s.invoke({ to: "a" })).toEqual({ ok: false, error });
		expect(s.shown.at(-1)).toMatchObject({ state: "failed", output: { text: JSON.stringify(error) } });
	});

	it("rejects for a fault of its tool, and is over then", async () => {
		const s = scene(() => Promise.reject(new TypeError("a fault")));
		await expect(s.invoke({ to: "a" })).rejects.toThrow("a fault");
		await s.calls.settled();
		expect(s.refusals).toEqual([]);
	});
});
