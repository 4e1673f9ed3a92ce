import type { Sha256 } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import type { PlacedStep, RunStep } from "../../../src/ports/runs/run-step.ts";
import { acceptance, appendOf, runRecord, said, sealing, time } from "./run-fixture.ts";
import type { OpenStore } from "./store-under-test.ts";

const inputHash: Sha256 = "a".repeat(64);

function placed(...steps: readonly RunStep[]): PlacedStep[] {
	return steps.map((step, index) => ({ n: index + 1, at: time(index), step }));
}

export function stepContract(name: string, open: OpenStore): void {
	describe(`${name}: the steps of a program`, () => {
		const input: unknown = JSON.parse('{"__proto__": {"x": 1}, "n": [1.5, "é\\u0000"]}');
		const steps = placed(
			{ kind: "began", call: 1, toolId: "time.wait", inputHash, input },
			{ kind: "began", call: 2, toolId: "time.wait", inputHash },
			{ kind: "settled", call: 1, result: { ok: true, value: null } },
			{ kind: "delivered", call: 1, clockMs: 5 },
		);

		it("are written with an append, kept over a restart as they were, and counted", async () => {
			await using store = await open();
			const record = runRecord("run-1");
			await store.ports.log.insertRun(record, acceptance(record));
			await store.ports.log.append([{ ...appendOf(record, [said(2)]), steps: steps.slice(0, 2) }]);
			await store.ports.log.append([{ ...appendOf(record, [said(3)]), steps: steps.slice(2) }]);
			const { steps: stored } = await store.reopen();
			expect(JSON.stringify(await stored.readSteps(record.runId))).toBe(JSON.stringify(steps));
			expect(await stored.countOpenCalls(record.runId)).toBe(1);
			expect(await stored.readSteps(runRecord("run-2").runId)).toEqual([]);
			expect(await stored.countOpenCalls(runRecord("run-2").runId)).toBe(0);
		});

		it("are refused when they do not follow, together with the events", async () => {
			await using store = await open();
			const record = runRecord("run-1");
			await store.ports.log.insertRun(record, acceptance(record));
			await store.ports.log.append([{ ...appendOf(record, [said(2)]), steps: steps.slice(0, 2) }]);
			await expect(store.ports.log.append([{ ...appendOf(record, [said(3)]), steps: steps.slice(1) }])).rejects.toThrow();
			expect(await store.ports.steps.readSteps(record.runId)).toHaveLength(2);
			expect(await store.ports.log.readEvents(record.runId, 0, 10)).toHaveLength(2);
		});

		it("go with the terminal event", async () => {
			await using store = await open();
			const record = runRecord("run-1");
			await store.ports.log.insertRun(record, acceptance(record));
			await store.ports.log.append([{ ...appendOf(record, [said(2)]), steps }]);
			const { sealed, ...end } = sealing(record, 3);
			if (sealed === undefined) throw new Error("the fixture seals");
			await store.ports.log.append([{ ...end, sealed: { ...sealed, hasSteps: true } }]);
			expect(await store.ports.steps.readSteps(record.runId)).toEqual([]);
		});
	});
}
