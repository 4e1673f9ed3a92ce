import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type BridgeProcess, startBridge } from "../support/bridge/bridge-process.ts";
import { PlanDesk } from "../support/plans/plan-desk.ts";

let bridge: BridgeProcess;
let desk: PlanDesk;

beforeAll(async () => {
	bridge = await startBridge();
	desk = new PlanDesk(bridge.client());
});
afterAll(() => bridge[Symbol.asyncDispose]());

const ofPlan = async (planId: string) => (await desk.inbox()).filter((row) => row.planId === planId);

it("[T2-16][T2-57] sends given content as it is, once, and asks nobody", async () => {
	const content = "Don't forget to call mom";
	const plan = await desk.create({ title: "Reminder", delivery: [{ channel: "dashboard", content }] });
	expect(await desk.settled(plan.planId)).toMatchObject({
		status: "completed",
		runs: [],
		delivery: [{ status: "completed", attempts: 1 }],
	});
	expect(await ofPlan(plan.planId)).toMatchObject([{ title: "Reminder", text: content }]);
	expect(await desk.runs(plan.threadId)).toEqual([]);
	const bytes = await bridge.client().http({ path: `/actions/${plan.planId}-1-1/payload` });
	expect(bytes.status).toBe(200);
	expect(bytes.body.toString("utf8")).toContain(content);
});

it("[T2-01][T2-54] runs the work and delivers what its program returns, and nothing that it prints", async () => {
	const program = "console.log('thinking about beaches'); return 'Sanur and Nusa Dua'";
	const plan = await desk.script(program, { work: [{ description: "Research best beaches in Bali for families" }] });
	const occurrence = await desk.settled(plan.planId);
	expect(occurrence).toMatchObject({
		status: "completed",
		gate: { valid: true },
		deliverable: { text: "Sanur and Nusa Dua", source: "model", sha256: sha256("Sanur and Nusa Dua") },
		work: [{ status: "completed" }],
		delivery: [{ status: "completed" }],
	});
	expect(await ofPlan(plan.planId)).toMatchObject([{ text: "Sanur and Nusa Dua" }]);
	const [run, ...others] = await desk.runs(plan.threadId);
	expect(others).toEqual([]);
	expect(run).toMatchObject({ turnId: `${plan.planId}-1-1`, status: "completed" });
	const deliverable = await bridge.client().http({ path: `/occurrences/${occurrence.occurrenceId}/deliverable` });
	expect(deliverable.body.toString("utf8")).toBe("Sanur and Nusa Dua");
});

function sha256(text: string): string {
	return createHash("sha256").update(text).digest("hex");
}
