import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { noteHeard, onceHeard } from "../../../src/ui/connection/app-heard.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Something that fails each time, on a page whose streams deliver a hundred lines per second. Returns when it was tried, in ms. */
function triesDuring(ms: number): readonly number[] {
	const begin = Date.now();
	const at: number[] = [];
	const again = (tries: number): (() => void) =>
		onceHeard(() => {
			at.push(Date.now() - begin);
			again(tries + 1);
		}, tries);
	again(0);
	for (let passed = 0; passed < ms; passed += 10) {
		noteHeard();
		vi.advanceTimersByTime(10);
	}
	return at;
}

it("what the app did not answer is tried again as soon as it says anything, then after longer and longer rests", () => {
	const rests = triesDuring(60_000).map((at, index, all) => Math.round((at - (all[index - 1] ?? 0)) / 1000));
	expect(rests).toEqual([0, 1, 2, 4, 8, 10, 10, 10, 10]);
});

it("is not tried while nothing comes from the app, whatever the time, and not after it was called off", () => {
	let done = 0;
	const callOff = onceHeard(() => done++, 0);
	vi.advanceTimersByTime(60_000);
	expect(done).toBe(0);
	callOff();
	noteHeard();
	vi.advanceTimersByTime(60_000);
	expect(done).toBe(0);
});
