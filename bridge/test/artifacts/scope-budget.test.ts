import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { artifactScope, openArtifactContract, ProviderId, RunId, SessionId, ThreadId, TurnId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { createArtifactStore } from "../../src/artifacts/file-artifact-store.ts";
import { createRunWorkspace } from "../../src/artifacts/workspace/file-run-workspace.ts";
import type { RunRecord } from "../../src/ports/runs/run-record.ts";
import { openRequest, sha256 } from "./artifact-store-fixture.ts";
import { countFileCalls } from "./count-file-calls.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

const threadId = ThreadId.parse("thread 1");

function record(name: string): RunRecord {
	const runId = RunId.parse(name);
	return {
		runId,
		threadId,
		sessionId: SessionId.parse("thread 1"),
		turnId: TurnId.parse("turn-1"),
		provider: { target: "agent", providerId: ProviderId.parse("agent") },
		artifactScope: artifactScope(threadId, runId),
		createdAt: "2026-01-01T00:00:00.000Z",
		inputHash: sha256(""),
		input: { prompt: "p", artifactContract: openArtifactContract, attachments: [], fresh: true },
		budgetMs: 1000,
	};
}

describe.runIf(process.platform === "linux")("what a turn without files asks of the file system", () => {
	it("is at most 8 calls from its second turn on, none of which fails", async () => {
		await using directory = await temporaryDirectory();
		const home = join(directory.path, "home");
		mkdirSync(join(home, "bridge"), { recursive: true });
		const workspace = createRunWorkspace({ home, allowedRoots: [] });
		await using artifactStore = createArtifactStore({ root: join(home, "bridge", "artifacts") });
		const turn = async (name: string) => {
			const run = record(name);
			const { artifactDirectory } = await workspace.prepare(run);
			const collected = await artifactStore.collect({ ...openRequest(artifactDirectory), runId: run.runId });
			expect(collected).toEqual({ items: [], rejected: [] });
		};
		await turn("run-1");
		const { names, failed } = await countFileCalls(() => turn("run-2"));
		expect(failed).toEqual([]);
		expect(names.length, names.join(", ")).toBeLessThanOrEqual(8);
		expect(names.length).toBeGreaterThan(0);
	});
});
