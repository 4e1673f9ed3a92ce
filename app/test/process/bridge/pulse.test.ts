import { AutoResetEvent } from "@xworkmate/platform/async";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Answer } from "../../../src/process/bridge/ask-alive.ts";
import { type Ask, untilSilent } from "../../../src/process/bridge/pulse.ts";
import { RestartPace } from "../../../src/process/bridge/restart-pace.ts";

const bounds = { everyMs: 1, quietMs: 50, answerMs: 1_500, misses: 3 };

/** Answers as the list says, then never again. "late" is a time-out that this process was too late to see. Has its own clock. */
function answering(answers: readonly (Answer | "late")[]) {
	let asked = 0;
	let now = 0;
	const ask: Ask = async () => {
		const answer = answers[asked++] ?? "silent";
		now += answer === "late" ? 60_000 : answer === "silent" ? bounds.answerMs + 5 : 2;
		return answer === "late" ? "silent" : answer;
	};
	return { ask, asked: () => asked, now: () => now };
}

const never = new AbortController().signal;

describe("a bridge's silence", () => {
	afterEach(() => void vi.useRealTimers());

	it("is as many asks without an answer as the bounds say", async () => {
		const { ask, asked, now } = answering(["answered"]);
		expect(await untilSilent(ask, never, bounds, undefined, now)).toBe("silent");
		expect(asked()).toBe(1 + bounds.misses);
	});

	it("is counted anew after every answer", async () => {
		const { ask, asked, now } = answering(["silent", "silent", "answered", "silent", "silent", "answered"]);
		expect(await untilSilent(ask, never, bounds, undefined, now)).toBe("silent");
		expect(asked()).toBe(6 + bounds.misses);
	});

	it("is not what passes while this process cannot run either", async () => {
		const { ask, asked, now } = answering(["silent", "late", "late", "late", "late", "silent", "silent"]);
		expect(await untilSilent(ask, never, bounds, undefined, now)).toBe("silent");
		expect(asked()).toBe(7);
	});

	it("is not that nobody listens: such a bridge is ending", async () => {
		const { ask, asked, now } = answering(["silent", "silent", "closed", "closed", "closed", "silent"]);
		expect(await untilSilent(ask, never, bounds, undefined, now)).toBe("silent");
		expect(asked()).toBe(6);
	});

	it("is looked for less often while nothing needs the bridge", async () => {
		vi.useFakeTimers();
		const gone = new AbortController();
		const { ask, asked } = answering(["answered", "answered", "answered"]);
		const watching = untilSilent(ask, gone.signal, bounds, { isQuiet: () => true, used: new AutoResetEvent() });
		await vi.advanceTimersByTimeAsync(bounds.quietMs - 1);
		expect(asked()).toBe(1);
		await vi.advanceTimersByTimeAsync(1);
		expect(asked()).toBe(2);
		// The end of the bridge is no reason to wait either.
		gone.abort();
		expect(await watching).toBe("stopped");
	});

	it("is looked for at once, and then as often as ever, when something needs the bridge again", async () => {
		vi.useFakeTimers();
		let isQuiet = true;
		const used = new AutoResetEvent();
		const { ask, asked } = answering(["answered", "answered"]);
		const watching = untilSilent(ask, never, bounds, { isQuiet: () => isQuiet, used });
		await vi.advanceTimersByTimeAsync(bounds.quietMs / 2);
		isQuiet = false;
		used.set();
		await vi.advanceTimersByTimeAsync(0);
		// On a busy machine the next checks, which real timers pace, may have been made by now.
		expect(asked()).toBeGreaterThanOrEqual(2);
		await vi.advanceTimersByTimeAsync(bounds.everyMs);
		expect(await watching).toBe("silent");
		expect(asked()).toBe(2 + bounds.misses);
	});

	it("is not looked for any more once the bridge is gone", async () => {
		const gone = new AbortController();
		const ask: Ask = async () => {
			gone.abort();
			return "silent";
		};
		expect(await untilSilent(ask, gone.signal, { ...bounds, misses: 1 })).toBe("stopped");
	});
});

describe("the pace of restarts", () => {
	it("begins at once, doubles up to half a minute, and never ends", () => {
		const pace = new RestartPace();
		const waits = Array.from({ length: 10 }, () => pace.next().afterMs);
		expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
	});

	it("begins anew after a bridge that ran for a minute, and after no other", () => {
		const pace = new RestartPace();
		pace.next();
		pace.ran(59_000);
		expect(pace.next()).toEqual({ attempt: 2, afterMs: 500 });
		pace.ran(60_000);
		expect(pace.next()).toEqual({ attempt: 1, afterMs: 250 });
	});
});
