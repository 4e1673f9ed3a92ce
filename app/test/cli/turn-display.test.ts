import { ThreadId, TurnId } from "@xworkmate/contracts";
import { expect, it, vi } from "vitest";
import { TextDisplay } from "../../src/cli/turn-display.ts";
import { RESUMED, type TurnEvent } from "../../src/core/app-api.ts";
import { FakeRun } from "../support/fake-run.ts";
import { RecordingConsole } from "../support/recording-console.ts";

const [first, second] = new FakeRun(ThreadId.parse("thread1"), TurnId.parse("turn1"), "run-1").text("a").text("b").log;
if (first === undefined || second === undefined) throw new Error("the run said nothing");
const working: TurnEvent = { type: "update", update: first };

/** What a terminal says of these events, one after the other. */
function said(...events: readonly TurnEvent[]): readonly string[] {
	const console = new RecordingConsole();
	const display = new TextDisplay(console, "/x");
	for (const event of events) display.show(event);
	display.stop();
	return console.notes;
}

it("[D4] a command never says of a run that it does not hear of that it still runs", () => {
	const lost: TurnEvent = { type: "connection_lost", code: "ACP_HTTP_CONNECTION_CLOSED" };
	expect(said(working, lost).at(-1)).toBe("· connection lost (ACP_HTTP_CONNECTION_CLOSED). The task may still be running. Reconnecting…");
	expect(said(working, { ...lost, bridgeEnded: true }).at(-1)).toMatch(/^· the bridge stopped during this run/);
	expect(said(lost).at(-1)).toContain("won't run the task twice");
	expect(said({ type: "connection_lost", code: RESUMED }).at(-1)).toBe("· asking the bridge how the run is");
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
