import { type ProviderId, Redaction, RunId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { RunCommand } from "../../../src/runs/domain/decide.ts";
import { toSnapshot } from "../../../src/runs/domain/run-view.ts";
import { record } from "./arbitrary.ts";
import { play } from "./played-turn.ts";

const examined = ["a.md", "b.md", "c, final.md", "d.md", "e.md"];
const edited: RunCommand = {
	type: "say",
	update: { kind: "tool_call", toolCallId: "c1", title: "Edit", toolKind: "edit", state: "completed", untouched: true, examined },
	reporter: { runId: RunId.parse("run-1"), providerId: "codex", redaction: new Redaction([]) },
};

/** The snapshot of a run that ended with this answer, and whose files all have a newer time. */
function ended(text: string, ...commands: readonly RunCommand[]) {
	const { state } = play(
		...commands,
		{ type: "say", update: { kind: "message_delta", messageId: "m", text } },
		{ type: "end_provider", outcome: { kind: "ended" } },
		{
			type: "conclude",
			provider: { target: "agent", providerId: "codex" as ProviderId },
			filesFound: { states: examined.map((name) => [name, "changed"] as const), seen: [] },
		},
	);
	return toSnapshot(record, state, 0);
}

it("the check of claims knows each of many files that contradict a call", () => {
	for (const name of ["a.md", "d.md", "e.md"]) {
		expect(ended(`I updated ${name}.`, edited).grounding, name).toMatchObject({ state: "unverified" });
		expect(ended(`I updated ${name}.`).grounding, name).toBeUndefined();
	}
	expect(ended("Hello.", edited).activity?.items).toMatchObject([{ examined }]);
});
