import { describe, expect, it } from "vitest";
import { readAgentEvent } from "../../src/runs/agent-event.ts";
import { lastWords } from "../../src/runs/last-words.ts";

const lifecycle = (data: object) => readAgentEvent({ runId: "r", sessionKey: "s", seq: 1, ts: 1, stream: "lifecycle", data })?.change;

// As the real gateway says them (OpenClaw 2026.9.6).
describe("an agent event of the gateway", () => {
	it.each([
		[
			"the end",
			{ phase: "end", aborted: false, stopReason: "stop", terminalReply: { text: "visible" } },
			{ state: "completed", text: "visible" },
		],
		["an end without words", { phase: "end", aborted: false, stopReason: "stop" }, { state: "completed" }],
		["an abort before the model", { phase: "end", status: "cancelled", aborted: true, stopReason: "rpc" }, { state: "cancelled" }],
		[
			"an abort by a second message",
			{ phase: "error", aborted: true, stopReason: "aborted", error: "Reply operation aborted" },
			{ state: "cancelled" },
		],
		["a provider's 400", { phase: "error", aborted: false, error: "LLM request failed" }, { state: "failed", error: "LLM request failed" }],
		["an error without words", { phase: "error", aborted: false }, { state: "failed", error: "the agent failed without giving a reason" }],
		["an error of another shape", { phase: "error", error: { message: "boom" } }, { state: "failed", error: "boom" }],
	])("is %s", (_what, data, change) => {
		expect(lifecycle(data)).toEqual({ kind: "ended", ...change });
	});

	it("is no end while it repeats on a provider's retry", () => {
		expect(lifecycle({ phase: "start" })).toEqual({ kind: "begun" });
		for (const phase of ["finishing", "fallback_step", "model", "something-new"]) expect(lifecycle({ phase })).toBeUndefined();
	});

	it("says nothing when it cannot be read", () => {
		for (const event of [
			undefined,
			null,
			1,
			"x",
			{},
			{ runId: 1, stream: "lifecycle", data: {} },
			{ runId: "r", stream: "tool", data: {} },
		]) {
			expect(readAgentEvent(event)).toBeUndefined();
		}
	});

	it("keeps the streamed words where the end has them cut", () => {
		const streamed = "x".repeat(9000);
		expect(lastWords(`${"x".repeat(4095)}…`, streamed)).toBe(streamed);
		expect(lastWords("done", "an earlier message")).toBe("done");
		expect(lastWords(undefined, "streamed")).toBe("streamed");
		expect(lastWords("kept", "")).toBe("kept");
	});
});
