import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DeliveryAction, Occurrence } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { runAgainst } from "../../support/command-scene.ts";
import { bridge, deliverable, held, payloadHash } from "../../support/plan-bridge.ts";
import { action, occurrence, plan } from "../../support/plan-story.ts";
import { temporaryHome } from "../../support/temporary-home.ts";

type More = Partial<Occurrence> & { readonly also?: DeliveryAction };

describe("`plans review`", () => {
	it("[T2-20] [T2-72] shows why, exactly what would leave, and commands that work as printed; nothing is decided", async () => {
		const { run, asked } = bridge(held);
		const { lines, code } = await run("review", "beaches");
		const said = lines.join("\n");
		expect(said).toContain("A link hides where it goes (LINT_LINK_TEXT)");
		expect(said).toContain("bank.example goes to evil.example");
		expect(said).toContain("To: me@example.com\nSubject: Beaches");
		expect(said).toContain("Sanur is best.");
		expect(said).not.toContain("<p>");
		expect(said).toContain("plans review beaches-1 --send --payload 3f2a91c04b7e");
		expect([code, asked]).toEqual([9, []]);
		for (const line of lines.filter((each) => each.includes("xworkmate -- plans review"))) {
			const args = (line.split("xworkmate -- plans ")[1] ?? "").split(" ");
			if (args.includes("message.md")) continue;
			expect(await run(...args)).toMatchObject({ code: 0, error: undefined });
		}
	});

	it("sends only what was looked at: without its hash, or with another, nothing leaves", async () => {
		const { run, asked } = bridge(held);
		const shown = await run("review", "beaches", "--send");
		expect([shown.code, shown.lines.at(-2)]).toEqual([9, "This command has sent nothing."]);
		expect(await run("review", "beaches", "--send", "--payload", "0".repeat(12))).toMatchObject({ code: 1 });
		expect(asked).toEqual([]);
		expect(await run("review", "beaches-1-1", "--send", "--payload", "3F2A91C04B7E")).toMatchObject({ code: 0 });
		expect(asked).toEqual([{ occurrenceId: "beaches-1", revision: 3, decision: "send", actionId: "beaches-1-1", payloadHash }]);
	});

	it("an edit without a message is refused with what to do, and nothing is asked of the bridge", async () => {
		using home = temporaryHome();
		const file = join(home.path, "message.md");
		writeFileSync(file, " \n\n");
		const { run, asked } = bridge(held, { previewMessage: () => Promise.reject(new Error("asked")) });
		expect((await run("review", "beaches", "--edit", file)).error).toMatchObject({
			message: "The message is empty.",
			fix: expect.stringContaining("--edit"),
		});
		expect(asked).toEqual([]);
	});

	it("shows a text that you wrote without what was wrong with the earlier one, but with what still stands in the way", async () => {
		using home = temporaryHome();
		const file = join(home.path, "message.md");
		writeFileSync(file, "Fine text.");
		const reviewed = async (code: "UNVERIFIED_CLAIM" | "LINT_LINK_TEXT" | "CHANNEL_AUTH") => {
			const delivery = [action({ status: "needs_review", code, message: "Why it was held." })];
			const { run } = bridge(occurrence({ status: "needs_review", deliverable, delivery }));
			return (await run("review", "beaches", "--edit", file)).lines.join("\n");
		};
		for (const code of ["UNVERIFIED_CLAIM", "LINT_LINK_TEXT"] as const) {
			const said = await reviewed(code);
			expect(said).toContain("This is exactly what would be sent:");
			expect(said).not.toContain(code);
			expect(said).not.toContain("Why it was held.");
		}
		expect(await reviewed("CHANNEL_AUTH")).toContain("(CHANNEL_AUTH)");
	});

	it("[T2-47] a message that the gate refused cannot be sent, only written, run again or discarded", async () => {
		const none = occurrence({
			status: "needs_review",
			delivery: [action({ status: "needs_review", code: "GATE_DECLINED", message: "The agent declined: it may not." })],
		});
		const { run, asked } = bridge(none);
		const { lines } = await run("review", "beaches");
		const said = lines.join("\n");
		expect(said).toContain("The agent declined (GATE_DECLINED)");
		expect(said).toContain("There is no message yet, so nothing can be sent.");
		expect(said).not.toContain("--send");
		expect((await run("review", "beaches", "--send", "--payload", "3f2a91c04b7e")).error).toMatchObject({ code: "INVALID_INPUT" });
		expect(asked).toEqual([]);
		expect(await run("review", "beaches", "--rerun")).toMatchObject({
			code: 0,
			lines: expect.arrayContaining(["The work will be done again."]),
		});
		expect(asked).toEqual([{ occurrenceId: "beaches-1", revision: 3, decision: "rerun" }]);
	});

	it.each([
		[{ work: [] }, "written by the user", false],
		[{}, "written by the agent", true],
		[{ kind: "resend" as const }, "sent again", false],
		[{ also: action({ status: "sending" as const }) }, "whose other message is on its way", false],
	])("offers to run the work again only where the bridge would: %j, %s", async ({ also, ...more }: More, _what, isOffered) => {
		const own = more.work === undefined ? {} : { content: "Sanur is best." };
		const delivery = [action({ status: "needs_review", code: "LINT_LINK_TEXT", ...own }), ...(also ? [also] : [])];
		const { run } = bridge(occurrence({ status: "needs_review", deliverable, ...more, delivery }));
		const said = (await run("review", "beaches")).lines.join("\n");
		expect(said).toContain("--send --payload");
		expect(said).toContain("--discard");
		expect(said.includes("--rerun")).toBe(isOffered);
	});

	it("says of a decision that came too late that nothing was applied, and how it is now", async () => {
		const { run } = bridge(held, { reviewMessage: async () => ({ occurrence: occurrence(), applied: false }) });
		const { lines, code } = await run("review", "beaches", "--discard");
		expect(lines[0]).toBe("Something changed in the meantime, so your decision was not applied. The current state:");
		expect(code).toBe(1);
	});

	it("says that nothing waits, and refuses an id that names nothing", async () => {
		const { run } = bridge(occurrence());
		expect((await run("review", "beaches")).error).toMatchObject({ code: "NOTHING_WAITS" });
		expect((await run("review", "elsewhere-1-1")).error).toMatchObject({ code: "NOT_FOUND" });
	});
});

