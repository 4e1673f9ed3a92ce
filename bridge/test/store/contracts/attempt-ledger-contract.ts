import { RunId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import type { OpenStore } from "./store-under-test.ts";

export function attemptLedgerContract(name: string, open: OpenStore): void {
	describe(`${name}: attempts`, () => {
		it("remembers them across a restart as last written, until they are removed", async () => {
			await using store = await open();
			const [one, two, three] = ["run-b", "run-a", "run-c"].map((runId) => ({ runId: RunId.parse(runId), deaths: 0, open: true }));
			if (one === undefined || two === undefined || three === undefined) throw new Error("three runs");
			for (const attempt of [one, two, three]) await store.ports.attempts.write(attempt);
			await store.ports.attempts.write({ ...two, deaths: 1, open: false });
			await store.ports.attempts.remove(three.runId);
			await store.ports.attempts.remove(RunId.parse("run-nobody"));
			expect(await (await store.reopen()).attempts.list()).toEqual([one, { ...two, deaths: 1, open: false }]);
		});
	});
}
