import { OpenClawTask, openClawWorkUnknown, RunId, type ThreadId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { outcomeOf, witnessedOutcome, workNotice } from "../../../src/providers/openclaw/turn/remote-outcome.ts";
import { newSessionKey } from "../../../src/providers/openclaw/turn/session-key.ts";

describe("how a run on the gateway ended", () => {
	const task = (state: string, more = {}) =>
		OpenClawTask.parse({
			runId: "run-1",
			sessionKey: newSessionKey("t" as ThreadId, RunId.parse("run-1")),
			artifactScope: "tasks/t-000000000000/run-1",
			state,
			cancelRequested: false,
			preparedAt: "2026-11-22T00:00:00.000Z",
			collected: false,
			...more,
		});

	it("is what the plugin recorded", () => {
		expect(outcomeOf(task("prepared"))).toBeUndefined();
		expect(outcomeOf(task("running"))).toBeUndefined();
		expect(outcomeOf(task("completed"))).toEqual({ kind: "ended" });
		expect(outcomeOf(task("failed", { error: "the model said no" }))).toEqual({
			kind: "failed",
			code: "OPENCLAW_AGENT_ERROR",
			message: "the model said no",
		});
		expect(outcomeOf(task("cancelled", { cancelRequested: true }))).toEqual({ kind: "cancelled", remote: false });
		expect(outcomeOf(task("cancelled"))).toEqual({ kind: "cancelled", remote: true });
		expect(outcomeOf(task("lost"))).toMatchObject({ kind: "lost", code: "GATEWAY_LOST" });
	});

	it("is never plainly cancelled while something that it started may be running, and names that", () => {
		const atWork = ["npm run build", "look it up"];
		for (const state of ["cancelled", "failed"]) {
			expect(outcomeOf(task(state, { cancelRequested: true, atWork }))).toEqual({
				kind: "cancelled",
				remote: false,
				incomplete: "The run was stopped, but the following could not be stopped on the gateway: `npm run build`, `look it up`.",
			});
		}
		expect(workNotice(task("cancelled", { cancelRequested: true, atWork }))).toEqual([]);
	});

	it("says what goes on after an end that nobody asked for", () => {
		expect(outcomeOf(task("completed", { atWork: ["npm start"] }))).toEqual({ kind: "ended" });
		expect(workNotice(task("completed", { atWork: ["npm start"] }))).toEqual([
			expect.objectContaining({ kind: "notice", code: "WORK_GOES_ON", message: expect.stringContaining("`npm start`") }),
		]);
		expect(workNotice(task("completed"))).toEqual([]);
	});

	it("does not claim that anything is running if the gateway's tasks could not be read", () => {
		const atWork = [openClawWorkUnknown];
		const because = "because OpenClaw's list of tasks could not be read.";
		expect(outcomeOf(task("cancelled", { cancelRequested: true, atWork }))).toMatchObject({
			kind: "cancelled",
			incomplete: `The run was stopped, but it isn't known whether everything that it started has ended, ${because}`,
		});
		expect(workNotice(task("completed", { atWork }))).toMatchObject([
			{
				code: "WORK_GOES_ON",
				message: `It isn't known whether anything that the run started is still running on the gateway, ${because}`,
			},
		]);
	});

	it("is told by the gateway only with the time of its end", () => {
		for (const status of ["ok", "error", "timeout", "pending"] as const) expect(witnessedOutcome({ status }, false)).toBeUndefined();
		expect(witnessedOutcome({ status: "ok", endedAt: 1 }, false)).toEqual({ kind: "ended" });
		expect(witnessedOutcome({ status: "error", endedAt: 1, error: "no" }, false)).toMatchObject({
			code: "OPENCLAW_AGENT_ERROR",
			message: "no",
		});
		expect(witnessedOutcome({ status: "error", endedAt: 1 }, true)).toMatchObject({ kind: "cancelled", incomplete: expect.any(String) });
		expect(witnessedOutcome({ status: "ok", endedAt: 1 }, true)).toEqual({ kind: "ended" });
	});
});
