import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { artifactScope, openArtifactContract, ProviderId, RunId, SessionId, ThreadId, TurnId } from "@xworkmate/contracts";
import { FILE_TIME_STEP_MS } from "@xworkmate/platform/files";
import { expect, it } from "vitest";
import { createRunWorkspace } from "../../../src/artifacts/workspace/file-run-workspace.ts";
import type { RunRecord } from "../../../src/ports/runs/run-record.ts";
import { sha256 } from "../artifact-store-fixture.ts";
import { temporaryDirectory } from "../temporary-directory.ts";

const [threadId, runId] = [ThreadId.parse("thread 1"), RunId.parse("run-1")];
const own: RunRecord = {
	...{ runId, threadId, sessionId: SessionId.parse("thread 1"), turnId: TurnId.parse("turn-1") },
	provider: { target: "agent", providerId: ProviderId.parse("script") },
	artifactScope: artifactScope(threadId, runId),
	createdAt: "2026-01-01T00:00:00.000Z",
	inputHash: sha256(""),
	input: { prompt: "p", artifactContract: openArtifactContract, attachments: [], fresh: true },
	budgetMs: 1000,
};

/** A run that has begun in a folder with some files, and one in the bridge's own workspace. Nothing was changed since. */
async function begun() {
	const directory = await temporaryDirectory();
	const project = join(directory.path, "project");
	/** Resolves once what is written gets a later time than what has been written. */
	const later = async () => {
		const probe = join(directory.path, "probe");
		const time = () => {
			writeFileSync(probe, "");
			return statSync(probe).mtimeMs;
		};
		const first = time();
		await expect.poll(time, { interval: 2 }).toBeGreaterThan(first);
		return time();
	};
	for (const name of ["old.md", "sub/old.md", "node_modules/one/a.js"]) {
		mkdirSync(dirname(join(project, name)), { recursive: true });
		writeFileSync(join(project, name), "old");
	}
	const startedAt = (await later()) + FILE_TIME_STEP_MS;
	const workspace = createRunWorkspace({ home: join(directory.path, "home"), allowedRoots: [project] });
	const chosen = { ...own, ...(await workspace.choose(project)) };
	for (const run of [own, chosen]) await workspace.prepare(run);
	const { artifactDirectory: scope } = await workspace.locate(chosen);
	await later();
	const mayHaveChanged = (run: RunRecord) => workspace.mayHaveChanged(run, startedAt);
	return { project, scope, chosen, mayHaveChanged, [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose]() };
}

it("what the bridge creates for a run is no change by the run", async () => {
	await using place = await begun();
	expect(await Promise.all([own, place.chosen].map(place.mayHaveChanged))).toEqual([false, false]);
});

it.each(["old.md", "sub/old.md", "sub", "node_modules/one"])("a run may have changed something if only %s was deleted", async (name) => {
	await using place = await begun();
	rmSync(join(place.project, name), { recursive: true });
	expect(await place.mayHaveChanged(place.chosen)).toBe(true);
});

it("a run may have changed something if a file in its folder has a new text", async () => {
	await using place = await begun();
	writeFileSync(join(place.project, "sub", "old.md"), "new");
	expect(await place.mayHaveChanged(place.chosen)).toBe(true);
});

it("a run may have changed something if its folder holds a new file, or did", async () => {
	await using place = await begun();
	const file = join(place.scope, "new.md");
	writeFileSync(file, "new");
	expect(await place.mayHaveChanged(place.chosen)).toBe(true);
	rmSync(file);
	expect(await place.mayHaveChanged(place.chosen)).toBe(true);
});

it("a run may have changed something if its folder can't be read", async () => {
	await using place = await begun();
	expect(await place.mayHaveChanged({ ...place.chosen, projectDirectory: join(place.project, "old.md") })).toBe(true);
});
