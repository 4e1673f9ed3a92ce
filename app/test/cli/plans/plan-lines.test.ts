import { type DeliveryAction, type Occurrence, RunId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { occurrenceLines, planLine, planLines } from "../../../src/cli/plans/plan-lines.ts";
import { updateLine } from "../../../src/cli/plans/update-line.ts";
import { exitCodeOfOccurrence } from "../../../src/cli/words/exit-code.ts";
import { occurrenceStatusOf, planStatusOf } from "../../../src/strings/plans/plan-words.ts";
import { action, occurrence, plan } from "../../support/plan-story.ts";

const reading = { now: Date.parse("2026-03-01T09:00:00.000Z"), zone: "UTC" };
const held = action({ status: "needs_review", code: "GATE_DECLINED" });
const unknown = action({ status: "unknown", code: "NO_ANSWER" });

function waiting(delivery: readonly DeliveryAction[], needsReview = delivery.length) {
	return plan({ status: "needs_review", needsReview, occurrence: occurrence({ status: "needs_review", delivery: [...delivery] }) });
}

it.each([
	["only messages whose outcome is unknown", waiting([unknown]), "unknown", "unknown"],
	["a message to be reviewed beside one that is unknown", waiting([unknown, held]), "needs_review", "needs_review"],
	["an earlier time with messages to be reviewed", waiting([unknown], 2), "needs_review", "unknown"],
	["a message to be reviewed", waiting([held]), "needs_review", "needs_review"],
	["work that waits without messages", waiting([], 1), "needs_review", "needs_review"],
] as const)("a plan with %s", (_, made, ofPlan, ofOccurrence) => {
	expect(planStatusOf(made)).toBe(ofPlan);
	expect(made.occurrence && occurrenceStatusOf(made.occurrence)).toBe(ofOccurrence);
});

it("keeps every other status of a plan, whatever its newest messages are", () => {
	for (const status of ["pending", "running", "completed", "failed", "paused", "deleted"] as const) {
		expect(planStatusOf({ ...waiting([unknown]), status })).toBe(status);
	}
});

it("says in the list, for the plan and for its time that the outcome is unknown, and nowhere that it needs a review", () => {
	const made = waiting([unknown]);
	const lines = [planLine(made, reading), ...planLines(made, reading), ...occurrenceLines(occurrence(made.occurrence), reading)];
	expect(planLine(made, reading)).toContain("Unknown (1)");
	expect(planLines(made, reading)[0]).toMatch(/ {2}Unknown$/);
	expect(lines.join("\n")).not.toContain("Needs review");
	expect(planLine(waiting([held]), reading)).toContain("Needs review (1)");
});

it("a plan whose only time was cancelled is cancelled, and a repeating one goes on", () => {
	const cancelled = occurrence({ status: "cancelled", code: "CANCELLED", delivery: [] });
	expect(planLine(plan({ occurrence: cancelled }), reading)).toContain("  Cancelled  ");
	expect(planStatusOf(plan({ occurrence: cancelled, status: "pending" }))).toBe("pending");
});

it("a plan whose run waits for the user needs them, and nothing is said where it is not known", () => {
	const runs = [{ runId: "run-1", threadId: "thread-of-beaches", turnId: "turn-1" }];
	const running = plan({ status: "running", occurrence: occurrence({ status: "running", delivery: [], runs: runs as never }) });
	expect(planLine(running, { ...reading, runs: { active: [], asked: new Set([RunId.parse("run-1")]) } })).toContain("  Needs you  ");
	expect(planLine(running, { ...reading, runs: { active: [], asked: new Set() } })).toContain("  Running  ");
	expect(planLine(running, reading)).toContain("  Running  ");
});

it("calls nothing scheduled that a paused or deleted plan would send, and names the only time if it has passed", () => {
	const pending = action({ status: "pending", attempts: 0 });
	const { occurrence: _none, ...never } = plan({ type: "scheduled", status: "pending", delivery: [pending] });
	const at = (status: "pending" | "paused" | "deleted", scheduledFor: string) => {
		const one = { ...never, status, scheduledFor, ...(status === "pending" && { nextDueAt: scheduledFor }) };
		return [planLine(one, reading), ...planLines(one, reading)].join("\n");
	};
	const passed = at("paused", "2026-03-01T08:40:00.000Z");
	expect(passed).toContain("Paused  passed while paused: 08:40");
	expect(passed).toContain(
		"The plan’s only due time, 08:40, passed while it was paused. Once you resume the plan, that due time will wait for your review, or be skipped if ",
	);
	expect(passed).toContain("Email to you: Paused");
	const ahead = at("paused", "2026-03-01T10:40:00.000Z");
	expect(ahead).toContain("Email to you: Paused");
	expect(ahead).not.toContain("passed");
	expect(at("deleted", "2026-03-01T10:40:00.000Z")).toContain("Email to you: Cancelled");
	for (const said of [passed, ahead, at("deleted", "2026-03-01T10:40:00.000Z")]) expect(said).not.toContain("Scheduled");
	expect(at("pending", "2026-03-01T10:40:00.000Z")).toContain("Email to you: Scheduled");
});

it.each([
	["2026-03-01T08:40:00.000Z", "at 08:40"],
	["2026-02-28T08:40:00.000Z", "yesterday at 08:40"],
	["2026-02-20T08:40:00.000Z", "on Fri 20 Feb at 08:40"],
])("calls the time at which the user settled a message the user's, not that of sending: %s", (completedAt, words) => {
	const sent = action({ status: "completed", settledBy: "person", completedAt: completedAt as never });
	const said = (one: DeliveryAction) => occurrenceLines(occurrence({ delivery: [one] }), reading).join("\n");
	expect(said(sent)).toContain(`Sent, as you recorded ${words}`);
	const { settledBy: _by, ...proved } = sent;
	expect(said(proved)).not.toContain("as you recorded");
	const lost = action({ status: "failed", code: "NOT_SENT", settledBy: "person" });
	expect(said(lost)).toContain("You recorded it as not sent.");
});

it("says that work was begun again after a restart, and why the last run did not succeed", () => {
	const first = { runId: "run-1", threadId: "thread-of-beaches", turnId: "turn-1", status: "interrupted", code: "BRIDGE_RESTARTED" };
	const second = { ...first, runId: "run-2", turnId: "turn-2", status: "failed", code: "NO_OUTPUT", message: "It answered nothing." };
	const failed = occurrence({ status: "failed", code: "WORK_FAILED", delivery: [], runs: [first, second] as never });
	const lines = occurrenceLines(failed, reading).join("\n");
	// The user may have had the work done again although it had changed something.
	expect(lines).toContain("  The bridge was restarted while the agent was working, and the work was started again.\n");
	expect(lines).toContain("The run: NO_OUTPUT. It answered nothing.");
	expect(lines).not.toContain("didn’t finish");
	expect(occurrenceLines(occurrence({ runs: [second] as never }), reading).join("\n")).not.toContain("was restarted");
});

it.each([
	["interrupted", { code: "DEADLINE_EXCEEDED" }, "unknown", "WORK_UNKNOWN", "Outcome unknown", "Work outcome unknown"],
	["completed", { message: "It did what was denied." }, "unverified", "WORK_NOT_VERIFIED", "Not verified", "Work not verified"],
	["cancelled", {}, "cancelled", "CANCELLED", "Stopped", "Work stopped"],
	["failed", { code: "NO_OUTPUT" }, "failed", "WORK_FAILED", "Failed", "Work failed"],
	["completed", {}, "completed", undefined, "Run finished", "Run finished"],
] as const)("calls the work of a run that is %s %j what is known of it", (status, more, work, code, word, result) => {
	const run = { runId: "run-1", threadId: "thread-of-beaches", turnId: "turn-1", status, ...more };
	const ended = status === "cancelled" ? "cancelled" : code === undefined ? "completed" : "failed";
	const items = [{ description: "List the beaches", status: work }];
	const one = occurrence({ status: ended, ...(code && { code }), work: items, delivery: [], runs: [run] as never });
	const lines = occurrenceLines(one, reading).join("\n");
	expect(lines).toContain(`  ${word}: List the beaches`);
	if (work !== "failed")
		expect(`${planLine(plan({ status: ended === "cancelled" ? "completed" : ended, occurrence: one }), reading)}\n${lines}`).not.toContain(
			"ailed",
		);
	if ("message" in more) expect(lines).toContain(more.message);
	const update = { kind: "task:result", occurrence: one, output: "", work: items } as const;
	expect(updateLine({ planId: one.planId, seq: 3, at: one.dueAt, update } as never, reading)).toContain(`  ${result}`);
});

it("counts the due times that were missed before the one that was sent, in the command and on the page", () => {
	const missed = { count: 3, first: "2026-03-01T08:45:00.000Z", last: "2026-03-01T08:47:00.000Z" };
	const lines = occurrenceLines(occurrence({ missed }), reading).join("\n");
	expect(lines).toMatch(
		/2 earlier due times were missed \(from .*8:45.* up to this one, .*8:47.*\), perhaps because XWorkmate wasn’t running or/,
	);
	const two = occurrenceLines(occurrence({ missed: { ...missed, count: 2 } }), reading).join("\n");
	expect(two).toMatch(/1 earlier due time was missed \(.*8:45.*\)/);
	expect(occurrenceLines(occurrence({ missed: { ...missed, count: 1 } }), reading).join("\n")).not.toContain("missed");
});

it("does not call the number of missed times exact where counting stopped", () => {
	const missed = { count: 1_440, first: "2026-02-26T08:45:00.000Z", last: "2026-03-01T08:47:00.000Z" };
	expect(occurrenceLines(occurrence({ missed }), reading).join("\n")).toContain("1439 or more earlier due times were missed");
	const late = occurrenceLines(occurrence({ status: "needs_review", code: "MISSED", missed }), reading).join("\n");
	expect(late).toMatch(/1440 or more due times were missed \(from .* to .*\), too long ago to catch up on\./);
	expect(occurrenceLines(occurrence({ missed: { ...missed, count: 1_439 } }), reading).join("\n")).toContain("1438 earlier");
});

it("says that a due time is held because of a restore, and nothing of catching up", () => {
	const missed = { count: 2, first: "2026-03-01T08:45:00.000Z", last: "2026-03-01T08:46:00.000Z" };
	const lines = occurrenceLines(occurrence({ status: "needs_review", code: "STORE_RESTORED", missed }), reading).join("\n");
	expect(lines).toContain("Held because the data folder was restored from a backup");
	expect(lines).not.toMatch(/issed|catch up/);
});

it("hints at sending again only where there is a text to send", () => {
	const discarded = action({ status: "failed", code: "DISCARDED" });
	const failed = { status: "failed", code: "DELIVERY_FAILED" } as const;
	const without = occurrenceLines(occurrence({ ...failed, delivery: [discarded] }), reading).join("\n");
	expect(without).toContain("plans run beaches");
	expect(without).not.toContain("plans resend");
	const withText = occurrence({ ...failed, delivery: [{ ...discarded, content: "Sanur is best." }] });
	expect(occurrenceLines(withText, reading).join("\n")).toContain("plans resend beaches-1");
});

describe("a message that was recorded as not sent and delivered after all", () => {
	const at = "2026-03-01T08:30:00.000Z" as Occurrence["dueAt"];
	const later = [{ at, message: "The channel reports that the message was delivered after all." }];
	const after = action({ status: "failed", code: "NOT_SENT", settledBy: "person", proof: "delivered", content: "Sanur.", later });
	const refused = action({
		status: "failed",
		code: "RECIPIENT_REFUSED",
		message: "No such number.",
		fix: "Send it again.",
		content: "Sanur.",
	});
	const made = (...delivery: readonly DeliveryAction[]) =>
		occurrence({ status: "failed", code: "DELIVERY_FAILED", delivery: [...delivery] });
	const said = (one: Occurrence) => [planLine(plan({ status: "failed", occurrence: one }), reading), ...occurrenceLines(one, reading)];

	it("is shown as delivered, and nothing says that nothing was sent or suggests to send it again", () => {
		const lines = said(made(after));
		expect(lines[0]).toContain("  Completed  ");
		expect(lines[1]).toMatch(/^Completed {2}due /);
		expect(lines.slice(2)).toEqual([
			"  Email to you: Delivered",
			expect.stringContaining(": The channel reports that the message was delivered after all."),
			"    You recorded it as not sent.",
		]);
		expect(exitCodeOfOccurrence(made(after))).toBe(0);
		const byChannel = said(made({ ...refused, proof: "read", later })).join("\n");
		expect(byChannel).toContain("    Recorded before that: Couldn’t be delivered to the recipient.");
		expect(byChannel).not.toMatch(/No such number|Send it again/);
	});

	it("leaves what is said of one beside it that was not delivered", () => {
		const lines = said(made(after, refused)).join("\n");
		expect(lines).toContain("  Failed  ");
		expect(lines).toMatch(/Partly sent {2}due /);
		expect(lines).toContain("plans resend beaches-1");
		expect(exitCodeOfOccurrence(made(after, refused))).toBe(3);
		const none = said(made(refused)).join("\n");
		expect(none).toMatch(/Not sent {2}due .*\n {2}The message was not sent\.\n/);
		expect(said(made(refused, refused)).join("\n")).toMatch(/Not sent {2}due .*\n {2}None of the messages were sent\.\n/);
	});
});

it("says why a message was held as what was so then: it may be otherwise by now", () => {
	const opened = "The recipient has written to you, so you can write to them until 2026-03-02T08:00:00.000Z.";
	const held = (code: DeliveryAction["code"], message: string) =>
		occurrenceLines(
			occurrence({ status: "needs_review", delivery: [action({ status: "needs_review", code, channel: "whatsapp", message })] }),
			reading,
		);
	const lines = held("WINDOW_CLOSED", opened).map((line) => line.trim());
	expect(lines).toContain("WhatsApp’s 24-hour window was closed (WINDOW_CLOSED)");
	expect(lines).toContainEqual(expect.stringContaining("so you can write to them until "));
	for (const code of ["CHANNEL_AUTH", "CHANNEL_BLOCKED", "CHANNEL_UNAVAILABLE", "RECIPIENT_UNKNOWN", "ATTACHMENT_MISSING"] as const)
		expect(held(code, "It was so.").join("\n")).not.toMatch(/\b(?:is|isn’t|has|hasn’t) /);
});

it("hints at the command that works for messages of earlier times", () => {
	const said = (status: "unknown" | "needs_review") => {
		const earlier = occurrence({
			status: "needs_review",
			delivery: [action({ status, code: status === "unknown" ? "NO_ANSWER" : "GATE_DECLINED" })],
		});
		const newest = occurrence({ occurrenceId: "beaches-2" as never, delivery: [] });
		return planLines(plan({ status: "needs_review", needsReview: 1, occurrence: newest }), reading, [earlier]).join("\n");
	};
	expect(said("unknown")).toContain("plans settle ID --sent");
	expect(said("unknown")).not.toContain("plans review");
	expect(said("needs_review")).toContain("plans review ID");
	expect(said("needs_review")).not.toContain("plans settle");
});

it("tells messages that are to be reviewed from those that are to be settled, of earlier times too", () => {
	const both = waiting([action({ status: "needs_review" }), action({ status: "unknown" })], 3);
	expect(planLine({ ...both, unknownOutcomes: 2 }, reading)).toContain("  Needs review (1), Unknown (2)  ");
	expect(planLine({ ...waiting([action({ status: "unknown" })]), unknownOutcomes: 1 }, reading)).toContain("  Unknown (1)  ");
	// An earlier bridge counts them together.
	expect(planLine(waiting([action({ status: "unknown" })]), reading)).toContain("  Unknown (1)  ");
	expect(planLine({ ...both, status: "paused", unknownOutcomes: 2 }, reading)).toContain("  Paused, Needs review (1), Unknown (2)  ");
});

it("says of a missed time whether the plan was paused or XWorkmate couldn't start it", () => {
	const delivery = [action({ status: "needs_review", code: "MISSED", content: "Sanur is best." })];
	const missed = { count: 1, first: "2026-01-02T03:04:05.006Z", last: "2026-01-02T03:04:05.006Z" } as NonNullable<Occurrence["missed"]>;
	const title = (more: Partial<Occurrence>) =>
		occurrenceLines(occurrence({ status: "needs_review", code: "MISSED", delivery, ...more }), reading).join("\n");
	expect(title({})).toMatch(/^Missed while the plan was paused {2}/);
	expect(title({})).not.toMatch(/running|asleep/);
	expect(title({ missed })).toMatch(/^Missed because XWorkmate couldn’t start it in time {2}/);
	expect(title({ missed })).not.toContain("paused");
	expect(title({ missed })).toContain("This due time was too long ago to catch up on.");
	expect(title({ missed })).not.toContain("1 due times");
	expect(title({ missed: { ...missed, count: 2 } })).toMatch(/2 due times were missed \(from .* to .*\), too long ago to catch up on\./);
});

it("says on the one line about a due time that was skipped why it was", () => {
	const skipped = occurrence({ status: "skipped", code: "OVERLAP", delivery: [] });
	const update = { kind: "task:occurrence" as const, occurrence: skipped };
	const line = updateLine({ planId: skipped.planId, seq: 1, feedSeq: 1, at: skipped.dueAt, status: "running", update }, reading);
	expect(line).toMatch(/ {2}Skipped: due .*\. This plan’s earlier work or messages hadn’t been completed\.$/);
});

it("names the recipient that a message was sent to, with its address, and a held message's only by its contact", () => {
	const sent = { status: "completed", recipient: "anna", addressedTo: { address: "anna@example.com", name: "Anna" } } as const;
	const line = (change: object) => occurrenceLines(occurrence({ delivery: [action(change)] }), reading).join("\n");
	expect(line(sent)).toContain("Email to Anna (anna@example.com): ");
	expect(line({ ...sent, recipient: undefined, addressedTo: { address: "me@example.com" } })).toContain("Email to you (me@example.com): ");
	expect(line({ ...sent, status: "needs_review" })).toContain("Email to anna: ");
	const post = { ...sent, channel: "discord", recipient: undefined };
	expect(line({ ...post, addressedTo: { address: "channel:300" } })).toContain("Discord to your usual channel (channel:300): ");
	expect(line({ ...post, addressedTo: { address: "user:200" } })).toContain("Discord to you (user:200): ");
});

it("says why a plan is paused if XWorkmate paused it, and nothing of that once it is resumed", () => {
	const why = "Paused because the data folder was restored from a backup";
	const paused = plan({ status: "paused", pausedFor: "STORE_RESTORED" });
	expect(planLines(paused, reading)).toContain(`  ${why}.`);
	expect(planLines(plan({ status: "paused" }), reading).join("\n")).not.toContain(why);
	const update = { kind: "task:changed", plan: paused } as const;
	expect(updateLine({ planId: "p", seq: 3, at: paused.createdAt, update } as never, reading)).toMatch(/Changed: Paused because the data/);
});
