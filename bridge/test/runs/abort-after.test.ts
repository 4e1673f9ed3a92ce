import { expect, it } from "vitest";
import { abortAfter } from "../../src/runs/engine/files/abort-after.ts";
import { FakeClock } from "../ports/fake-clock.ts";

const MINUTE = 60_000;

it("a limit on work with files ends on time, and a sleep of the machine uses up at most half a minute of it", () => {
	const clock = new FakeClock();
	using awake = abortAfter(clock, 30 * MINUTE);
	clock.advance(30 * MINUTE - 1);
	expect(awake.signal.aborted).toBe(false);
	clock.advance(1);
	expect(awake.signal.reason).toMatchObject({ name: "TimeoutError" });
	using slept = abortAfter(clock, 30 * MINUTE);
	clock.advance(10 * MINUTE);
	clock.set(clock.now() + 8 * 60 * MINUTE);
	clock.advance(19 * MINUTE);
	expect(slept.signal.aborted).toBe(false);
	clock.advance(MINUTE);
	expect(slept.signal.aborted).toBe(true);
});

it("a limit that is disposed of leaves no call behind", () => {
	const clock = new FakeClock();
	const limit = abortAfter(clock, 30 * MINUTE);
	clock.advance(10 * MINUTE);
	limit[Symbol.dispose]();
	expect(clock.pending).toBe(0);
});
