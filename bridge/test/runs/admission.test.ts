import type { RunId, ThreadId } from "@xworkmate/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Admission } from "../../src/runs/admission.ts";

const limits = { maxActiveRuns: 2, maxQueuedPerThread: 3, maxQueued: 6 };

type Step = { readonly kind: "enqueue"; readonly thread: string } | { readonly kind: "end"; readonly index: number };

const step: fc.Arbitrary<Step> = fc.oneof(
	fc.record({ kind: fc.constant("enqueue" as const), thread: fc.constantFrom("a", "b", "c") }),
	fc.record({ kind: fc.constant("end" as const), index: fc.nat(5) }),
);

describe("admission", () => {
	it("runs one turn per thread at a time, in order, within its bounds", () => {
		fc.assert(
			fc.property(fc.array(step, { maxLength: 60, size: "max" }), (steps) => {
				const admission = new Admission(limits);
				const active = new Map<RunId, string>();
				const startedOf = new Map<string, number>();
				let count = 0;
				const start = () => {
					for (let runId = admission.next(); runId !== undefined; runId = admission.next()) {
						const [thread = "", number = ""] = runId.split("-");
						expect([...active.values()]).not.toContain(thread);
						expect(Number(number)).toBeGreaterThan(startedOf.get(thread) ?? -1);
						startedOf.set(thread, Number(number));
						active.set(runId, thread);
						expect(active.size).toBeLessThanOrEqual(limits.maxActiveRuns);
					}
				};
				for (const each of steps) {
					if (each.kind === "end") {
						const runId = [...active.keys()][each.index];
						if (runId === undefined) continue;
						active.delete(runId);
						admission.release(runId);
					} else if (accepts(admission, each.thread)) {
						admission.enqueue(`${each.thread}-${count++}` as RunId, each.thread as ThreadId);
					}
					start();
					expect(admission.queuedCount).toBeLessThanOrEqual(limits.maxQueued);
				}
			}),
		);
	});

	it("refuses with QUEUE_FULL past the bound of a thread", () => {
		const admission = new Admission(limits);
		for (let index = 0; index < 3; index++) admission.enqueue(`a-${index}` as RunId, "a" as ThreadId);
		expect(() => admission.check("a" as ThreadId)).toThrowError(expect.objectContaining({ code: "QUEUE_FULL" }));
		expect(() => admission.check("b" as ThreadId)).not.toThrow();
	});
});

function accepts(admission: Admission, thread: string): boolean {
	try {
		admission.check(thread as ThreadId);
		return true;
	} catch {
		return false;
	}
}
