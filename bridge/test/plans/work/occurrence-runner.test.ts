import { ContractError, PlanId } from "@xworkmate/contracts";
import { describe, expect, it, vi } from "vitest";
import { decideDue } from "../../../src/plans/domain/decide-occurrence.ts";
import { PlanLog } from "../../../src/plans/plan-log.ts";
import { OccurrenceRunner, type RunnerParts } from "../../../src/plans/work/occurrence-runner.ts";
import { timestamp } from "../../../src/ports/clock.ts";
import type { RunService } from "../../../src/ports/runs/run-service.ts";
import { FakeRunService } from "../../http/fake-run-service.ts";
import { FakeClock } from "../../ports/fake-clock.ts";
import { found, making, second, write } from "../../store/contracts/plan-fixture.ts";
import { openSqliteUnderTest } from "../../store/sqlite-store-under-test.ts";

const planId = PlanId.parse("plan-1");

/** A runner over a real store with one plan that came due before it began. `broken.openPlans`: what the list of open plans fails with. */
async function openScene(terms: Parameters<typeof making>[2] = {}) {
	const file = await openSqliteUnderTest();
	const { plans } = file.ports;
	const clock = new FakeClock(Date.parse(second(0)));
	const errors: unknown[] = [];
	const onError = (error: unknown) => void errors.push(error);
	const epoch = await plans.beginEpoch(timestamp(clock.now()));
	await plans.append(making(planId, epoch, terms));
	await write(plans, planId, (state) => decideDue(state, { kind: "manual", dueAt: second(0) }), { epoch });
	const log = new PlanLog({ store: plans, clock, epoch, retryForMs: 50, retryEveryMs: 5, onFatal: onError, onError });
	const broken: { openPlans?: Error | undefined } = {};
	const runs = new FakeRunService();
	const absent = () => Promise.reject(new Error("the plan has no work"));
	const parts: RunnerParts = {
		store: {
			find: (id) => plans.find(id),
			findOccurrence: (id) => plans.findOccurrence(id),
			openPlans: (limit, after) => (broken.openPlans === undefined ? plans.openPlans(limit, after) : Promise.reject(broken.openPlans)),
		},
		...{ log, runs, clock, onError, channels: new Map(), results: { files: absent, answer: absent } },
		...{ receipts: absent, providers: absent, routing: absent, resolveRouting: absent },
	};
	const runner = new OccurrenceRunner(parts);
	return {
		...{ runner, clock, errors, broken, runs },
		newest: async () => (await found(plans, planId)).newest,
		status: async () => (await found(plans, planId)).newest?.status,
		[Symbol.asyncDispose]: async () => {
			await runner[Symbol.asyncDispose]();
			log[Symbol.dispose]();
			await file[Symbol.asyncDispose]();
		},
	};
}

describe("work that came due before the bridge began", () => {
	it("begins once the store can be read again, if it can't be read at the start", async () => {
		await using scene = await openScene();
		scene.broken.openPlans = new Error("the store is locked");
		await scene.runner.begin();
		expect(scene.errors).toEqual([scene.broken.openPlans]);
		expect(await scene.status()).toBe("due");
		scene.clock.advance(5_000);
		await vi.waitFor(() => expect(scene.errors).toHaveLength(2));
		scene.broken.openPlans = undefined;
		scene.clock.advance(5_000);
		await vi.waitFor(async () => expect(await scene.status()).not.toBe("due"));
		expect(scene.errors).toHaveLength(2);
	});

	it("looks for forgotten runs on every page of the runs", async () => {
		await using scene = await openScene();
		const asked: unknown[] = [];
		const list: RunService["list"] = async ({ status, cursor }) => {
			asked.push([status, cursor]);
			return { items: [], ...(cursor === undefined && { nextCursor: `more ${status}` }) };
		};
		Object.assign(scene.runs, { list });
		await scene.runner.begin();
		const expected = ["queued", "running"].flatMap((status) => [
			[status, undefined],
			[status, `more ${status}`],
		]);
		await vi.waitFor(() => expect(asked).toEqual(expected));
	});

	it("is not looked for again once the runner has ended", async () => {
		await using scene = await openScene();
		scene.broken.openPlans = new Error("the store is locked");
		await scene.runner.begin();
		await scene.runner[Symbol.asyncDispose]();
		expect(scene.clock.pending).toBe(0);
	});

	it("begins even if the runs of an earlier bridge can't be listed", async () => {
		await using scene = await openScene();
		const locked = new Error("the store is locked");
		scene.runs.failWith = locked;
		await scene.runner.begin();
		expect(scene.errors).toEqual([locked]);
		await vi.waitFor(async () => expect(await scene.status()).not.toBe("due"));
	});
});

describe("work that can't be accepted as a run yet", () => {
	it("says why and since when, once for each reason", async () => {
		await using scene = await openScene({ delivery: [{ channel: "dashboard" }] });
		const waits = async () => (await scene.newest())?.runs.at(-1)?.waits;
		let refusal = new ContractError("QUEUE_FULL");
		const resolve = vi.spyOn(scene.runs, "resolve").mockImplementation(() => Promise.reject(refusal));
		await scene.runner.begin();
		const full = { code: "QUEUE_FULL", message: "The queue is full.", since: second(0) };
		await vi.waitFor(async () => expect(await waits()).toEqual(full));
		// What was written is read once more.
		await vi.waitFor(() => expect(resolve).toHaveBeenCalledTimes(2));
		scene.clock.advance(5_000);
		await vi.waitFor(() => expect(resolve).toHaveBeenCalledTimes(3));
		await vi.waitFor(() => expect(scene.clock.pending).toBe(1));
		expect(await waits()).toEqual(full);
		refusal = new ContractError("GATEWAY_UNAVAILABLE", { detail: "OpenClaw does not respond." });
		scene.clock.advance(55_000);
		await vi.waitFor(async () => expect(await waits()).toMatchObject({ code: "GATEWAY_UNAVAILABLE", since: second(60) }));
	});
});
