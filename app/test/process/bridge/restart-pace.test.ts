import { expect, it } from "vitest";
import { RestartPace } from "../../../src/process/bridge/restart-pace.ts";

it("waits twice as long before each further start, at most 30 s, and counts the starts", () => {
	const pace = new RestartPace();
	const starts = Array.from({ length: 9 }, () => pace.next());
	expect(starts.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
	expect(starts.map(({ afterMs }) => afterMs)).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

it("begins again after a bridge that ran for a minute, and not before", () => {
	const pace = new RestartPace();
	for (let start = 0; start < 4; start++) pace.next();
	pace.ran(59_999);
	expect(pace.next()).toEqual({ attempt: 5, afterMs: 4_000 });
	pace.ran(60_000);
	expect(pace.next()).toEqual({ attempt: 1, afterMs: 250 });
});
