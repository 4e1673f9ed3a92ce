import type { Timestamp } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { noteAnswers } from "../../src/agents/note-answers.ts";
import type { RunFacts } from "../../src/ports/runs/run-record.ts";
import { Core, ended, say } from "./core-fixture.ts";

it("an agent has answered when its run succeeds, and not when it fails", async () => {
	await using core = await Core.open(async ({ prompt }, sink) => {
		await say(sink, prompt);
		return prompt === "fail" ? { kind: "failed", code: "PROVIDER_ERROR", message: "it failed" } : ended;
	});
	const noted: [RunFacts, Timestamp][] = [];
	const errors: unknown[] = [];
	const { promise, resolve } = Promise.withResolvers<void>();
	noteAnswers(
		core.service,
		(run, at) => {
			noted.push([run, at]);
			resolve();
		},
		(error) => errors.push(error),
	);
	await core.settled(await core.submit("t1", { prompt: "fail" }));
	const end = await core.settled(await core.submit("t2", { prompt: "one" }));
	await promise;
	expect(noted.map(([{ runId, provider }, at]) => [runId, provider.providerId, at])).toEqual([
		[end.runId, end.provider.providerId, end.endedAt],
	]);
	expect(errors).toEqual([]);
});
