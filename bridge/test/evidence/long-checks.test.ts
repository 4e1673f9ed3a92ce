import { RunId } from "@xworkmate/contracts";
import { afterEach, describe, expect, it, vi } from "vitest";
import { calls, EvidenceHome } from "./evidence-home.ts";

afterEach(() => vi.restoreAllMocks());

describe("a check of many receipts", () => {
	it("lets everything else have its turn, however few receipts each run has", async () => {
		await using home = await EvidenceHome.open(calls(1));
		for (let run = 0; run < 40; run++) await home.run(`turn-${run}`);
		// The ledger's last lines are written first.
		await home.verify();
		let now = 0;
		vi.spyOn(performance, "now").mockImplementation(() => (now += 5));
		let turns = 0;
		const count = () => {
			turns++;
			next = setImmediate(count);
		};
		let next = setImmediate(count);
		expect(await home.verify()).toMatchObject({ ok: true, runs: 40, receipts: 120 });
		clearImmediate(next);
		// At the least one for every three runs and every three lines of the ledger.
		expect(turns).toBeGreaterThan(25);
	});

	it("says how many receipts were checked, of how many", async () => {
		await using home = await EvidenceHome.open(calls(2));
		for (const turn of ["one", "two"]) await home.run(turn);
		const said: unknown[] = [];
		await home.evidence.receipts.verify({}, undefined, (progress) => void said.push(progress));
		expect(said).toEqual([6, 12].map((receipts) => ({ receipts, of: 12 })));
		said.length = 0;
		const runId = await home.run("three");
		await home.evidence.receipts.verify({ runId }, undefined, (progress) => void said.push(progress));
		expect(said.at(-1)).toEqual({ receipts: 6, of: 6 });
	});

	it("ends when nobody waits for it any more", async () => {
		await using home = await EvidenceHome.open(calls(1));
		await home.run("one");
		const gone = AbortSignal.abort();
		await expect(home.evidence.receipts.verify({}, () => gone)).rejects.toThrow(
			"The connection was closed before the verification was complete.",
		);
		expect(await home.verify()).toMatchObject({ ok: true, runs: 1 });
	});
});

it("the receipts and the activity of a run that does not exist are refused with the way to the ids of runs", async () => {
	await using home = await EvidenceHome.open(calls(1));
	const runId = RunId.parse("run-nowhere");
	const refusal = { code: "NOT_FOUND", message: "There is no run run-nowhere.", fix: expect.stringContaining("xworkmate -- tasks") };
	await expect(home.evidence.receipts.verify({ runId })).rejects.toMatchObject(refusal);
	await expect(home.evidence.receipts.activity({ runId })).rejects.toMatchObject(refusal);
});
