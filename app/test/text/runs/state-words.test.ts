import { TurnId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { threadStateWords, turnStateWords } from "../../../src/text/runs/state-words.ts";
import type { Turn, TurnStatus } from "../../../src/threads/domain/thread.ts";

const turnId = TurnId.parse("turn1");
const turn = (status: TurnStatus): Turn => ({ turnId, status, lastSeq: 0, syncedPaths: [], createdAt: "2026-01-02T10:00:00.000Z" });

describe("what the command says of a thread", () => {
	it.each<[TurnStatus, string]>([
		["completed", "Succeeded"],
		["cancelled", "Cancelled"],
		["failed", "Failed"],
		["artifact_missing", "File missing"],
		["refused", "Not sent"],
		["unresolved", "Not known yet"],
		["interrupted", "Interrupted"],
		["waiting", "Queued"],
		["running", "Running"],
	])("is what the page says, in its words: %s is %s", (status, said) => {
		expect(threadStateWords({ lifecycleStatus: "ready", turns: [turn(status)] })).toBe(said);
	});

	it("is that its files are being saved or could not all be saved, that it is new, or that it is archived", () => {
		expect(threadStateWords({ lifecycleStatus: "running", turns: [turn("completed")], pendingTurnId: turnId })).toBe("Saving files");
		expect(threadStateWords({ lifecycleStatus: "ready", turns: [{ ...turn("completed"), syncStatus: "partial" }] })).toBe(
			"Not all files saved",
		);
		expect(threadStateWords({ lifecycleStatus: "ready", turns: [] })).toBe("New");
		expect(threadStateWords({ lifecycleStatus: "archived", turns: [turn("completed")] })).toBe("Archived");
	});

	it("names the code of an end, which is what to search for", () => {
		expect(turnStateWords("failed", "PROVIDER_EXITED")).toBe("Failed (PROVIDER_EXITED)");
		expect(turnStateWords("completed")).toBe("Succeeded");
	});
});
