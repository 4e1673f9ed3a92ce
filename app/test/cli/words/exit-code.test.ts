import { RunStatus } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { exitCode, exitCodeOf } from "../../../src/cli/words/exit-code.ts";

it("each end has an exit code of its own, and success alone is 0", () => {
	const over = RunStatus.options.filter((status) => status !== "queued" && status !== "running");
	expect(Object.fromEntries(over.map((status) => [status, exitCodeOf(status)]))).toEqual({
		completed: 0,
		failed: 3,
		artifact_missing: 4,
		cancelled: 5,
		interrupted: 6,
	});
	expect([exitCode.beforeRun, exitCode.usage]).toEqual([1, 2]);
});

it("a run that succeeded without saving all of its files has an exit code of its own", () => {
	expect(exitCodeOf("completed", "partial")).toBe(8);
	expect(exitCodeOf("completed", "synced")).toBe(0);
	expect(exitCodeOf("failed", "failed")).toBe(3);
});

it.each(["queued", "running"] as const)("a %s run has none", (status) => {
	expect(() => exitCodeOf(status)).toThrow(RangeError);
});
