import { ContractError, type Occurrence, type Plan } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import type { AppApi } from "../../../src/api/app-api.ts";
import { runAgainst } from "../../support/command-scene.ts";
import { action, occurrence, plan } from "../../support/plan-story.ts";

/** The n-th time that the plan was due, with one message in this state. */
function due(n: number, status: "needs_review" | "pending" | "completed" | "sending"): Occurrence {
	const more = {
		needs_review: { code: "LINT_LINK_TEXT" },
		pending: {},
		completed: {},
		sending: { stage: "handing_over" },
	} as const;
	const states = { needs_review: "needs_review", pending: "delivering", completed: "completed", sending: "delivering" } as const;
	const occurrenceId = `beaches-${n}` as Occurrence["occurrenceId"];
	const message = action({ ...{ actionId: `beaches-${n}-1` as never, status }, ...more[status] });
	return occurrence({ occurrenceId, status: states[status], delivery: [message] });
}

function cancelled(one: Occurrence): Occurrence {
	return {
		...one,
		status: "cancelled",
		code: "CANCELLED",
		delivery: one.delivery.map((message) => ({ ...message, status: "failed", code: "CANCELLED" })),
	};
}

/** A bridge that has these occurrences, newest first, in pages of ten; and `after` once it has cancelled. */
function bridge(before: readonly Occurrence[], after = before, more: Partial<Plan> = {}) {
	let all = before;
	const asked: unknown[] = [];
	const known = plan({ status: "needs_review", needsReview: all.length, ...(all[0] && { occurrence: all[0] }), ...more });
	const api: Partial<AppApi> = {
		plan: async ({ planId }) => {
			if (planId === known.planId) return known;
			throw new ContractError("NOT_FOUND");
		},
		planOccurrences: async ({ cursor }) => {
			const from = Number(cursor ?? 0);
			return { items: all.slice(from, from + 10), ...(from + 10 < all.length && { nextCursor: String(from + 10) }) };
		},
		cancelPlan: async (params) => {
			asked.push(params);
			all = after;
			return plan({ status: "completed", needsReview: 0 });
		},
		deletePlan: async () => plan({ status: "deleted", needsReview: 0 }),
		resumePlan: async () => plan({ status: "pending", nextDueAt: "2099-01-01T09:00:00.000Z" }),
	};
	const run = (args: readonly string[], answer?: "y" | "n") => runAgainst(api, ["plans", ...args], answer === undefined ? {} : { answer });
	return { asked, run };
}

const waiting = Array.from({ length: 15 }, (_, at) => due(15 - at, "needs_review"));

