import type { Occurrence, TaskSummary } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { AppApi } from "../../../src/api/app-api.ts";
import { runAgainst } from "../../support/command-scene.ts";
import { action, occurrence, plan } from "../../support/plan-story.ts";

const run = { runId: "run-1", threadId: "thread-of-beaches", turnId: "beaches-1-1" } as Occurrence["runs"][number];
const running = occurrence({ status: "running", runs: [run], delivery: [action({ status: "pending", attempts: 0 })] });
const cancelled: Occurrence = {
	...{ ...running, status: "cancelled", code: "CANCELLED", revision: 4 },
	delivery: [action({ status: "failed", code: "CANCELLED", attempts: 0 })],
};
const said = /The run was asked to stop, but hasn’t ended yet\. See whether it has stopped: .* tasks --thread thread-of-beaches$/;

/** An app whose bridge has cancelled the plan's work; `status`: that of the work's run. */
function stopping(status: TaskSummary["status"] | "away", before = cancelled) {
	let now = before;
	const asked: unknown[] = [];
	const known = () => plan({ status: now.status === "running" ? "running" : "completed", occurrence: now });
	const end = () => {
		now = cancelled;
		return known();
	};
	const api: Partial<AppApi> = {
		plan: async () => known(),
		listPlans: async () => ({ items: [known()], feedSeq: 1 }),
		listApprovals: async () => [],
		planOccurrences: async () => ({ items: [now] }),
		cancelPlan: async () => end(),
		deletePlan: async () => ({ ...end(), status: "deleted" }),
		channels: async () => ({ channels: [] }),
		tasks: async (query) => {
			asked.push(query);
			if (status === "away") throw new Error("the bridge does not answer");
			return { items: [{ ...run, status } as never] };
		},
		watchPlan: async function* () {
			const update = { kind: "task:occurrence", occurrence: now };
			yield { type: "update", update: { seq: 4, at: now.dueAt, planId: now.planId, status: "completed", update } } as never;
		},
	};
	return { asked, lines: async (...args: readonly string[]) => (await runAgainst(api, ["plans", ...args])).lines };
}

it.each([["cancel", "beaches", "--yes"] as const, ["delete", "beaches", "--yes"] as const])(
	"`plans %s` says that the work was asked to stop and is still running",
	async (...args) => {
		expect((await stopping("running", running).lines(...args)).join("\n")).toMatch(new RegExp(said.source, "m"));
		for (const status of ["cancelled", "completed", "away"] as const)
			expect((await stopping(status, running).lines(...args)).join("\n")).not.toContain("still running");
	},
);

it("never says that the agent is working on a run that came due a moment ago and is still queued", async () => {
	const lines = (await stopping("queued", running).lines("delete", "beaches", "--yes")).join("\n");
	expect(lines).toMatch(new RegExp(said.source, "m"));
	expect(lines).not.toMatch(/agent|working/);
});

it("a plan that was cancelled is not only cancelled while its work is running", async () => {
	const scene = stopping("running");
	for (const args of [
		["show", "beaches"],
		["show", "beaches-1"],
	])
		expect((await scene.lines(...args)).join("\n")).toMatch(new RegExp(said.source, "m"));
	expect(scene.asked.at(-1)).toMatchObject({ threadId: "thread-of-beaches" });
	expect((await scene.lines("list"))[0]).toContain("Cancelled, work still running");
	expect((await stopping("cancelled").lines("show", "beaches")).join("\n")).not.toContain("still running");
});

it("the runs of the bridge are only asked for if one of the plan's may be active", async () => {
	const over = { ...cancelled, runs: [{ ...run, status: "cancelled" as const }] };
	for (const one of [over, occurrence()]) {
		const scene = stopping("running", one);
		await scene.lines("show", "beaches");
		await scene.lines("list");
		expect(scene.asked).toEqual([]);
	}
});

it("`plans watch` ends with it", async () => {
	expect((await stopping("running").lines("watch", "beaches-1")).join("\n")).toMatch(new RegExp(said.source, "m"));
});
