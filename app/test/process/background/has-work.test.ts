import type { Plan } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { type AskedForWork, hasActiveRun, hasWork } from "../../../src/process/background/has-work.ts";
import { occurrence, plan } from "../../support/plan-story.ts";
import { freshThread } from "../../support/thread-story.ts";

const soon = "2026-01-03T00:00:00.000Z";

/** An app with nothing to do but this. */
function appWith(more: Partial<AskedForWork>): AskedForWork {
	return {
		listThreads: async () => [],
		tasks: async () => ({ items: [] }),
		operators: async () => ({ operators: [] }),
		agents: async () => ({ agents: [] }),
		listPlans: async () => ({ items: [] }),
		...more,
	};
}

const plans = (...items: readonly Plan[]) => appWith({ listPlans: async () => ({ items }) });

describe("an app has work", () => {
	it.each([
		["a running thread", appWith({ listThreads: async () => [{ ...freshThread(), lifecycleStatus: "running" }] })],
		["a queued message", appWith({ listThreads: async () => [{ ...freshThread(), lifecycleStatus: "queued" }] })],
		["a run that a program started", appWith({ tasks: async () => ({ items: [{ status: "running" }] }) })],
		["a plan with an upcoming time", plans(plan({ type: "scheduled", status: "pending", nextDueAt: soon }))],
		["a plan whose work runs", plans(plan({ status: "running", occurrence: occurrence({ status: "running" }) }))],
		["a message of a paused plan that is under way", plans(plan({ status: "paused", occurrence: occurrence({ status: "delivering" }) }))],
		["Discord", appWith({ operators: async () => ({ operators: [{ state: "connected" }] }) })],
		["Discord that is looked for", appWith({ operators: async () => ({ operators: [{ state: "lost" }] }) })],
		["an installation", appWith({ agents: async () => ({ agents: [{ job: { state: "running" } }] }) })],
		["a bridge that does not say", appWith({ tasks: () => Promise.reject(new Error("no answer")) })],
		["threads that cannot be read", appWith({ listThreads: () => Promise.reject(new Error("disk I/O error")) })],
	])("%s", async (_what, api) => {
		expect(await hasWork(api, true)).toBe(true);
	});
});

describe("an app has no work", () => {
	it.each([
		["nothing", appWith({})],
		[
			"threads that have ended",
			appWith({ listThreads: async () => [freshThread()], tasks: async () => ({ items: [{ status: "completed" }] }) }),
		],
		["a plan that is paused", plans(plan({ type: "recurring", status: "paused", nextDueAt: soon }))],
		["a plan that was deleted", plans(plan({ status: "deleted", nextDueAt: soon }))],
		["a message that waits for the user", plans(plan({ status: "needs_review", occurrence: occurrence({ status: "needs_review" }) }))],
		["Discord that is not set up", appWith({ operators: async () => ({ operators: [{ state: "off" }, { state: "refused" }] }) })],
		["an installation that failed", appWith({ agents: async () => ({ agents: [{ job: { state: "failed" } }, {}] }) })],
	])("%s", async (_what, api) => {
		expect(await hasWork(api, true)).toBe(false);
	});
});

it("counts only an active run as one that a bridge is left for, and what can't be read as one", async () => {
	const threads = (lifecycleStatus: "running" | "queued") => appWith({ listThreads: async () => [{ ...freshThread(), lifecycleStatus }] });
	expect(await hasActiveRun(threads("running"))).toBe(true);
	expect(await hasActiveRun(threads("queued"))).toBe(false);
	expect(await hasActiveRun(appWith({ listThreads: () => Promise.reject(new Error("disk I/O error")) }))).toBe(true);
});

it("reads every page of plans", async () => {
	const pages = [{ items: [], nextCursor: "2" }, { items: [plan({ type: "scheduled", status: "pending", nextDueAt: soon })] }];
	const asked: unknown[] = [];
	const api = appWith({
		listPlans: async ({ cursor }) => {
			asked.push(cursor);
			return pages[asked.length - 1] ?? { items: [] };
		},
	});
	expect(await hasWork(api, true)).toBe(true);
	expect(asked).toEqual([undefined, "2"]);
});

it("a bridge elsewhere goes on without the app, so only the app's own threads count", async () => {
	expect(
		await hasWork(
			appWith({ listPlans: () => Promise.reject(new Error("away")), operators: async () => ({ operators: [{ state: "connected" }] }) }),
			false,
		),
	).toBe(false);
	expect(await hasWork(appWith({ listThreads: async () => [{ ...freshThread(), lifecycleStatus: "running" }] }), false)).toBe(true);
	expect(await hasWork(appWith({ listThreads: () => Promise.reject(new Error("disk I/O error")) }), false)).toBe(true);
});
