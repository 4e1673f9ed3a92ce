import { ContractError, type PlanId, RunId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { decideBegin, decideRunKnown } from "../../src/plans/domain/decide-occurrence.ts";
import type { RunService } from "../../src/ports/runs/run-service.ts";
import { openPlanScene } from "./plan-scene.ts";

const NOON = "2027-03-01T12:00:00.000Z";
const runId = RunId.parse("run-1");
type Snapshot = Awaited<ReturnType<RunService["cancel"]>>;

/** A plan whose work is running. */
async function openWorking(cancel: RunService["cancel"]) {
	const scene = await openPlanScene(NOON, cancel);
	const { planId } = await scene.create({ type: "immediate", instructions: "Read the log", delivery: [{ channel: "dashboard" }] });
	const change = (decide: Parameters<typeof scene.log.change>[1]) => scene.log.change(planId, decide);
	await change(({ open: [one], plan }) => (one === undefined ? [] : decideBegin(one, plan, plan.threadId)));
	await change(({ open: [one] }) => {
		const turnId = one?.occurrence.runs.at(-1)?.turnId;
		return one === undefined || turnId === undefined ? [] : decideRunKnown(one, turnId, runId);
	});
	return { scene, planId };
}

const methods = ["cancel", "delete"] as const;
const ended = async (scene: Awaited<ReturnType<typeof openPlanScene>>, planId: PlanId) => (await scene.occurrences(planId)).at(-1)?.status;

it.each(methods)("the work's run has been asked to stop when plans.%s answers", async (method) => {
	const asked = Promise.withResolvers<RunId>();
	const recorded = Promise.withResolvers<Snapshot>();
	const { scene, planId } = await openWorking((id) => {
		asked.resolve(id);
		return recorded.promise;
	});
	await using _scene = scene;
	let isAnswered = false;
	const answer = scene.service[method]({ planId }).then(() => (isAnswered = true));
	expect(await asked.promise).toBe(runId);
	await new Promise(setImmediate);
	expect([isAnswered, await ended(scene, planId)]).toEqual([false, "cancelled"]);
	recorded.resolve({} as Snapshot);
	expect(await answer).toBe(true);
});

it.each(methods)("plans.%s ends what is pending even if its run can't be asked to stop", async (method) => {
	const refusals = [new ContractError("NOT_FOUND"), new Error("the log is closed")];
	for (const refusal of refusals) {
		const { scene, planId } = await openWorking(() => Promise.reject(refusal));
		await using _scene = scene;
		await scene.service[method]({ planId });
		expect(await ended(scene, planId)).toBe("cancelled");
		expect(scene.errors).toEqual(refusal instanceof ContractError ? [] : [refusal]);
	}
});
