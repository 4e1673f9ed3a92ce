import type { FailedCode } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { type NotedEnd, noteRuns } from "../../src/agents/note-runs.ts";
import type { RunFacts } from "../../src/ports/runs/run-record.ts";
import { Core, ended, say } from "./core-fixture.ts";

/** Runs one prompt after the other; a prompt that is a code fails with it, because of the request if `isRequest` follows. Returns what was noted. */
async function noted(...prompts: readonly string[]) {
	await using core = await Core.open(async ({ prompt }, sink) => {
		await say(sink, prompt);
		const [code, isRequest] = prompt.split(" ");
		return prompt === "one"
			? ended
			: { kind: "failed", code: code as FailedCode, message: "It failed.", ...(isRequest !== undefined && { isRequest: true }) };
	});
	const notes: [RunFacts, NotedEnd][] = [];
	const errors: unknown[] = [];
	const { promise, resolve } = Promise.withResolvers<void>();
	noteRuns(
		core.service,
		(run, end) => {
			notes.push([run, end]);
			if (end.failure === undefined) resolve();
		},
		(error) => errors.push(error),
	);
	const ends = [];
	for (const [at, prompt] of [...prompts, "one"].entries()) ends.push(await core.settled(await core.submit(`t${at}`, { prompt })));
	await promise;
	expect(errors).toEqual([]);
	return { notes: notes.map(([{ runId, provider }, end]) => [runId, provider.providerId, end]), ends };
}

it("an agent has answered when its run succeeds, and not when it fails", async () => {
	const { notes, ends } = await noted("SCRIPT_ERROR");
	expect(notes).toEqual(ends.slice(1).map(({ runId, provider, endedAt }) => [runId, provider.providerId, { at: endedAt }]));
});

it("an agent whose run failed because of the agent itself is noted with why, and no other failure is", async () => {
	const { notes, ends } = await noted("PROVIDER_EXITED", "REFUSED", "PROVIDER_LIMITED", "NO_OUTPUT", "DISK_FULL");
	const failures = [0, 2].map(
		(at) => [ends[at], { code: ["PROVIDER_EXITED", "", "PROVIDER_LIMITED"][at], message: "It failed." }] as const,
	);
	expect(notes.slice(0, -1)).toEqual(
		failures.map(([end, failure]) => [end?.runId, end?.provider.providerId, { at: end?.endedAt, failure }]),
	);
});

it("an agent is not noted as failed when it, or its model's server, refused the request", async () => {
	const { notes, ends } = await noted("PROVIDER_ERROR isRequest", "PROVIDER_ERROR", "PROVIDER_AUTH_REQUIRED isRequest");
	expect(ends.map(({ status, code }) => [status, code])).toEqual([
		["failed", "PROVIDER_ERROR"],
		["failed", "PROVIDER_ERROR"],
		["failed", "PROVIDER_AUTH_REQUIRED"],
		["completed", undefined],
	]);
	expect(notes.map(([runId]) => runId)).toEqual([ends[1]?.runId, ends[3]?.runId]);
});
