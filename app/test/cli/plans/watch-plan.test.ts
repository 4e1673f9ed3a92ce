import { ContractError, type Occurrence, type Plan, type PlanUpdate } from "@xworkmate/contracts";
import { afterEach, expect, it, vi } from "vitest";
import type { AppApi } from "../../../src/api/app-api.ts";
import { AppStoppedError } from "../../../src/api/remote-app.ts";
import { updateLine } from "../../../src/cli/plans/update-line.ts";
import { runAgainst } from "../../support/command-scene.ts";
import { action, occurrence, plan } from "../../support/plan-story.ts";

afterEach(() => void vi.useRealTimers());

const run = { runId: "run-1", threadId: "thread-of-beaches", turnId: "beaches-1-1" } as Occurrence["runs"][number];
const working = occurrence({ status: "running", runs: [run], delivery: [action({ status: "pending", attempts: 0 })], revision: 2 });

const line = (seq: number, status: Plan["status"], update: PlanUpdate["update"]) => {
	const about = { planId: working.planId, seq, feedSeq: seq, at: working.dueAt } as const;
	return { type: "update", update: { ...about, status, update } } as const;
};
const began = (seq: number, status: Plan["status"], now: Occurrence) => line(seq, status, { kind: "task:occurrence", occurrence: now });

/** An app with one plan, whose log is read with `watch`. `open`: the plan's due times that have not ended, once the log has been read. */
function app(watch: AppApi["watchPlan"], { now, open }: { readonly now: () => Plan; readonly open: () => readonly Occurrence[] }) {
	const api: Partial<AppApi> = {
		plan: async ({ planId }) => {
			if (planId === working.planId) return now();
			throw new ContractError("NOT_FOUND");
		},
		planOccurrences: async () => ({ items: [...open()] }),
		listApprovals: async () => [],
		tasks: async () => ({ items: [] }),
		watchPlan: watch,
	};
	return api;
}

it.each(["paused", "deleted"] as const)("a plan that is %s while it works is followed until its work has ended", async (status) => {
	const over = occurrence({ status: "failed", code: "WORK_FAILED", delivery: [], runs: [{ ...run, status: "failed" }], revision: 3 });
	let newest = working;
	async function* watch() {
		yield began(1, "running", working);
		yield line(2, status, { kind: "task:changed", plan: plan({ status, occurrence: working }) });
		newest = over;
		yield began(3, status, over);
		throw new Error("it was followed beyond its end");
	}
	const known = {
		now: () => plan({ status, occurrence: newest, lastSeq: newest === over ? 3 : 2 }),
		open: () => [working].filter((one) => one === newest),
	};
	expect(await runAgainst(app(watch, known), ["plans", "watch", "beaches"])).toMatchObject({ error: undefined, code: 3 });
});

it.each([
	["needs_review", 9, "Review one: npm run -s xworkmate -- plans review ID"],
	["unknown", 10, "Record whether a message arrived: npm run -s xworkmate -- plans settle ID --sent (or --not-sent instead of --sent)"],
] as const)("an earlier due time with a message that is %s isn't passed over for a later one that was sent", async (status, code, next) => {
	const held = occurrence({ status: "needs_review", delivery: [action({ status, code: "LINT_LINK_TEXT" })] });
	const sent = occurrence({ occurrenceId: "beaches-2" as never, delivery: [action({ actionId: "beaches-2-1" as never })] });
	async function* watch() {
		yield began(1, "running", held);
		yield began(2, "needs_review", sent);
		throw new Error("it was followed beyond its end");
	}
	const known = { now: () => plan({ status: "needs_review", needsReview: 1, occurrence: sent, lastSeq: 2 }), open: () => [sent, held] };
	const ended = await runAgainst(app(watch, known), ["plans", "watch", "beaches"]);
	expect(ended).toMatchObject({ error: undefined, code });
	expect(ended.lines.slice(-3)).toEqual([
		"Still waiting for you from other due times:",
		expect.stringMatching(/^ {2}beaches-1-1 {2}due /),
		next,
	]);
});

it("says whenever the agent begins to wait for an answer while a plan is followed, and only of the due time that is followed", async () => {
	vi.useFakeTimers();
	for (const [id, said] of [
		["beaches", 2],
		["beaches-1", 2],
		["beaches-2", 0],
	] as const) {
		let asked = 0;
		const goOn = Promise.withResolvers<void>();
		const next = occurrence({ occurrenceId: "beaches-2" as never, delivery: [] });
		async function* watch() {
			yield began(1, "running", working);
			await goOn.promise;
			yield began(2, "completed", occurrence({ delivery: [], revision: 4 }));
			yield began(3, "completed", next);
		}
		const known = { now: () => plan({ occurrence: next, lastSeq: 3 }), open: () => [occurrence({ delivery: [], revision: 4 }), next] };
		const api: Partial<AppApi> = {
			...app(watch, known),
			listApprovals: async () => {
				asked += 1;
				// It was answered in the meantime, and asks again.
				return asked === 2 ? [] : [{ runId: run.runId } as never];
			},
		};
		const ended = runAgainst(api, ["plans", "watch", id]);
		await vi.advanceTimersByTimeAsync(20_000);
		goOn.resolve();
		const { notes, error } = await ended;
		expect(error).toBeUndefined();
		expect(notes).toEqual(
			Array(said).fill("· The agent is waiting for your answer. See the request: npm run -s xworkmate -- approvals list"),
		);
		expect(asked > 0).toBe(said > 0);
	}
});

it.each([
	[true, " Plans don't run while it is stopped."],
	[false, ""],
])("says that plans don't run only if XWorkmate ended its bridge with it: %s", async (endedBridge, ofPlans) => {
	async function* watch() {
		yield began(1, "running", working);
		throw new AppStoppedError(endedBridge);
	}
	const known = { now: () => plan({ status: "running", occurrence: working }), open: () => [working] };
	const { code, notes } = await runAgainst(app(watch, known), ["plans", "watch", "beaches"]);
	expect([code, notes[0]]).toEqual([6, `XWorkmate was stopped, so this command no longer follows the plan.${ofPlans}`]);
});

it("names the status that a changed plan has, not what is set on it: a plan that is over is not scheduled", () => {
	const { update } = line(3, "completed", { kind: "task:changed", plan: plan({ title: "Renamed", status: "pending" }) });
	expect(updateLine(update, { now: 0, zone: "UTC" } as never)).toMatch(/ {2}Changed: Completed$/);
});
