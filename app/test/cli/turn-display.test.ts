import { describe, expect, it } from "vitest";
import { TextDisplay } from "../../src/cli/turn-display.ts";
import type { TurnEvent } from "../../src/core/app-api.ts";
import { RecordingConsole } from "../support/recording-console.ts";
import { updateOf } from "../support/update-of.ts";

function display() {
	const console = new RecordingConsole();
	return { console, shown: new TextDisplay(console, "/x") };
}

const lost: TurnEvent = { type: "connection_lost", code: "ACP_HTTP_CONNECT_FAILED" };
const working: TurnEvent = { type: "update", update: updateOf(1, { kind: "status", progress: { stage: "working" } }) };

function tool(seq: number, state: "running" | "failed", output?: string): TurnEvent {
	const call = { kind: "tool_call" as const, toolCallId: "call-1", title: "Build", toolKind: "execute" as const, state };
	return {
		type: "update",
		update: updateOf(seq, { ...call, ...(output !== undefined && { output: { text: output, truncated: false } }) }),
	};
}

describe("what the terminal says of a run", () => {
	it("says of a lost connection only what is known", () => {
		const { console, shown } = display();
		shown.show(working);
		shown.show(lost);
		expect(console.notes.at(-1)).toBe(
			"· Lost contact with the bridge (ACP_HTTP_CONNECT_FAILED). The run may still be running. Reconnecting.",
		);
	});

	it("says that a run was cut off when the bridge that ran it is known to have stopped", () => {
		const { console, shown } = display();
		shown.show(working);
		shown.show(lost, true);
		expect(console.notes.at(-1)).toMatch(/^· The bridge on this computer has stopped, which cut the run off\./);
		expect(console.notes.join("\n")).not.toContain("still be running");
	});

	it("says before the bridge has the message that trying again does no harm", () => {
		const { console, shown } = display();
		shown.show(lost, true);
		expect(console.notes).toEqual([
			"· The bridge isn't responding (ACP_HTTP_CONNECT_FAILED). Trying again, which can't start the run twice.",
		]);
	});

	it("says why a tool failed, also when the reason came before the end, or that no reason was given", () => {
		const { console, shown } = display();
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
});
