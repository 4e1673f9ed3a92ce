import { Redaction, type ToolCall } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { activityOfTrail } from "../../../src/runs/domain/call-trail.ts";
import { PlayedRun, runId } from "./played-run.ts";

const reporter = { runId, providerId: "goose", redaction: new Redaction(["hunter2-hunter2"]) };
const input = (fields: object) => ({ text: JSON.stringify(fields), truncated: false });

/** What activity says of a call whose agent titles it "Edit README.md", after these reports of it. */
function named(...reports: readonly Partial<ToolCall>[]) {
	const run = new PlayedRun();
	for (const report of reports) {
		const call = { kind: "tool_call", toolCallId: "c1", title: "Edit README.md", toolKind: "edit", state: "pending", ...report } as const;
		run.do({ type: "say", update: call, reporter });
	}
	const { trail } = run.state;
	const [item] = (trail && activityOfTrail(trail).items) ?? [];
	return [item?.words, item?.title];
}

it.each<[string, Partial<ToolCall>]>([
	["input", { input: input({ file_path: "/p/secrets.ts", content: "1" }) }],
	["diff", { diff: [{ path: "/p/secrets.ts", newText: "1", truncated: false }] }],
	["location", { locations: [{ path: "/p/secrets.ts" }] }],
])("a reported edit is named by the file in its %s, and the agent's title is kept beside it", (_, names) => {
	const both = ["/p/secrets.ts", "Edit README.md"];
	expect(named(names)).toEqual(both);
	expect(named(names, { state: "running" })).toEqual(both);
	expect(named(names, { state: "running" }, { state: "failed" })).toEqual(both);
	expect(named({}, { state: "failed", ...names })).toEqual(both);
});

it("a reported edit is named by the files that were looked at as soon as there are any, and by its title if nothing names a file", () => {
	const looked: Partial<ToolCall> = { state: "completed", examined: ["notes.md"] };
	expect(named({ input: input({ path: "/p/secrets.ts" }) }, looked)).toEqual(["notes.md", "Edit README.md"]);
	expect(named({}, { state: "failed" })).toEqual(["Edit README.md", undefined]);
	const locations = [{ path: "/p/hunter2-hunter2" }, { path: "/p/b.ts" }];
	expect(named({ locations })).toEqual(["/p/[redacted], /p/b.ts", "Edit README.md"]);
});

it("a call that only reads keeps its title", () => {
	expect(named({ toolKind: "other", locations: [{ path: "/p/a.ts" }] })).toEqual(["Edit README.md", undefined]);
});
