import { artifactScope, RunId, ThreadId, TurnId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { executedIn } from "../store/count-statements.ts";
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

it("a question about a run reads neither its prompt nor that of any other", async () => {
	await using core = await Core.open(async (_turn, sink) => {
		await say(sink, "done");
		return ended;
	});
	const runId = await core.submit("t1", { prompt: "x".repeat(1_000_000) });
	await core.settled(runId);
	await core.restart();
	const threadId = ThreadId.parse("thread");
	const executed = await executedIn(async () => {
		for (const ref of [{ runId }, { threadId, turnId: TurnId.parse("t1") }])
			await core.service.snapshot((await core.service.resolve(ref)).runId);
		await core.service.cancel(runId);
		await core.service.list({ limit: 10 });
	});
	expect(executed.filter(({ sql }) => sql.startsWith("SELECT"))).toHaveLength(6);
	expect(executed.filter(({ sql }) => /\brecord\b/.test(sql))).toEqual([]);
	expect((await core.service.input({ runId })).prompt).toHaveLength(1_000_000);
});
