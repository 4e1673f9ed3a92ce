import { describe, expect, it } from "vitest";
import { ArtifactSyncStatus, ResultCode, type RunCode, type RunStatus, TerminalStatus, threadOutcome } from "../src/index.ts";

function outcome(status: RunStatus, { code, count = 0 }: { code?: RunCode; count?: number } = {}) {
	const artifacts = { items: [], count, totalBytes: 0, digest: "0".repeat(64) };
	return threadOutcome({ status, artifacts, ...(code === undefined ? {} : { code }) });
}

describe("what a terminal snapshot means for a thread", () => {
	it.each([
		["completed", undefined, 2, "success", "syncing"],
		["completed", undefined, 0, "success", "no-artifacts"],
		["artifact_missing", "NO_EXPORTED_ARTIFACTS", 0, "artifact_missing", "no-exported-artifacts"],
		["artifact_missing", "REQUIRED_ARTIFACT_MISSING", 1, "artifact_missing", "failed"],
		["artifact_missing", "OPENCLAW_REQUIRED_ARTIFACT_MISSING", 1, "OPENCLAW_REQUIRED_ARTIFACT_MISSING", "failed"],
		["failed", "OPENCLAW_PROVIDER_ERROR", 0, "OPENCLAW_PROVIDER_ERROR", "failed"],
		["failed", "PROVIDER_EXITED", 0, "failed", "failed"],
		["failed", "PROVIDER_ERROR", 3, "failed", "failed"],
		["failed", undefined, 0, "failed", "failed"],
		["cancelled", undefined, 0, "aborted", "failed"],
		["cancelled", "CANCELLED_REMOTELY", 1, "aborted", "failed"],
		["cancelled", "CANCEL_INCOMPLETE", 1, "aborted", "failed"],
		["interrupted", "BRIDGE_RESTARTED", 0, "interrupted", "failed"],
		["interrupted", "GATEWAY_LOST", 2, "interrupted", "failed"],
	] as const)("%s %s with %d files: %s, %s", (status, code, count, resultCode, syncStatus) => {
		expect(outcome(status, { count, ...(code === undefined ? {} : { code }) })).toEqual({ resultCode, syncStatus });
	});

	it("syncs files of a completed run alone", () => {
		const syncing = TerminalStatus.options.filter((status) => outcome(status, { count: 5 }).syncStatus === "syncing");
		expect(syncing).toEqual(["completed"]);
	});

	it("is always a code and a sync status that the contract knows", () => {
		for (const status of TerminalStatus.options) {
			const { resultCode, syncStatus } = outcome(status, { code: "OPENCLAW_ODD" });
			expect(ResultCode.safeParse(resultCode).success).toBe(true);
			expect(ArtifactSyncStatus.safeParse(syncStatus).success).toBe(true);
		}
	});

	it.each(["queued", "running"] as const)("does not exist for a %s run", (status) => {
		expect(() => outcome(status, { count: 1 })).toThrow(RangeError);
	});
});
