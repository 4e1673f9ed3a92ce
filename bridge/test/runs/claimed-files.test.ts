import { mkdirSync } from "node:fs";
import { mkdir, rename, rm, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { checkAgentClaims, LISTED_EDITS, type ToolKind } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import type { ProviderTurn, TurnSink } from "../../src/ports/agents/provider.ts";
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
	const { runId, grounding, output, status } = await core.settled(await core.submit("t1"));
	expect(status).toBe("completed");
	const problems = grounding?.problems ?? [];
	// A plan's message is checked with what is kept.
	expect(checkAgentClaims(output?.text ?? "", await core.service.evidence(runId))).toEqual(problems);
	return problems.map(({ start, end, reason, lookedIn }) => [output?.text.slice(start, end) ?? "", lookedIn ?? reason]);
}

describe("a file that an answer says was made", () => {
	it("is marked if it is nowhere, although the agent reports the edit, and also if it was removed again", async () => {
		const claim = "I have saved the report as ghost.md.";
		const lies = [[claim, "run_folders"]];
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

	it("is not marked where it was delivered, where the run works, or where the agent reports it", async () => {
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
		// It is not said to be missing, because a command may have put it anywhere, and it is not believed for that either.
		expect(await says((_turn, sink) => report(sink, "execute", "node build.js"))).toEqual([[claim, undefined]]);
	});

	it("is not marked where it is below the folder of the run, whatever spaces and accents its name has", async () => {
		const wrote = (path: string, text: string) =>
			marked(async ({ workingDirectory }, sink) => {
				const file = join(workingDirectory, path);
				await mkdir(dirname(file), { recursive: true });
				await writeFile(file, "x");
				// More files than the end of a run lists.
				for (let n = 0; n <= LISTED_EDITS; n++) await writeFile(join(workingDirectory, `${n}.txt`), "x");
				await say(sink, text);
			});
		expect(await wrote("sub/report.pdf", "I wrote report.pdf.")).toEqual([]);
		expect(await wrote("Annual report 2026.pdf", "I wrote Annual report 2026.pdf.")).toEqual([]);
		expect(await wrote("My files/report.pdf", "I wrote My files/report.pdf.")).toEqual([]);
		expect(await wrote("sub/r\u00e9sum\u00e9.pdf", "I saved re\u0301sume\u0301.pdf.")).toEqual([]);
		expect(await wrote("Old report.pdf", "I wrote report.pdf.")).toEqual([["I wrote report.pdf.", undefined]]);
		expect(await wrote("sub/report.pdf", "I wrote other/report.pdf.")).toEqual([["I wrote other/report.pdf.", "run_folders"]]);
		expect(await wrote("a.txt", "I wrote b.txt and c.txt.")).toEqual([["I wrote b.txt and c.txt.", "run_folders"]]);
	});

	it("is said to be missing only at a whole path: without one, it may be elsewhere", async () => {
		expect(await marked((_turn, sink) => say(sink, "I wrote /nowhere/at/all.md."))).toEqual([["I wrote /nowhere/at/all.md.", "no_file"]]);
		const inLarge = async ({ workingDirectory }: ProviderTurn, sink: TurnSink) => {
			// More than are listed.
			for (let n = 0; n <= 5_000; n++) mkdirSync(join(workingDirectory, `${n}`));
			await say(sink, "I wrote ghost.md.");
		};
		expect(await marked(inLarge)).toEqual([["I wrote ghost.md.", undefined]]);
	});

	it("is marked although another file was delivered, and its like is not", async () => {
		const text = "I created report.pdf. I created notes.txt.";
		const act = async ({ artifactDirectory }: ProviderTurn, sink: TurnSink) => {
			await writeFile(join(artifactDirectory, "notes.txt"), "x");
			await say(sink, text);
		};
		expect(await marked(act)).toEqual([["I created report.pdf.", "run_folders"]]);
	});
});

it("a file that an answer says was renamed is marked only if it wasn't, however old its content is", async () => {
	const says = (act: (folder: string) => Promise<void>) =>
		marked(async ({ workingDirectory }, sink) => {
			const old = join(workingDirectory, "a.txt");
			await writeFile(old, "x");
			await utimes(old, 1_000_000_000, 1_000_000_000);
			await act(workingDirectory);
			await say(sink, "I renamed a.txt to b.txt.");
		});
	expect(await says((folder) => rename(join(folder, "a.txt"), join(folder, "b.txt")))).toEqual([]);
	expect(await says(async () => undefined)).toEqual([["I renamed a.txt to b.txt.", "run_folders"]]);
});

describe("a file that an answer says was deleted", () => {
	it("is marked if it is still there", async () => {
		const act = async ({ workingDirectory }: ProviderTurn, sink: TurnSink) => {
			await writeFile(join(workingDirectory, "old.txt"), "x");
			await report(sink, "delete", join(workingDirectory, "old.txt"));
			await say(sink, "I deleted old.txt.");
		};
		expect(await marked(act)).toEqual([["I deleted old.txt.", "still_there"]]);
		const truly = async (turn: ProviderTurn, sink: TurnSink) => {
			await report(sink, "delete", join(turn.workingDirectory, "old.txt"));
			await say(sink, "I deleted old.txt.");
		};
		expect(await marked(truly)).toEqual([]);
	});
});
