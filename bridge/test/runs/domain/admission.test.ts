import type { ExecutionTarget, RunId, ThreadId } from "@xworkmate/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Admission } from "../../../src/runs/domain/admission.ts";

const limits = { maxActiveRuns: 2, maxQueuedPerThread: 3, maxQueued: 6, gateway: { maxActive: 1, maxQueued: 2 } };
const maxActive = { agent: limits.maxActiveRuns, gateway: limits.gateway.maxActive };
const maxQueued = { agent: limits.maxQueued, gateway: limits.gateway.maxQueued };

type Step =
	| { readonly kind: "enqueue"; readonly thread: string; readonly target: ExecutionTarget }
	| { readonly kind: "end"; readonly index: number };

const target = fc.constantFrom<ExecutionTarget>("agent", "gateway");
const step: fc.Arbitrary<Step> = fc.oneof(
	fc.record({ kind: fc.constant("enqueue" as const), thread: fc.constantFrom("a", "b", "c", "d"), target }),
	fc.record({ kind: fc.constant("end" as const), index: fc.nat(5) }),
);

describe("admission", () => {
	it("says of a queue that takes nothing that the settings allow nothing in it, not that 0 messages are queued", () => {
		const admission = new Admission({ ...limits, gateway: { maxActive: 1, maxQueued: 0 } });
		admission.reserve("a" as ThreadId, "gateway")[Symbol.dispose]();
		admission.enqueue("run-a" as RunId, "a" as ThreadId, "gateway");
		expect(admission.next()).toBe("run-a");
		const refused = expect.objectContaining({
			code: "QUEUE_FULL",
			detail: "The message can't start at once, and the settings allow no queued messages.",
		});
		expect(() => admission.reserve("b" as ThreadId, "gateway")).toThrow(refused);
	});

	it("runs one turn per thread at a time, in order, within the bounds of its target", () => {
		fc.assert(
			fc.property(fc.array(step, { maxLength: 80, size: "max" }), (steps) => {
				const admission = new Admission(limits);
				const active = new Map<RunId, { readonly thread: string; readonly target: ExecutionTarget }>();
				const startedOf = new Map<string, number>();
				let count = 0;
				const start = () => {
					for (let runId = admission.next(); runId !== undefined; runId = admission.next()) {
						const [thread = "", number = "", of = ""] = runId.split("-");
						const runTarget: ExecutionTarget = of === "gateway" ? "gateway" : "agent";
						expect([...active.values()].map((run) => run.thread)).not.toContain(thread);
						expect(Number(number)).toBeGreaterThan(startedOf.get(thread) ?? -1);
						startedOf.set(thread, Number(number));
						active.set(runId, { thread, target: runTarget });
						expect([...active.values()].filter((run) => run.target === runTarget).length).toBeLessThanOrEqual(maxActive[runTarget]);
					}
				};
				for (const each of steps) {
					if (each.kind === "end") {
						const runId = [...active.keys()][each.index];
						if (runId === undefined) continue;
						active.delete(runId);
						admission.release(runId);
					} else if (accepts(admission, each.thread, each.target)) {
						admission.enqueue(`${each.thread}-${count++}-${each.target}` as RunId, each.thread as ThreadId, each.target);
					}
					start();
					for (const of of ["agent", "gateway"] as const) {
						const waiting = [...admission.waiting()].filter(([runId]) => runId.endsWith(of));
						expect(waiting.length).toBeLessThanOrEqual(maxQueued[of]);
						expect(waiting.map(([, place]) => place)).toEqual(
							waiting.map((_waiting, index) => ({ position: index + 1, length: waiting.length })),
						);
						for (const [runId, place] of waiting) expect(admission.placeOf(runId)).toEqual(place);
					}
				}
			}),
		);
	});

	it("starts a new run at once exactly when the queue would start it", () => {
		fc.assert(
			fc.property(fc.array(step, { maxLength: 80, size: "max" }), (steps) => {
				const [queue, admission] = [new Admission(limits), new Admission(limits)];
				const active: RunId[] = [];
				for (const [index, each] of steps.entries()) {
					if (each.kind === "end") {
						const [runId] = active.splice(each.index, 1);
						if (runId === undefined) continue;
						for (const one of [queue, admission]) one.release(runId);
						const started = startAll(queue);
						expect(startAll(admission)).toEqual(started);
						active.push(...started);
					} else if (accepts(queue, each.thread, each.target)) {
						const run = [`run-${index}` as RunId, each.thread as ThreadId, each.target] as const;
						const isStarted = admission.startAtOnce(...run);
						if (!isStarted) admission.enqueue(...run);
						queue.enqueue(...run);
						const started = startAll(queue);
						expect(started).toEqual(isStarted ? [run[0]] : []);
						expect(startAll(admission)).toEqual([]);
						active.push(...started);
					}
				}
			}),
		);
	});

	it("never starts a run at once that would overtake an earlier one of its thread", () => {
		const admission = new Admission(limits);
		admission.enqueue("run-1" as RunId, "a" as ThreadId, "agent");
		expect(admission.startAtOnce("run-2" as RunId, "a" as ThreadId, "agent")).toBe(false);
		expect(admission.startAtOnce("run-3" as RunId, "b" as ThreadId, "agent")).toBe(true);
	});

	it("refuses with QUEUE_FULL past the bound of a thread", () => {
		const admission = new Admission(limits);
		for (let index = 0; index < 3; index++) admission.enqueue(`a-${index}` as RunId, "a" as ThreadId, "agent");
		expect(accepts(admission, "a", "agent")).toBe(false);
		expect(accepts(admission, "b", "agent")).toBe(true);
	});

	it("keeps places for runs that are being accepted, and gives them back", () => {
		const admission = new Admission(limits);
		admission.resume("r" as RunId, "r" as ThreadId, "gateway");
		const places = [0, 1].map((index) => admission.reserve(`t${index}` as ThreadId, "gateway"));
		expect(accepts(admission, "t2", "gateway")).toBe(false);
		places[0]?.[Symbol.dispose]();
		expect(accepts(admission, "t2", "gateway")).toBe(true);
	});

	it("takes a run that need not wait where nothing may wait", () => {
		const admission = new Admission({ ...limits, gateway: { maxActive: 1, maxQueued: 0 } });
		expect(accepts(admission, "a", "gateway")).toBe(true);
		admission.resume("r" as RunId, "r" as ThreadId, "gateway");
		expect(accepts(admission, "a", "gateway")).toBe(false);
	});

	it("starts an agent's run behind waiting gateway runs, and none before an earlier turn of its thread", () => {
		const admission = new Admission(limits);
		admission.resume("g0" as RunId, "g0" as ThreadId, "gateway");
		admission.enqueue("g1" as RunId, "a" as ThreadId, "gateway");
		admission.enqueue("a1" as RunId, "a" as ThreadId, "agent");
		admission.enqueue("b1" as RunId, "b" as ThreadId, "agent");
		expect(admission.next()).toBe("b1");
		expect(admission.next()).toBeUndefined();
		admission.release("g0" as RunId);
		expect(admission.next()).toBe("g1");
	});
});

function accepts(admission: Admission, thread: string, of: ExecutionTarget): boolean {
	try {
		admission.reserve(thread as ThreadId, of)[Symbol.dispose]();
		return true;
	} catch (error) {
		expect(error).toMatchObject({ code: "QUEUE_FULL" });
		return false;
	}
}

/** Starts every run that may start. */
function startAll(admission: Admission): readonly RunId[] {
	const started: RunId[] = [];
	for (let runId = admission.next(); runId !== undefined; runId = admission.next()) started.push(runId);
	return started;
}
