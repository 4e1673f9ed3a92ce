import type { Timestamp } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import type { Participant, RunLogEntry } from "../../../src/api/ui-api.ts";
import { eventName, formatOffset, lanesOf, movedTo, selectLines } from "../../../src/ui/run-log/run-log-lines.ts";
import { runPhases } from "../../../src/ui/turn/run-phases.ts";

function line(from: Participant, to: Participant, more: Partial<RunLogEntry> = {}): RunLogEntry {
	return { at: "2026-01-02T03:04:05.006Z" as Timestamp, from, to, what: "status", text: "running", ...more };
}

describe("a run's log", () => {
	it("has a lane for each who took part, and none for others", () => {
		expect(lanesOf([line("app", "app")])).toEqual(["app", "bridge"]);
		expect(lanesOf([line("agent", "bridge"), line("sync", "app")])).toEqual(["app", "bridge", "agent", "sync"]);
		expect(lanesOf([line("openclaw", "bridge"), line("plugin", "bridge")])).toEqual(["app", "bridge", "openclaw", "plugin"]);
	});

	it("counts as a problem what is recorded as one, whatever an agent says", () => {
		const said = line("agent", "bridge", { what: "message_delta", text: "failed: GATEWAY_LOST" });
		const lost = line("bridge", "app", { dropped: true });
		const failed = line("bridge", "app", { what: "ended", problem: true });
		expect(selectLines([said, lost, failed], "problems")).toEqual([
			{ index: 1, entry: lost },
			{ index: 2, entry: failed },
		]);
	});

	it("names a line by what the user knows: stages and ends in the page's own words, a message with its parts", () => {
		expect(eventName(line("bridge", "app", { stage: "sealing", status: "running" }))).toBe("Checking files");
		expect(eventName(line("bridge", "app", { status: "artifact_missing" }))).toBe("File missing");
		expect(eventName(line("agent", "bridge", { what: "message_delta", parts: 1_112 }))).toBe("Message, 1,112 parts");
		expect(eventName(line("agent", "bridge", { what: "message_delta" }))).toBe("Message");
	});

	it("moves by arrow, page, Home and End, and stays inside the list", () => {
		expect([movedTo("ArrowDown", -1, 3, 15), movedTo("ArrowUp", -1, 3, 15), movedTo("ArrowDown", 2, 3, 15)]).toEqual([0, 0, 2]);
		expect([movedTo("PageDown", 0, 100, 15), movedTo("PageUp", 3, 100, 15)]).toEqual([15, 0]);
		expect([movedTo("Home", 7, 9, 15), movedTo("End", 7, 9, 15)]).toEqual([0, 8]);
		expect([movedTo("x", 1, 3, 15), movedTo("constructor", 1, 3, 15), movedTo("ArrowDown", -1, 0, 15)]).toEqual([
			undefined,
			undefined,
			undefined,
		]);
	});

	it("tells times so that they can be compared", () => {
		expect([formatOffset(21), formatOffset(125_123), formatOffset(3_725_001)]).toEqual(["0.021 s", "2:05.123", "1:02:05.001"]);
	});
});

describe("the phases of a run", () => {
	const at = (seconds: number) => new Date(Date.UTC(2026, 0, 2) + seconds * 1000).toISOString() as Timestamp;
	const stage = (seconds: number, stage: NonNullable<RunLogEntry["stage"]>) =>
		line("bridge", "app", { at: at(seconds), stage, status: "running" });

	it("are the times between what is recorded, one for each thing it did", () => {
		const log = [
			line("app", "app", { what: "written", at: at(0) }),
			stage(1, "queued"),
			stage(4, "working"),
			line("agent", "bridge", { what: "message_delta", at: at(5), lastAt: at(9) }),
			stage(50, "exporting"),
			stage(51, "sealing"),
			line("bridge", "app", { at: at(53), status: "completed" }),
			line("bridge", "app", { what: "ended", at: at(54) }),
		];
		expect(runPhases(log)).toEqual([
			{ name: "Sending", milliseconds: 1_000 },
			{ name: "Queued", milliseconds: 3_000 },
			{ name: "Working", milliseconds: 46_000 },
			{ name: "Checking files", milliseconds: 3_000 },
			{ name: "Saving files", milliseconds: 1_000 },
		]);
	});

	it("of a run that was interrupted don't count as work the time in which nothing was recorded", () => {
		const of = (...more: readonly RunLogEntry[]) =>
			runPhases([
				stage(1, "working"),
				line("agent", "bridge", { what: "message_delta", at: at(2), lastAt: at(4) }),
				...more,
				line("app", "bridge", { what: "approval", at: at(99) }),
				line("bridge", "app", { at: at(100), status: "interrupted" }),
				line("bridge", "app", { what: "ended", at: at(100) }),
			]);
		const silent = [
			{ name: "Working", milliseconds: 3_000 },
			{ name: "Nothing recorded", milliseconds: 96_000 },
		];
		expect(of()).toEqual(silent);
		expect(of(line("agent", "bridge", { what: "tool_call", at: at(99.5) }))).toEqual([{ name: "Working", milliseconds: 99_000 }]);
		expect(runPhases([line("bridge", "app", { at: at(100), status: "interrupted" })])).toEqual([]);
	});

	it("of a run that goes on end with its newest event, and a clock that is behind makes none shorter than nothing", () => {
		expect(runPhases([stage(5, "working"), line("agent", "bridge", { what: "message_delta", at: at(6), lastAt: at(9) })])).toEqual([
			{ name: "Working", milliseconds: 4_000 },
		]);
		expect(runPhases([line("app", "app", { what: "written", at: at(9) }), stage(8, "working"), stage(10, "sealing")])).toEqual([
			{ name: "Working", milliseconds: 2_000 },
		]);
		expect(runPhases([])).toEqual([]);
	});
});
