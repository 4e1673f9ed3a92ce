import { Receipt, type ReceiptDecision } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { decisionLine, endLine } from "../../../src/text/calls/decision-line.ts";
import { eventLine, receiptLine } from "../../../src/text/receipts/receipt-line.ts";
import { looseReceipt } from "../../support/receipt-of.ts";

describe("a decision in one line", () => {
	it.each<[ReceiptDecision["decision"], string, ReceiptDecision["reason"], string]>([
		["allow_once", "person", undefined, "Allowed once by you"],
		["allow_window", "person", undefined, "Allowed by you with a 15-minute permission"],
		["allow_once", "discord:mira", undefined, "Allowed once by mira on Discord"],
		["allow", "window:ask1", undefined, "Allowed by a 15-minute permission"],
		["allow_once", "window:ask1", undefined, "Allowed by a 15-minute permission"],
		["allow", "person", undefined, "Allowed by your rule"],
		["allow", "run", undefined, "Allowed by this run’s rule"],
		["allow", "policy", undefined, "Allowed by the tool’s rule"],
		["allow", "configuration:unattended", undefined, "Allowed by your settings"],
		["deny", "person", "person", "Denied by you"],
		["deny", "person", "policy", "Denied by your rule"],
		["deny", "policy", "policy", "Denied by the tool’s rule"],
		["deny", "run", "policy", "Denied by this run’s rule"],
		["deny", "configuration:unattended", "unattended", "Denied: the run was unattended"],
		["deny", "gateway", undefined, "Denied by someone on the OpenClaw gateway"],
	])("%s by %s (%s)", (decision, by, reason, line) => {
		expect(decisionLine({ decision, by, ...(reason && { reason }) })).toBe(line);
	});

	it("says an end by its code and the tool's message, and a code that it does not know as it is", () => {
		expect(endLine("TOOL_FAILED", "403")).toBe("Failed: 403");
		expect(endLine("NEW_CODE", undefined)).toBe("NEW_CODE");
		expect(endLine("constructor", undefined)).toBe("constructor");
		expect(endLine(undefined, undefined)).toBe("");
	});
});

