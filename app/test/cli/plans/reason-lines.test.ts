import type { DeliveryCode } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { messageLines, occurrenceLines, reasonLines } from "../../../src/cli/plans/plan-lines.ts";
import { updateLine } from "../../../src/cli/plans/update-line.ts";
import { action, occurrence } from "../../support/plan-story.ts";

it("says in the command's words why the gate refused a message, never in the gate's", () => {
	const declined = action({ status: "needs_review", code: "GATE_DECLINED", message: "Brain declined to produce deliverable" });
	expect(reasonLines(declined)).toEqual([
		"The agent declined (GATE_DECLINED)",
		"The agent declined to write this message. If it gave a reason, it is in the plan’s thread.",
	]);
	const gate = { valid: false, reason: "declined", words: "Brain declined to produce deliverable" } as const;
	const update = { kind: "task:result", occurrence: occurrence({ status: "needs_review", gate }), output: "", work: [], gate } as const;
	const line = updateLine({ planId: "p", seq: 3, at: "2026-03-01T08:45:00.000Z", update } as never, { now: 0, zone: "UTC" });
	expect(line).toMatch(/\. The agent declined$/);
});

it("says of an agent that declined to write a message that it did, and not that there was nothing to report", () => {
	const delivery = [action({ status: "failed", code: "NOTHING_TO_SAY", attempts: 0 })];
	const lines = occurrenceLines(occurrence({ status: "skipped", code: "NOTHING_TO_SAY", delivery }), { now: 0, zone: "UTC" }).join("\n");
	expect(lines).toMatch(/^No message written {2}due /);
	expect(lines).toContain("The agent declined to write a message, and this plan sends nothing in that case. If it gave a reason, it is in");
	expect(lines).not.toMatch(/nothing to/i);
});

it("never takes the number of attempts for the number of characters, messages or missed times in an explanation", () => {
	for (const code of ["LINT_INVISIBLE", "LINT_TOO_LONG", "GATE_SEVERAL", "MISSED"] as const) {
		const lines = reasonLines(action({ status: "needs_review", code, attempts: 3 }));
		expect(lines.join("\n")).not.toMatch(/\b3\b|[{}]/);
	}
	expect(reasonLines(action({ status: "needs_review", code: "RETRIES_EXHAUSTED", attempts: 3 }))[0]).toContain("Gave up after 3 attempts");
});

it("says what else a message is held for, and its own reason only once", () => {
	const of = (code: "LINT_BIDI" | "WORK_UNVERIFIED", ...heldFor: readonly DeliveryCode[]) =>
		reasonLines(action({ status: "needs_review", code, heldFor: [...heldFor] })).filter((line) => line.includes("for review"));
	const claim = "Also held for review: The message says something was done, but nothing confirms it";
	expect(of("LINT_BIDI", "WORK_UNVERIFIED", "UNVERIFIED_CLAIM", "LINT_LINK_TEXT")).toEqual([
		"Also held for review: The work couldn’t be verified",
		claim,
	]);
	expect(of("WORK_UNVERIFIED", "WORK_UNVERIFIED", "UNVERIFIED_CLAIM")).toEqual([claim]);
	const doubt = "The agent reports acting without an answer.";
	expect(reasonLines(action({ status: "needs_review", code: "LINT_BIDI", heldFor: ["WORK_UNVERIFIED"], doubt }))).toContain(
		`Also held for review: The work couldn’t be verified. ${doubt}`,
	);
});

it("doesn't say that a message was rejected that its channel never offered to a server", () => {
	const message = "The message is 2.1 MB, but mail.example accepts at most 1 MB. Nothing was sent.";
	const lines = reasonLines(action({ status: "failed", code: "CONTENT_REFUSED", message, fix: "Shorten the message." }));
	expect(lines).toEqual(["The message couldn’t be sent as it is (CONTENT_REFUSED)", message, "Shorten the message."]);
});

it("says of a message that needed a review before a restore that it may have been sent since, besides its other reason", () => {
	const held = action({ status: "needs_review", code: "UNVERIFIED_CLAIM", mayHaveBeenSent: true });
	expect(reasonLines(held)).toEqual([
		"The message says something was done, but nothing confirms it (UNVERIFIED_CLAIM)",
		"This message may have been sent already.",
		"A backup was restored, so XWorkmate can’t tell whether this message was sent after the backup was made.",
		"Check whether it has arrived before you send it.",
	]);
	const [listed] = messageLines([{ occurrence: occurrence(), action: held }], { now: 0, zone: "UTC" });
	expect(listed).toMatch(/nothing confirms it; may have been sent already$/);
	expect(reasonLines(action({ ...held, mayHaveBeenSent: undefined }))).toHaveLength(1);
});

it("says of a message that failed before a restore that it may have been sent since, and sends it again only if that is said", () => {
	const failed = action({ status: "failed", code: "RECIPIENT_REFUSED", content: "Sanur is best.", mayHaveBeenSent: true });
	const said = (...delivery: readonly (typeof failed)[]) =>
		occurrenceLines(occurrence({ status: "failed", code: "DELIVERY_FAILED", delivery: [...delivery] }), { now: 0, zone: "UTC" });
	const lines = said(failed);
	expect(lines[0]).toMatch(/^May have been sent {2}due /);
	expect(lines).toContainEqual(expect.stringMatching(/^ {2}Email.*: May have been sent$/));
	expect(lines).toContain("    This message may have been sent already.");
	expect(lines.join("\n")).not.toMatch(/not sent|Not sent/);
	expect(lines.at(-1)).toMatch(/^ {2}If it hasn’t arrived, send it again: .*plans resend beaches-1 --allow-duplicate$/);
	const two = said(failed, action({ ...failed, actionId: "beaches-1-2" as never }));
	expect(two.at(-1)).toMatch(/^ {2}If they haven’t arrived, send them again: .*plans resend beaches-1 --allow-duplicate$/);
	const dropped = action({ ...failed, code: "CANCELLED", mayHaveBeenSent: undefined, heldFor: ["STORE_RESTORED"] });
	expect(said(dropped).at(-1)).toMatch(/^ {2}If it hasn’t arrived, send it after all: .*plans resend beaches-1 --allow-duplicate$/);
	expect(said(action({ ...dropped, heldFor: ["SEND_LIMIT"] })).at(-1)).toMatch(/^ {2}Send it after all: .*plans resend beaches-1$/);
	const arrived = said(action({ ...failed, proof: "delivered" })).join("\n");
	expect(arrived).not.toContain("ay have been sent");
	expect(said(action({ ...failed, mayHaveBeenSent: undefined })).at(-1)).toMatch(/^ {2}Send it again: .*plans resend beaches-1$/);
});

it("doesn't say of an image on the web that the message loads it: its address is sent as a link or as text", () => {
	const lint = [{ rule: "remote_image", excerpt: "<img …>" } as const];
	const lines = reasonLines(action({ status: "needs_review", code: "LINT_REMOTE_IMAGE", lint }));
	expect(lines).toEqual([
		"Refers to an image that the message won’t show (LINT_REMOTE_IMAGE)",
		"Refers to an image that the message won’t show: <img …>",
	]);
});

it("says that nothing was sent because the work failed only of a plan that sends messages", () => {
	const said = (delivery: ReturnType<typeof occurrence>["delivery"]) =>
		occurrenceLines(occurrence({ status: "failed", code: "WORK_FAILED", delivery }), { now: 0, zone: "UTC" });
	expect(said([action({ status: "failed", code: "WORK_FAILED" })])).toContain("  The agent didn’t succeed, so nothing was sent.");
	expect(said([])).toContain("  The agent didn’t succeed.");
});