describe("`plans settle` and `plans resend`", () => {
	const unknown = occurrence({ status: "needs_review", delivery: [action({ status: "unknown", code: "NO_ANSWER" })] });

	it.each(["beaches", "beaches-1"])("is what `plans review %s` points to if only an outcome is unknown", async (id) => {
		const { error } = await bridge(unknown).run("review", id);
		expect(error).toMatchObject({ code: "NOTHING_WAITS" });
		expect(error).toMatchObject({ fix: expect.stringContaining("plans settle beaches-1 --sent") });
	});

	it("has no default answer for an unknown outcome", async () => {
		const { run, asked } = bridge(unknown);
		expect((await run("settle", "beaches")).error).toMatchObject({ code: "INVALID_INPUT", message: "Say whether the message arrived." });
		expect(asked).toEqual([]);
		expect(await run("settle", "beaches", "--not-sent")).toMatchObject({ code: 0 });
		expect(asked).toEqual([{ occurrenceId: "beaches-1", actionId: "beaches-1-1", revision: 3, outcome: "not_sent" }]);
	});

	it("[T2-67] sends nothing again that has arrived, or may have, unless that is said", async () => {
		const { run, asked } = bridge(unknown);
		const refused = await run("resend", "beaches");
		expect(refused.error).toMatchObject({ code: "NOTHING_WAITS", fix: expect.stringContaining("--allow-duplicate") });
		expect(asked).toEqual([]);
		await run("resend", "beaches", "--allow-duplicate");
		expect(asked).toMatchObject([{ occurrenceId: "beaches-1", actionIds: ["beaches-1-1"], allowDuplicate: true }]);
	});

	it("does not advise to allow duplicates if no message has arrived, or may have", async () => {
		const { run, asked } = bridge(occurrence({ status: "needs_review", delivery: [action({ status: "needs_review" })] }));
		const { error } = await run("resend", "beaches");
		expect(error).toMatchObject({ code: "NOTHING_WAITS", fix: expect.stringContaining("plans show beaches") });
		expect(error).toMatchObject({ fix: expect.not.stringContaining("--allow-duplicate") });
		expect(asked).toEqual([]);
	});

	it("sends nothing again that was delivered after all, beside what was not", async () => {
		const after = action({ status: "failed", code: "NOT_SENT", proof: "delivered" });
		const alone = bridge(occurrence({ status: "failed", code: "DELIVERY_FAILED", delivery: [after] }));
		expect((await alone.run("resend", "beaches-1")).error).toMatchObject({
			code: "NOTHING_WAITS",
			fix: expect.stringContaining("--allow-duplicate"),
		});
		await alone.run("resend", "beaches-1", "--allow-duplicate");
		expect(alone.asked).toMatchObject([{ actionIds: ["beaches-1-1"], allowDuplicate: true }]);
		const lost = action({ actionId: "beaches-1-2" as never, status: "failed", code: "RECIPIENT_REFUSED" });
		const both = bridge(occurrence({ status: "failed", code: "DELIVERY_FAILED", delivery: [after, lost] }));
		await both.run("resend", "beaches-1");
		await both.run("resend", "beaches-1", "--allow-duplicate");
		expect(both.asked).toMatchObject([{ actionIds: ["beaches-1-2"] }, { actionIds: ["beaches-1-2"] }]);
	});

	it("sends the rest of what was partly sent", async () => {
		const delivery = [action(), action({ actionId: "beaches-1-2" as never, status: "failed", code: "RECIPIENT_REFUSED" })];
		const { run, asked } = bridge(occurrence({ status: "failed", code: "DELIVERY_PARTIAL", delivery }));
		await run("resend", "beaches-1", "--to", "anna");
		expect(asked).toMatchObject([{ actionIds: ["beaches-1-2"], recipient: "anna" }]);
	});

	it("sends to you with `--to me`, and to the earlier recipient only without `--to`", async () => {
		const delivery = [action({ status: "failed", code: "RECIPIENT_REFUSED", recipient: "anna" })];
		const { run, asked } = bridge(occurrence({ status: "failed", code: "DELIVERY_FAILED", delivery }));
		await run("resend", "beaches-1", "--to", "Me");
		await run("resend", "beaches-1");
		expect(asked).toMatchObject([{ toOwner: true }, {}]);
		expect(asked).not.toContainEqual(expect.objectContaining({ recipient: expect.anything() }));
		expect(asked[1]).not.toHaveProperty("toOwner");
	});
});

