import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ToolKind } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import type { ProviderTurn, TurnSink } from "../../src/ports/provider.ts";
import { Core, ended, say } from "./core-fixture.ts";

const report = (sink: TurnSink, toolKind: ToolKind, path: string) =>
	sink.emit({ kind: "tool_call", toolCallId: `c-${toolKind}`, title: path, toolKind, state: "completed", locations: [{ path }] });

/** What the grounding of a run marks, after an agent did this. */
async function marked(
	act: (turn: ProviderTurn, sink: TurnSink) => Promise<void>,
): Promise<readonly (readonly [string, string | undefined])[]> {
	await using core = await Core.open(async (turn, sink) => {
		await act(turn, sink);
		return ended;
	});
	const { grounding, output, status } = await core.settled(await core.submit("t1"));
	expect(status).toBe("completed");
	return (grounding?.problems ?? []).map(({ start, end, reason }) => [output?.text.slice(start, end) ?? "", reason]);
}

describe("a file that an answer says was made", () => {
	it("is marked if it is nowhere, although the agent reports the edit, and also if it was removed again", async () => {
		const claim = "I have saved the report as ghost.md.";
		const lies = [[claim, "no_file"]];
		expect(
			await marked(async ({ artifactDirectory }, sink) => {
				await report(sink, "edit", join(artifactDirectory, "ghost.md"));
				await say(sink, claim);
			}),
		).toEqual(lies);
		expect(
			await marked(async ({ artifactDirectory }, sink) => {
				const path = join(artifactDirectory, "ghost.md");
				await writeFile(path, "x");
				await report(sink, "edit", path);
				await rm(path);
				await writeFile(join(artifactDirectory, "other.md"), "x");
				await say(sink, claim);
			}),
		).toEqual(lies);
	});

	it("is not marked where it was delivered, where the run works, where the agent reports it, or if a command may have put it anywhere", async () => {
		const claim = "I have saved the report as here.md.";
		const says = (act: (turn: ProviderTurn, sink: TurnSink) => Promise<void>) =>
			marked(async (turn, sink) => {
				await act(turn, sink);
				await say(sink, claim);
			});
		expect(await says(({ artifactDirectory }) => writeFile(join(artifactDirectory, "here.md"), "x"))).toEqual([]);
		expect(
			await says(async ({ workingDirectory }, sink) => {
				await report(sink, "edit", "notes.txt");
				await writeFile(join(workingDirectory, "here.md"), "x");
			}),
		).toEqual([]);
		expect(
			await says(async ({ artifactDirectory }, sink) => {
				const path = join(artifactDirectory, "..", "here.md");
				await writeFile(path, "x");
				await report(sink, "edit", path);
			}),
		).toEqual([]);
		expect(await says((_turn, sink) => report(sink, "execute", "notes.txt"))).toEqual([]);
	});
});
