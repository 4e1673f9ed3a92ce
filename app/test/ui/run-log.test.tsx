import type { Timestamp } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import type { Hop, RunLogEntry } from "../../src/core/ui-api.ts";
import { lanesOf, selectEntries } from "../../src/ui/model/run-log-lines.ts";

function line(from: Hop, to: Hop, more: Partial<RunLogEntry> = {}): RunLogEntry {
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
		expect(selectEntries([said, lost, failed], "problems")).toEqual([lost, failed]);
	});
});
