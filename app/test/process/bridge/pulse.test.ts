import { describe, expect, it } from "vitest";
import type { Answer } from "../../../src/process/bridge/ask-alive.ts";
import { type Ask, untilSilent } from "../../../src/process/bridge/pulse.ts";
import { RestartPace } from "../../../src/process/bridge/restart-pace.ts";

const bounds = { everyMs: 1, quietMs: 50, lookMs: 5, answerMs: 1_500, misses: 3 };

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

	it("is looked for less often while nothing needs the bridge, and as often as ever once something does", async () => {
		let looks = 0;
		let asked = 0;
		const answers: Answer[] = ["answered", "answered"];
		const askedAfter: number[] = [];
		const ask: Ask = async () => {
			askedAfter.push(looks);
			return answers[asked++] ?? "silent";
		};
		// The clock stands still: by time alone, it would not be asked again.
		const isQuiet = () => ++looks < 20;
		expect(await untilSilent(ask, never, bounds, isQuiet, () => 0)).toBe("silent");
		expect(askedAfter.slice(0, 3)).toEqual([0, 20, 21]);
		expect(asked).toBe(2 + bounds.misses);
	});

	it("is looked for after the longer pause even if nothing needs the bridge", async () => {
		let now = 0;
		const askedAt: number[] = [];
		const ask: Ask = async () => {
			askedAt.push(now);
			return askedAt.length <= 3 ? "answered" : "silent";
		};
		await untilSilent(
			ask,
			never,
			bounds,
			() => true,
			() => now++,
		);
		expect((askedAt[1] ?? 0) - (askedAt[0] ?? 0)).toBeGreaterThanOrEqual(bounds.quietMs);
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
