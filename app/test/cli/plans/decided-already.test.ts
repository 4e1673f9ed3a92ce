import type { DeliveryAction } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { bridge, held, payloadHash } from "../../support/plan-bridge.ts";
import { action, occurrence } from "../../support/plan-story.ts";

describe("`plans review` of what was decided already", () => {
	it.each([
		["--send --payload 3f2a91c04b7e", { payloadHash }, "Already sent."],
		["--send", { payloadHash }, "Already sent."],
		["--edit message.md --payload 3f2a91c04b7e", { payloadHash }, "Already sent."],
		["--discard", { status: "failed", code: "DISCARDED" }, "Already discarded."],
	] as const)("says of %s that it was so already, and shows the state", async (flags, change, words) => {
		const { run, asked } = bridge(occurrence({ delivery: [action(change)] }));
		for (const id of ["beaches", "beaches-1-1"]) {
			const { code, lines } = await run("review", id, ...flags.split(" "));
			expect([code, lines[0]]).toEqual([0, words]);
			expect(lines.join("\n")).toMatch(/Email to you: (?:Sent|Discarded)/);
		}
		expect(asked).toEqual([]);
	});

	it("is a success too if another decided the same in the meantime", async () => {
		const now = occurrence({ delivery: [action({ status: "failed", code: "DISCARDED" })] });
		const { run } = bridge(held, { reviewMessage: async () => ({ occurrence: now, applied: false }) });
		expect(await run("review", "beaches", "--discard")).toMatchObject({
			code: 0,
			lines: ["Already discarded.", ...Array(3).fill(expect.anything())],
		});
	});

	it("says that a message is being sent already only once the work is over", async () => {
		const { run } = bridge(occurrence({ status: "delivering", delivery: [action({ status: "sending", stage: "claimed" })] }));
		expect((await run("review", "beaches", "--send")).lines[0]).toBe("Already being sent.");
		const working = bridge(occurrence({ status: "running", delivery: [action({ status: "pending", attempts: 0 })] }));
		expect((await working.run("review", "beaches", "--send")).error).toMatchObject({ code: "NOTHING_WAITS" });
	});

	it.each([
		["--discard", {}, "Email to you: Sent"],
		["--send", { status: "failed", code: "DISCARDED" }, "Email to you: Discarded"],
		["--send --payload 000000000000", { payloadHash }, "Email to you: Sent"],
	] as const)("refuses %s after another decision, and shows the state", async (flags, change, state) => {
		const { run, asked } = bridge(occurrence({ delivery: [action(change)] }));
		expect((await run("review", "beaches-1", ...flags.split(" "))).error).toMatchObject({
			code: "NOTHING_WAITS",
			message: `Nothing in “Beaches in Bali” is waiting for your review. The current state: ${state}.`,
		});
		expect(asked).toEqual([]);
	});
});

describe("`plans settle` of what was settled already", () => {
	const unknown = occurrence({ status: "needs_review", delivery: [action({ status: "unknown", code: "NO_ANSWER" })] });

	it("records what is recorded already once more as a success that says so, and refuses what contradicts it", async () => {
		const lost = { status: "failed", code: "NOT_SENT", settledBy: "person" } as const;
		const said = async (answer: string, change: Partial<DeliveryAction>) => {
			const { run, asked } = bridge(occurrence({ status: "completed", delivery: [action(change)] }));
			const outcomes = await Promise.all(["beaches", "beaches-1", "beaches-1-1"].map((id) => run("settle", id, answer)));
			expect(asked).toEqual([]);
			const [first] = outcomes;
			for (const { code, error } of outcomes) expect([code, `${error}`]).toEqual([first?.code, `${first?.error}`]);
			return first;
		};
		const sent = await said("--sent", { settledBy: "person" });
		expect(sent).toMatchObject({ code: 0, lines: expect.arrayContaining(["Already recorded as sent."]) });
		expect(sent?.lines.join("\n")).toContain("Email to you: Sent");
		expect(await said("--sent", { proof: "delivered" })).toMatchObject({ code: 0 });
		expect((await said("--not-sent", lost))?.lines[0]).toBe("Already recorded as not sent.");
		expect(await said("--not-sent", { ...lost, proof: "delivered" })).toMatchObject({ code: 0 });
		for (const [answer, change] of [
			["--not-sent", { settledBy: "person" }],
			["--sent", lost],
		] as const)
			expect((await said(answer, change))?.error).toMatchObject({
				code: "NOTHING_WAITS",
				message: expect.stringMatching(/^The message of “Beaches in Bali” is already recorded as (?:not )?sent, and that is final\./),
			});
		// It is still being sent, so nothing is recorded yet.
		expect((await said("--sent", { status: "sending", stage: "handing_over" }))?.error).toMatchObject({
			message: expect.stringContaining("No message of “Beaches in Bali” has an unknown outcome."),
		});
	});

	it("is a success too if another settled it the same way in the meantime", async () => {
		const settled = (change: object) =>
			bridge(unknown, { settleMessage: async () => ({ occurrence: occurrence({ delivery: [action(change)] }), applied: false }) });
		expect(await settled({ settledBy: "person" }).run("settle", "beaches", "--sent")).toMatchObject({
			code: 0,
			lines: expect.arrayContaining(["Already recorded as sent."]),
		});
		expect(await settled({ status: "failed", code: "NOT_SENT" }).run("settle", "beaches", "--sent")).toMatchObject({ code: 1 });
	});
});
