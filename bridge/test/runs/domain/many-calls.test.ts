import { failedCommandsIn, limits, Redaction, type Snapshot, type TaskSummary, unpermittedIn } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { RunCommand } from "../../../src/runs/domain/decide.ts";
import { toSnapshot, toSummary } from "../../../src/runs/domain/run-view.ts";
import { PlayedRun, runId } from "./played-run.ts";

const reporter = { runId, providerId: "goose", redaction: new Redaction([]) };
const provider = { target: "agent", providerId: "goose" };
const record = { runId, provider } as Parameters<typeof toSnapshot>[0];

function says(toolCallId: string, toolKind: "edit" | "execute", title: string, more: object = {}): RunCommand {
	return { type: "say", update: { kind: "tool_call", toolCallId, title, toolKind, state: "completed", ...more }, reporter };
}

/** What is told of a run that made more calls than a snapshot lists, and then these. */
function ended(...calls: readonly RunCommand[]): { readonly snapshot: Snapshot; readonly summary: TaskSummary } {
	const run = new PlayedRun();
	for (let index = 0; index < limits.snapshotItems; index++) run.do(says(`e${index}`, "edit", `Edit file-${index}.ts`));
	for (const call of calls) run.do(call);
	run.do({ type: "fail", message: "fault" });
	return { snapshot: toSnapshot(record, run.state, 0), summary: toSummary(record, run.state) };
}

it("what an agent did although it was denied is told of a run with very many calls, in lists and in the snapshot", () => {
	const { snapshot, summary } = ended(says("c1", "execute", "rm -rf build", { unpermitted: "denied" }));
	expect([summary.lacking, summary.unpermitted]).toEqual(["unverified", "denied"]);
	expect(snapshot.activity?.items).toHaveLength(limits.snapshotItems);
	expect(snapshot.activity?.truncated).toBe(true);
	expect(snapshot.activity && unpermittedIn(snapshot.activity)).toBe("denied");
});

it("a command that failed, and then succeeded after very many calls, is not called failed", () => {
	const { snapshot, summary } = ended(
		says("c1", "execute", "make", { state: "failed" }),
		says("c2", "execute", "npm test", { state: "failed" }),
		says("c3", "execute", "make"),
	);
	expect(failedCommandsIn(snapshot.activity)).toEqual(["npm test"]);
	expect(summary.failedCommands).toBe(1);
});