describe("`plans run --wait` and `plans watch`", () => {
	it.each([
		["completed", 0],
		["skipped", 0],
		["failed", 3],
		["cancelled", 5],
		["needs_review", 9],
	] as const)("a time that ends %s ends the command with %i", async (status, code) => {
		const over = occurrence({ status, delivery: [] });
		expect(await watched(over)).toMatchObject({ code });
	});

	it("an unknown outcome has a code of its own", async () => {
		expect(await watched(occurrence({ status: "needs_review", delivery: [action({ status: "unknown" })] }))).toMatchObject({ code: 10 });
	});

	it("what waited once and was decided since does not end the command that replays it", async () => {
		const { planId, dueAt: at } = held;
		const steps = [held, occurrence({ status: "delivering", revision: 4 }), occurrence({ revision: 5 })];
		const { run } = bridge(occurrence({ revision: 5 }), {
			listPlans: async () => ({ items: [plan()], feedSeq: 1 }),
			watchPlan: async function* () {
				for (const [index, now] of steps.entries()) {
					const seq = index + 2;
					const status = now.status === "delivering" ? "running" : now.status === "needs_review" ? "needs_review" : "completed";
					yield { type: "update", update: { planId, seq, feedSeq: seq, at, status, update: { kind: "task:occurrence", occurrence: now } } };
				}
				throw new Error("it was followed beyond its end");
			},
		});
		// Without an id it is the newest plan.
		for (const id of [["beaches"], ["beaches-1"], []]) {
			const { code, lines } = await run("watch", ...id);
			expect(code).toBe(0);
			expect(lines.join()).toContain("Completed");
		}
	});

	it.each([
		[["run", "beaches", "--wait"], "beaches-1"],
		[["watch", "beaches-1"], "beaches-1"],
		[["watch", "beaches"], "beaches"],
	] as const)("%j that Ctrl+C ends says that the plan goes on, how to follow it and how to cancel it", async (args, id) => {
		const over = occurrence({ status: "completed", delivery: [] });
		const leaving = new Set<() => void>();
		const { api } = bridge(over, {
			runPlan: async () => occurrence({ status: "due" }),
			watchPlan: async function* () {
				for (const say of leaving) say();
				const update = { kind: "task:occurrence", occurrence: over } as const;
				yield { type: "update", update: { planId: over.planId, seq: 1, feedSeq: 1, at: over.dueAt, status: "completed", update } };
			},
		});
		const { notes } = await runAgainst(api, ["plans", ...args], { leaving });
		expect(notes).toEqual([
			"No longer following the plan. Nothing was cancelled: the plan continues as long as XWorkmate is running.",
			`  Follow it again: npm run -s xworkmate -- plans watch ${id}`,
			`  Cancel it: npm run -s xworkmate -- plans cancel ${id}`,
		]);
		// Once it has ended, nothing continues.
		expect(leaving.size).toBe(0);
	});

	async function watched(over: Occurrence) {
		const at = over.dueAt;
		const line = (seq: number, now: Occurrence) =>
			({
				type: "update",
				update: { planId: over.planId, seq, feedSeq: seq, at, status: "running", update: { kind: "task:occurrence", occurrence: now } },
			}) as const;
		const { run } = bridge(over, {
			runPlan: async () => occurrence({ status: "due" }),
			watchPlan: async function* () {
				yield line(1, occurrence({ status: "running" }));
				yield line(2, over);
				throw new Error("it was followed beyond its end");
			},
		});
		return run("run", "beaches", "--wait");
	}
});
