import type { Occurrence, Plan } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { occurrenceLines, planLine, readNow } from "../../../src/cli/plans/plan-lines.ts";
import { updateLine } from "../../../src/cli/plans/update-line.ts";
import { exitCodeOfOccurrence } from "../../../src/cli/words/exit-code.ts";
import { occurrenceStatusOf, planStatusOf } from "../../../src/strings/plans/plan-words.ts";
import { runAgainst } from "../../support/command-scene.ts";
import { action, occurrence, plan } from "../../support/plan-story.ts";

const reading = readNow();
const discarded = action({ status: "failed", code: "DISCARDED" });
const failedBy = (...delivery: Occurrence["delivery"]) =>
	occurrence({
		status: "failed",
		code: delivery.some(({ status }) => status === "completed") ? "DELIVERY_PARTIAL" : "DELIVERY_FAILED",
		delivery,
	});

describe("a plan whose messages the user discarded", () => {
	it("is called discarded, not failed, and nothing is said to have gone wrong", () => {
		const one = failedBy(discarded, { ...discarded, actionId: "beaches-1-2" as never });
		expect([planStatusOf(plan({ status: "failed", occurrence: one })), occurrenceStatusOf(one)]).toEqual(["discarded", "discarded"]);
		const update = { kind: "task:occurrence", occurrence: one } as const;
		const lines = [
			planLine(plan({ status: "failed", occurrence: one }), reading),
			...occurrenceLines(one, reading),
			updateLine({ planId: one.planId, seq: 3, at: one.dueAt, update } as never, reading),
		].join("\n");
		expect(lines).not.toMatch(/failed|Not sent|None of the messages/i);
		expect(lines.match(/Discarded/g)?.length).toBeGreaterThanOrEqual(4);
	});

	it.each([
		["failed for another reason", "failed", action({ status: "failed", code: "RECIPIENT_REFUSED" })],
		["was sent", "completed", action()],
		["arrived after all", "completed", action({ status: "failed", code: "DISCARDED", proof: "delivered" })],
	])("is not called discarded if a message %s, but %s", (_how, status, other) => {
		const one = failedBy(discarded, { ...other, actionId: "beaches-1-2" as never });
		expect([planStatusOf(plan({ status: "failed", occurrence: one })), occurrenceStatusOf(one)]).toEqual([status, status]);
		// Not everything was sent, and a script should know.
		expect(exitCodeOfOccurrence(one)).toBe(3);
	});

	it("is failed if a message was sent and another was not, for a reason other than the user's", () => {
		const lost = action({ actionId: "beaches-1-2" as never, status: "failed", code: "RECIPIENT_REFUSED" });
		expect(occurrenceStatusOf(failedBy(action(), lost, { ...discarded, actionId: "beaches-1-3" as never }))).toBe("failed");
	});
});

it("is a success if the agent declined to write a message that the plan does not need, and the help says so", async () => {
	const declined = occurrence({
		status: "skipped",
		code: "NOTHING_TO_SAY",
		delivery: [action({ status: "failed", code: "NOTHING_TO_SAY" })],
	});
	expect(exitCodeOfOccurrence(declined)).toBe(0);
	const { said } = await runAgainst({}, ["plans", "watch", "--help"]);
	expect(said.replaceAll(/\s+/g, " ")).toContain("0 sent, nothing to send, or the agent declined and the plan sends nothing in that case;");
});

it("`plans delete` says that a plan was deleted already", async () => {
	const asked: string[] = [];
	const known = (status: Plan["status"]) => ({
		plan: async () => plan({ status }),
		planOccurrences: async () => ({ items: [] }),
		deletePlan: async () => {
			asked.push(status);
			return plan({ status: "deleted" });
		},
	});
	const again = await runAgainst(known("deleted"), ["plans", "delete", "beaches", "--yes"]);
	expect(again).toMatchObject({ code: 0 });
	expect(again.lines.join("\n")).toContain("It was already deleted.");
	expect(again.lines.join("\n")).not.toContain("will not be sent");
	const first = await runAgainst(known("completed"), ["plans", "delete", "beaches", "--yes"]);
	expect(first.lines.join("\n")).not.toContain("already");
	expect(asked).toContain("completed");
});
