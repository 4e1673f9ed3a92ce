import { expect, it } from "vitest";
import { Core, ended, say } from "../runs/core-fixture.ts";

const PIECE = 1_000;
const BOUND = 20_000;

it("a run's log takes no more than its bound, from a provider that does not listen to the stop", async () => {
	await using core = await Core.open(
		async (_turn, sink) => {
			for (let piece = 0; piece < 100; piece++) await say(sink, "x".repeat(PIECE));
			return ended;
		},
		{ runLogBytes: BOUND },
	);
	const snapshot = await core.settled(await core.submit("t1"));
	expect(snapshot).toMatchObject({ status: "failed", code: "LIMIT_EXCEEDED", message: expect.stringContaining("20 kB") });
	expect(snapshot.output?.totalBytes).toBeLessThanOrEqual(BOUND + PIECE);
});
