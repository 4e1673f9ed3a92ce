import { expect, it } from "vitest";
import { FakeClock } from "../ports/fake-clock.ts";
import { Core, type Play, say, whenAborted } from "./core-fixture.ts";
import { working } from "./plays.ts";

const CLAIM = "I sent the mail to anna@example.org.";
const marked = { grounding: { state: "unverified", problems: [{ start: 0, end: CLAIM.length }] } };

const claims: Play = async (_turn, sink, stop) => {
	await sink.handOver();
	await say(sink, CLAIM);
	await whenAborted(stop);
	await new Promise(() => undefined);
	throw new Error("unreachable");
};

it("marks what nothing backs in what an agent wrote before its bridge was killed", async () => {
	await using core = await Core.open(claims);
	const runId = await core.submit("t1");
	await core.until(runId, working);
	await core.crash();
	expect(await core.settled(runId)).toMatchObject({ status: "interrupted", code: "BRIDGE_RESTARTED", output: { text: CLAIM }, ...marked });
});

it("marks it in a run whose time was over", async () => {
	const clock = new FakeClock();
	await using core = await Core.open(claims, { runBudgetMs: 60_000 }, undefined, undefined, clock);
	const runId = await core.submit("t1");
	await core.until(runId, working);
	clock.advance(60_000);
	clock.advance(600_000);
	expect(await core.settled(runId)).toMatchObject({ status: "interrupted", code: "DEADLINE_EXCEEDED", ...marked });
});
