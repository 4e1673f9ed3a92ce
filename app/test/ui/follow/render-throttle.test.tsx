import { describe, expect, it } from "vitest";
import { RenderThrottle } from "../../../src/ui/follow/render-throttle.ts";

const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));

async function frames(count: number): Promise<void> {
	for (let n = 0; n < count; n++) await frame();
}

describe("the pace of frames", () => {
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