describe("a receipt that is of no call", () => {
	const rotated = (detail: object) => looseReceipt(1, "auth.profile.rotated", detail);
	const accounts = { from: "anthropic:work", to: "anthropic:home", reason: "anthropic:work is rate limited" };

	it.each([
		["rate_limited", "Switched from account anthropic:work to account anthropic:home: the first one reached its rate limit"],
		["auth", "Switched from account anthropic:work to account anthropic:home: the first one was rejected"],
		["billing", "Switched from account anthropic:work to account anthropic:home: the first one is out of credit"],
		// Of an earlier version, and of a later one.
		[undefined, "Switched from account anthropic:work to account anthropic:home: anthropic:work is rate limited"],
		["moon", "Switched from account anthropic:work to account anthropic:home: anthropic:work is rate limited"],
	])("names both accounts of a change, and why: %s", (cause, line) => {
		expect(receiptLine(rotated({ ...accounts, ...(cause && { cause }) }))).toBe(line);
	});

	it("says that a report is of what was denied, or not answered yet", () => {
		const said = (unpermitted: string) =>
			receiptLine({ ...looseReceipt(1, "answer.checked", { unpermitted }), type: "tool.call.succeeded", origin: "reported" });
		// The agent may have shown only that the call runs.
		expect(said("denied")).toBe("Denied, but reported anyway");
		expect(said("found")).toBe("Denied, but the file changed");
		expect(said("unanswered")).toMatch(/as reported, before its request was answered$/);
	});

	it.each<[string, object, string]>([
		// XWorkmate itself counts a command as destructive, and an agent does not report what it did not report.
		["tool.call.requested", {}, "Requested: liar:execute, as reported"],
		[
			"tool.call.unknown",
			{ outcome: { code: "NOT_REPORTED", attempt: 0, durationMs: 0 } },
			"Outcome unknown: liar:execute, The agent didn’t report how the call ended",
		],
		["tool.call.approved", { decision: { by: "person", decision: "allow_once" } }, "Allowed once by you: liar:execute"],
		["tool.call.denied", { decision: { by: "agent:liar", decision: "deny" } }, "Denied by agent:liar: liar:execute, as reported"],
		["tool.call.started", {}, "Started: liar:execute, as reported"],
		[
			"tool.call.succeeded",
			{ detail: { unpermitted: "denied", deniedCommand: "rm x" } },
			"Succeeded: liar:execute, as reported, although “rm x” was denied",
		],
	])("says that no more is reported than what the agent reported: %s %j", (type, more, line) => {
		const call = { type, origin: "reported", toolId: "liar:execute", risk: "destructive", ...more };
		expect(receiptLine(Receipt.parse({ ...looseReceipt(1, "answer.checked", {}), ...call }))).toBe(line);
	});

	it("says no more than its type if its details are missing", () => {
		expect(receiptLine(rotated({}))).toBe("Switched account");
		expect(eventLine({ type: "tool.call.requested" })).toBeUndefined();
	});

	it.each([
		[
			"delivery.cancelled",
			{ by: "person", decision: "cancel", code: "CANCELLED" },
			"Message cancelled: you cancelled the plan’s pending work or deleted the plan",
		],
		["delivery.cancelled", { code: "CANCELLED" }, "Message cancelled: its work was stopped or skipped"],
		["delivery.failed", { code: "WORK_FAILED", channel: "email" }, "Message not sent (Email to you): The work failed"],
		[
			"delivery.failed",
			{ code: "RETRIES_EXHAUSTED", channel: "email", attempt: 8 },
			"Message not sent (Email to you): Gave up after 8 attempts",
		],
		[
			"delivery.failed",
			{ code: "CHANNEL_BLOCKED", channel: "whatsapp" },
			"Message not sent (WhatsApp to you): Sending through WhatsApp was blocked",
		],
		// Of an earlier version.
		["delivery.failed", { code: "CANCELLED", channel: "email" }, "Message not sent (Email to you): Cancelled"],
		["delivery.failed", { channel: "email" }, "Message not sent (Email to you)"],
		["delivery.failed", {}, "Message not sent"],
	] as const)("says why a message was not sent: %s %j", (type, detail, line) => {
		expect(receiptLine({ ...looseReceipt(1, "answer.checked", detail), type })).toBe(line);
	});

	it.each([
		["delivery.succeeded", { channel: "email", recipient: "anna" }, "Message sent (Email to anna)"],
		["delivery.succeeded", { channel: "dashboard" }, "Message sent (Inbox)"],
		["delivery.requested", { channel: "discord" }, "Message due (Discord to you or your usual channel)"],
		// Of a later version.
		["delivery.succeeded", { channel: "pigeon", recipient: "anna" }, "Message sent (pigeon to anna)"],
		[
			"delivery.settled",
			{ channel: "whatsapp", recipient: "anna", by: "person", decision: "sent" },
			"Outcome recorded (WhatsApp to anna): you recorded that it arrived",
		],
		[
			"delivery.settled",
			{ channel: "email", by: "person", decision: "not_sent" },
			"Outcome recorded (Email to you): you recorded that it never arrived",
		],
		["delivery.reviewed", { channel: "email", by: "person", decision: "discard" }, "Reviewed (Email to you): you discarded it"],
		["delivery.reviewed", { by: "person", decision: "rerun" }, "Reviewed: you had the work done again"],
	] as const)("names a message by its channel and recipient, and says what was recorded about it: %s %j", (type, detail, line) => {
		expect(receiptLine({ ...looseReceipt(1, "answer.checked", detail), type })).toBe(line);
	});

	it.each([
		["grounded", "Answer checked: receipts back it"],
		["no_action", "Answer checked: 0 actions completed"],
		["unverified", "Answer checked: not everything in it could be verified"],
		["replaced", "Answer checked: XWorkmate wrote it"],
	])("says what a check of an answer found: %s", (state, line) => {
		expect(receiptLine(looseReceipt(1, "answer.checked", { state, references: 0 }))).toBe(line);
	});
});
