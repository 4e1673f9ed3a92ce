import { afterEach, describe, expect, it, vi } from "vitest";
import { RenderThrottle } from "../../../src/ui/follow/render-throttle.ts";

const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));

async function frames(count: number): Promise<void> {
	for (let n = 0; n < count; n++) await frame();
}

afterEach(() => {
	vi.useRealTimers();
	vi.unstubAllGlobals();
});

describe("the pace of frames", () => {
	it.each([
		["one frame a second", 1_000],
		["none", undefined],
	])("shows what has come although the browser gives it one frame a second, or none: %s", (_, every) => {
		vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
		const inFrame = (act: () => void) => {
			if (every === undefined) return 0;
			const pause = every - (performance.now() % every);
			return setTimeout(act, pause);
		};
		vi.stubGlobal("requestAnimationFrame", inFrame);
		vi.stubGlobal("cancelAnimationFrame", (frame: number) => clearTimeout(frame));
		const pace = new RenderThrottle();
		const late: number[] = [];
		for (let asked = 0; asked < 12; asked++) {
			const at = performance.now();
			pace.ask(() => late.push(performance.now() - at));
			vi.advanceTimersByTime(500);
		}
		expect(late).toHaveLength(12);
		expect(Math.max(...late)).toBeLessThanOrEqual(400);
	});

	it("does what was asked for last, once, and leaves the next frame alone", async () => {
		const pace = new RenderThrottle();
		const done: string[] = [];
		pace.ask(() => done.push("first"));
		pace.ask(() => done.push("second"));
		await frame();
		expect(done).toEqual(["second"]);
		pace.ask(() => done.push("third"));
		await frame();
		expect(done).toEqual(["second"]);
		await frames(6);
		expect(done).toEqual(["second", "third"]);
	});

	it("comes back after it was idle, and does nothing that was taken back", async () => {
		const pace = new RenderThrottle();
		const done: string[] = [];
		pace.ask(() => done.push("first"));
		await frames(8);
		pace.ask(() => done.push("second"));
		await frame();
		expect(done).toEqual(["first", "second"]);
		pace.ask(() => done.push("third"));
		pace.cancel();
		await frames(8);
		expect(done).toEqual(["first", "second"]);
	});
});
