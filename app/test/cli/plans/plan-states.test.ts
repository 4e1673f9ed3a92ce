import { type Approval, type Occurrence, OccurrenceId, type Plan, type TaskSummary } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { AppApi } from "../../../src/api/app-api.ts";
import { runAgainst } from "../../support/command-scene.ts";
import { action, occurrence, plan } from "../../support/plan-story.ts";

const run = (n: number) => ({ runId: `run-${n}`, threadId: "thread-of-beaches", turnId: `beaches-${n}-1` }) as Occurrence["runs"][number];
const dropped = [action({ status: "failed", code: "CANCELLED", attempts: 0 })];
const work: Occurrence["work"] = [{ description: "case planhang", status: "pending" }];
const at = (n: number) => ({ occurrenceId: OccurrenceId.parse(`beaches-${n}`), dueAt: `2026-01-02T03:0${n}:00.000Z`, work });
const working = occurrence({ ...at(1), status: "running", runs: [run(1)], delivery: [action({ status: "pending", attempts: 0 })] });
const skipped = occurrence({ ...at(2), status: "skipped", code: "OVERLAP", delivery: dropped });
const cut = (n: number) => occurrence({ ...at(n), status: "cancelled", code: "CANCELLED", runs: [run(n)], delivery: dropped });

interface Scene {
	readonly items: readonly Occurrence[];
	readonly status: Plan["status"];
	/** The run that asks for approval. */
	readonly asks?: string;
	readonly tasks?: readonly object[];
}

/** The lines of a command about such a plan. */
async function lines({ items, status, asks, tasks = [] }: Scene, ...args: readonly string[]): Promise<string> {
	const [newest] = items;
	const one = plan({ status, needsReview: 0, ...(newest && { occurrence: newest }) });
	const api: Partial<AppApi> = {
		plan: async () => one,
		pausePlan: async () => one,
		listPlans: async () => ({ items: [one], feedSeq: 1 }),
		listApprovals: async () => (asks === undefined ? [] : [{ runId: asks } as Approval]),
		planOccurrences: async () => ({ items: [...items] }),
		channels: async () => ({ channels: [] }),
		tasks: async () => ({ items: tasks as TaskSummary[] }),
	};
	return (await runAgainst(api, ["plans", ...args])).lines.join("\n");
}

const waits = "The agent is waiting for your answer. See the request: ";
const stops = "The run was asked to stop, but hasn’t ended yet. See whether it has stopped: ";

it("`plans show` says of a plan whose work waits for an approval that it needs the user, and where the request is", async () => {
	const scene: Scene = { items: [working], status: "running", asks: "run-1" };
	const said = await lines(scene, "show", "beaches");
	expect(said).toMatch(/^Beaches in Bali {2}Needs you$/m);
	expect(said).toMatch(new RegExp(`^ +${waits}.* approvals list$`, "m"));
	expect(said).toContain("Needs you: case planhang");
	expect(said).not.toContain("Running");
	expect(await lines(scene, "pause", "beaches")).toMatch(/^Beaches in Bali {2}Needs you$/m);
});

it("a plan needs the user although a later due time was skipped, and `plans show` lists the earlier one", async () => {
	const scene: Scene = { items: [skipped, working], status: "running", asks: "run-1", tasks: [{ ...run(1), status: "running" }] };
	expect(await lines(scene, "list")).toContain("beaches  Needs you  ");
	const said = await lines(scene, "show", "beaches");
	expect(said).toMatch(/^Beaches in Bali {2}Needs you$/m);
	expect(said).toMatch(new RegExp(`Other due times in progress:\n +beaches-1 {2}due .*Needs you\n +${waits}`));
	expect(said).toContain("Skipped: case planhang");
	const unasked = await lines(
		{ items: [skipped, working], status: "running", tasks: [{ ...run(1), status: "running" }] },
		"show",
		"beaches",
	);
	expect(unasked).toMatch(/^Beaches in Bali {2}Running$/m);
	expect(unasked).toMatch(/ +beaches-1 {2}due .*Running$/m);
});

it("`plans show` of a deleted plan lists the earlier due time whose message is still being sent", async () => {
	const sending: Occurrence = { ...working, status: "delivering" };
	const said = await lines({ items: [cut(2), sending], status: "deleted" }, "show", "beaches");
	expect(said).toMatch(/Other due times in progress:\n +beaches-1 {2}due /);
});

it("a request of another run in the plan's thread doesn't concern the plan", async () => {
	const scene: Scene = { items: [working], status: "running", asks: "run-9", tasks: [{ ...run(9), turnId: "by-hand", status: "running" }] };
	expect(await lines(scene, "list")).toContain("beaches  Running  ");
});

it("a paused plan that needs the user is listed as both", async () => {
	expect(await lines({ items: [working], status: "paused", asks: "run-1" }, "list")).toContain("beaches  Paused, Needs you  ");
});

it.each([
	["cancelled", cut(2)],
	["skipped", skipped],
])("`plans show` names earlier work that was asked to stop and is still running, though the newest time was %s", async (_how, newest) => {
	const scene: Scene = {
		...{ items: [newest, cut(1)], status: "pending" },
		tasks: [{ ...run(1), status: "running", cancelRequestedAt: newest.dueAt }],
	};
	const said = await lines(scene, "show", "beaches");
	expect(said).toMatch(/^Beaches in Bali {2}Scheduled, work still running$/m);
	expect(said).toMatch(new RegExp(`beaches-1 {2}due .*Cancelled\n +${stops}`));
	expect(await lines(scene, "list")).toContain("Scheduled, work still running");
	const over = { ...scene, tasks: [{ ...run(1), status: "cancelled", cancelRequestedAt: newest.dueAt }] };
	expect(await lines(over, "show", "beaches")).not.toContain("still running");
});

it("`plans show` leaves out work that is still running if its due time is not found, and shows the rest", async () => {
	const gone = { ...run(7), status: "running", cancelRequestedAt: cut(2).dueAt };
	const earlier = { ...run(1), status: "running", cancelRequestedAt: cut(2).dueAt };
	const said = await lines({ items: [cut(2), cut(1)], status: "pending", tasks: [gone, earlier] }, "show", "beaches");
	expect(said).toMatch(/^Beaches in Bali {2}Scheduled, work still running$/m);
	expect(said).toMatch(new RegExp(`beaches-1 {2}due .*Cancelled\n +${stops}`));
	expect(said).not.toContain("beaches-7");
});
