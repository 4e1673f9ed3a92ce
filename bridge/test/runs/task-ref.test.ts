import { artifactScope, RunId, ThreadId, TurnId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { Core, ended, say } from "./core-fixture.ts";

it("a run is found by its id or its turn, and only under its own scope", async () => {
	await using core = await Core.open(async (_turn, sink) => {
		await say(sink, "done");
		return ended;
	});
	const runId = await core.submit("t1");
	await core.settled(runId);
	const threadId = ThreadId.parse("thread");
	const own = artifactScope(threadId, runId);
	const byTurn = { threadId, turnId: TurnId.parse("t1") };
	for (const ref of [{ runId }, { runId, artifactScope: own }, byTurn, { ...byTurn, artifactScope: own }]) {
		expect(await core.service.resolve(ref)).toMatchObject({ runId, threadId });
	}
	const foreign = artifactScope(threadId, RunId.parse("another-run"));
	for (const ref of [{ runId }, byTurn]) {
		await expect(core.service.resolve({ ...ref, artifactScope: foreign })).rejects.toMatchObject({ code: "SCOPE_MISMATCH" });
	}
	await expect(core.service.resolve({ ...byTurn, turnId: TurnId.parse("t2") })).rejects.toMatchObject({ code: "NOT_FOUND" });
});