describe("`plans cancel`", () => {
	it("says what it drops, each message by its id, and asks; a no changes nothing", async () => {
		const { run, asked } = bridge([due(3, "needs_review"), due(2, "pending"), due(1, "completed")]);
		const refused = await run(["cancel", "beaches"], "n");
		const said = refused.lines.join("\n");
		expect(said).toContain("Cancel the pending work of “Beaches in Bali”?");
		expect(said).toContain("1 message that needs your review won’t be sent.");
		expect(said).toContain("1 unsent message will be cancelled.");
		expect(said).toMatch(/beaches-3-1 .*Needs review.*A link hides where it goes/);
		expect(said).toContain("beaches-2-1");
		expect(said).not.toContain("beaches-1-1");
		expect([refused.lines.at(-1), refused.notes, refused.code, asked]).toEqual(["Nothing was cancelled.", ["Continue?"], 5, []]);
		expect(await run(["cancel", "beaches"], "y")).toMatchObject({ code: 0 });
		expect(asked).toEqual([{ planId: "beaches" }]);
	});

	it("is refused where it can't ask, and asks nothing with --yes or if nothing is pending", async () => {
		const held = bridge([due(1, "needs_review")]);
		expect(await held.run(["cancel", "beaches"])).toMatchObject({
			error: {
				message: expect.stringMatching(/confirm it without a terminal\. Nothing was cancelled\.$/),
				fix: expect.stringMatching(/plans cancel beaches --yes$/),
			},
		});
		expect(held.asked).toEqual([]);
		expect(await held.run(["cancel", "beaches", "--yes"])).toMatchObject({ code: 0 });
		const over = bridge([due(2, "completed"), due(1, "sending")]);
		expect(await over.run(["cancel", "beaches"])).toMatchObject({ code: 0 });
		expect([held.asked.length, over.asked.length]).toEqual([1, 1]);
	});

	it("says what it has cancelled", async () => {
		const said = async (before: readonly Occurrence[], after: readonly Occurrence[]) =>
			(await bridge(before, after).run(["cancel", "beaches", "--yes"])).lines.slice(1);
		const [held, waits] = [due(2, "needs_review"), due(1, "pending")];
		expect(await said([held, waits], [cancelled(held), cancelled(waits)])).toEqual(["  Cancelled 2 messages."]);
		const working = occurrence({ status: "running", delivery: [] });
		expect(await said([working], [{ ...working, status: "cancelled" }])).toEqual(["  Cancelled the work for 1 due time."]);
		// It was handed over after the question.
		expect(await said([held, waits], [cancelled(held), due(1, "sending")])).toEqual([
			"  Cancelled 1 message.",
			"  A message that was already handed over may still arrive.",
		]);
	});

	it("says that nothing was cancelled, and what is left for the user, if nothing could be", async () => {
		const said = async (all: readonly Occurrence[]) => {
			const { lines, code } = await bridge(all).run(["cancel", "beaches"]);
			expect(code).toBe(0);
			return lines.slice(1);
		};
		const nothing = "  Nothing was cancelled, because no work or message was pending.";
		expect(await said([due(1, "completed")])).toEqual([nothing]);
		expect(await said([due(1, "sending")])).toEqual([nothing, "  A message that was already handed over may still arrive."]);
		const lost = occurrence({ status: "needs_review", delivery: [action({ status: "unknown", code: "NO_ANSWER" })] });
		expect(await said([lost])).toEqual([
			nothing,
			expect.stringMatching(
				/^ {2}XWorkmate doesn't know whether a message arrived\. If you know, record it: .*plans settle beaches-1 --sent or --not-sent$/,
			),
		]);
	});

	it("names the first twelve, and says how many more there are", async () => {
		const { run } = bridge(waiting);
		const { lines } = await run(["cancel", "beaches"], "n");
		expect(lines.filter((line) => line.startsWith("  beaches-"))).toHaveLength(12);
		expect(lines).toContain("  and 3 more");
		expect(lines).toContain("15 messages that need your review won’t be sent.");
	});
});

describe("`plans show`", () => {
	it("lists every message that waits for the user, not only that of the newest time", async () => {
		const { run } = bridge([due(3, "needs_review"), due(2, "needs_review"), due(1, "completed")]);
		const said = (await run(["show", "beaches"])).lines.join("\n");
		expect(said).toMatch(/Still waiting for you from other due times:\n.*beaches-2-1 .*Needs review/);
		expect(said).not.toContain("beaches-1-1");
		expect(said).not.toMatch(/these need you[\s\S]*beaches-3-1/);
	});

	it("bounds the list, and names no earlier time if none waits", async () => {
		expect((await bridge(waiting).run(["show", "beaches"])).lines).toContain("    and 2 more");
		const said = (await bridge([due(2, "needs_review"), due(1, "completed")]).run(["show", "beaches"])).lines.join("\n");
		expect(said).not.toContain("earlier times");
	});
});

it("`plans delete` says which messages are being handed over and may still arrive", async () => {
	const said = async (all: readonly Occurrence[]) => (await bridge(all).run(["delete", "beaches", "--yes"])).lines.join("\n");
	expect(await said([due(2, "sending"), due(1, "pending")])).toContain("1 message is being sent and may still arrive.");
	expect(await said([due(1, "sending")])).toContain("To find the plan while the outcome of a message is unknown: ");
	const unknown = { ...due(1, "needs_review"), delivery: [action({ status: "unknown", code: "NO_ANSWER" })] };
	expect(await said([unknown])).toContain("plans --needs-review");
	expect(await said([due(1, "pending")])).not.toMatch(/may still arrive|--needs-review/);
});

it("`plans resume` says when the plan is due next, and that it was not paused if it was not", async () => {
	const said = async (status: Plan["status"]) =>
		(await bridge([due(1, "completed")], undefined, { status }).run(["resume", "beaches"])).lines.join("\n");
	expect(await said("paused")).toMatch(/^ {2}Resumed\. Next: .*2099/m);
	expect(await said("pending")).toMatch(/^ {2}The plan was not paused, so nothing has changed\. Next: .*2099/m);
});
