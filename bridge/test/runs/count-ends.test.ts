import { expect, it } from "vitest";
import { countEnds } from "../../src/runs/engine/count-ends.ts";
import { Core, ended, say } from "./core-fixture.ts";

it("counts each run that ends, by its status, once", async () => {
	await using core = await Core.open(async ({ prompt }, sink) => {
		await say(sink, prompt);
		return prompt === "fail" ? { kind: "failed", code: "PROVIDER_ERROR", message: "it failed" } : ended;
	});
	const counts = countEnds(core.service.log);
	for (const [turn, prompt] of [
		["t1", "one"],
		["t2", "fail"],
		["t3", "two"],
	] as const) {
		await core.settled(await core.submit(turn, { prompt }));
	}
	expect(counts).toEqual({ completed: 2, failed: 1 });
});
