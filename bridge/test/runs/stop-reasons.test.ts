import { expect, it } from "vitest";
import { FakeClock } from "../ports/fake-clock.ts";
import { Core, type Play, say, whenAborted } from "./core-fixture.ts";
import { speak, working } from "./plays.ts";

const limits = { runBudgetMs: 60_000, runLogBytes: 50_000, deadlineGraceMs: 3_600_000, stopMs: 50 };
const untilStopped: Play = async (_turn, sink, stop) => {
	await say(sink, "working");
	await whenAborted(stop);
	return { kind: "ended" };
};
const untilFull: Play = async (_turn, sink, stop) => {
	while (!stop.aborted) await say(sink, "x".repeat(10_000));
	return { kind: "ended" };
};

it.each([
	{ what: "said too much", work: untilFull, end: { status: "failed", code: "LIMIT_EXCEEDED" } },
	{ what: "timed out", timesOut: true, end: { status: "interrupted", code: "DEADLINE_EXCEEDED" } },
	{ what: "was cancelled and timed out", cancels: true, timesOut: true, end: { status: "interrupted", code: "DEADLINE_EXCEEDED" } },
	{ what: "was cancelled", cancels: true, end: { status: "interrupted", code: "BRIDGE_STOPPED" } },
	{ what: "was not told to stop", end: { status: "interrupted", code: "BRIDGE_STOPPED" } },
])("a turn that $what, and is still there when the bridge stops, ends with $end.code", async ({ work, cancels, timesOut, end }) => {
	const clock = new FakeClock();
	const stopping = Promise.withResolvers<void>();
	// Never confirms that it has stopped.
	const deaf: Play = async (...turn) => {
		await (work ?? untilStopped)(...turn);
		stopping.resolve();
		return new Promise(() => undefined);
	};
	await using core = await Core.open(deaf, limits, undefined, undefined, clock);
	const runId = await core.submit("t1");
	await core.until(runId, working);
	if (cancels) await core.service.cancel(runId);
	if (timesOut) clock.advance(limits.runBudgetMs);
	if (cancels || timesOut || work) await stopping.promise;
	core.play = speak;
	const restarted = core.restart();
	clock.advance(limits.stopMs);
	await restarted;
	expect(await core.service.snapshot(runId)).toMatchObject(end);
});
