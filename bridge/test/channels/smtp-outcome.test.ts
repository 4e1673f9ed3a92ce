import { describe, expect, it } from "vitest";
import type { MailServer } from "../../src/channels/email/email-settings.ts";
import type { SmtpEnd, SmtpPhase } from "../../src/channels/email/smtp-exchange.ts";
import { sendOutcome } from "../../src/channels/email/smtp-outcome.ts";

const open: MailServer = { host: "mail.example", port: 587, security: "starttls" };
const signed: MailServer = { ...open, auth: { user: "mira", password: "fake-mail-password" } };
const refused = (phase: "sign_in" | "envelope", code: number): SmtpEnd => ({
	kind: "refused",
	phase,
	command: "",
	reply: { code, text: `${code} no` },
});
const broken = (phase: "connect" | "sign_in", code: string): SmtpEnd => ({ kind: "broken", phase, code, command: "" });

it.each([
	[
		"a password that is rejected",
		refused("sign_in", 535),
		signed,
		/rejected the sign-in/,
		/^Correct the password: .*channels setup email --password`/,
	],
	["a sign-in that is not set", refused("envelope", 530), open, /requires a sign-in/, /^Set a user name and a password: /],
	["no sign-in by password", broken("sign_in", "EAUTH"), signed, /does not support signing in/, /^Set up a mail server that does: /],
	["a certificate that has expired", broken("connect", "CERT_HAS_EXPIRED"), signed, /CERT_HAS_EXPIRED/, /date and time/],
])("what to do follows from the cause: %s", (_, end, server, message, fix) => {
	expect(sendOutcome(end, server)).toMatchObject({
		kind: "held",
		message: expect.stringMatching(message),
		fix: expect.stringMatching(fix),
	});
});

describe("what a refusal says follows from the stage and the enhanced code, and nothing is read into it", () => {
	const blocked = { kind: "held", code: "CHANNEL_BLOCKED" };
	const refusal = (code: string) => ({ kind: "refused", code });
	const passing = { kind: "passing" };
	const FULL = "refused the message because the recipient's mailbox is full";
	const CLOSED_MAILBOX = "refused the message because the recipient's mailbox accepts no messages";

	it.each([
		["DATA", "554 5.5.1 No valid recipients", blocked, "refused the message", "that the server reported"],
		["MAIL FROM", "555 5.5.4 Unsupported parameter SIZE", blocked, "refused the message", "that the server reported"],
		["RCPT TO", "554 5.7.1 your IP is on a blocklist", blocked, "refused the message", "that the server reported"],
		["MAIL FROM", "550 5.7.1 not authorized", blocked, "refused the message", "that the server reported"],
		["RCPT TO", "554 relay access denied", blocked, "refused the message", "that the server reported"],
		["MAIL FROM", "553 not your mailbox", blocked, "refused the sender's address", "--from ADDRESS"],
		["MAIL FROM", "501 5.1.7 bad address", blocked, "refused the sender's address", "--from ADDRESS"],
		["RCPT TO", "550 5.1.8 no such domain", blocked, "refused the sender's address", "--from ADDRESS"],
		["RCPT TO", "550 no such user", refusal("RECIPIENT_REFUSED"), "refused the recipient", "recipient's address"],
		["RCPT TO", "553 5.1.3 bad address", refusal("RECIPIENT_REFUSED"), "refused the recipient", "recipient's address"],
		["RCPT TO", "556 5.1.10 no mail here", refusal("RECIPIENT_REFUSED"), "refused the recipient", "recipient's address"],
		["RCPT TO", "552 5.2.2 mailbox full", refusal("RECIPIENT_REFUSED"), FULL, "make room"],
		["RCPT TO", "550 5.2.1 disabled", refusal("RECIPIENT_REFUSED"), CLOSED_MAILBOX, "another address"],
		["RCPT TO", "552 over quota", refusal("RECIPIENT_REFUSED"), "refused the recipient", "that the server reported"],
		["RCPT TO", "552 5.2.3 too large", refusal("CONTENT_REFUSED"), "refused the message", "Shorten"],
		["RCPT TO", "452 4.2.2 over quota", passing, `temporarily ${FULL}`, ""],
		["MAIL FROM", "552 too large", refusal("CONTENT_REFUSED"), "refused the message", "Shorten"],
		["MAIL FROM", "552 5.3.4 too large", refusal("CONTENT_REFUSED"), "refused the message", "Shorten"],
		["MAIL FROM", "552 5.2.2 your own mailbox is full", blocked, "refused the message", "that the server reported"],
		["RCPT TO", "450 greylisted", passing, "temporarily refused the recipient", ""],
		["RCPT TO", "450 4.2.0 greylisted", passing, "temporarily refused the recipient", ""],
		["RCPT TO", "450 4.2.1 too many messages at once", passing, "temporarily refused the recipient", ""],
		["RCPT TO", "450 4.1.8 domain not found", passing, "temporarily refused the sender's address", ""],
		["RCPT TO", "450 4.7.1 client host", passing, "temporarily refused the message", ""],
		["MAIL FROM", "451 not now", passing, "temporarily refused the message", ""],
	])("%s: %s", (command, text, outcome, said, fix) => {
		const end = sendOutcome(answered("envelope", command, text), open);
		expect(end).toMatchObject({ ...outcome, message: `mail.example ${said}: ${text}` });
		if ("fix" in end) expect(end.fix).toContain(fix);
	});

	it.each([
		["554 5.7.1 blocked by policy", "CONTENT_REFUSED", "refused the message", "that the server reported"],
		["554 5.6.0 bad content", "CONTENT_REFUSED", "refused the message", "Change the message"],
		["552 5.2.3 too long", "CONTENT_REFUSED", "refused the message", "Shorten"],
		["550 5.1.1 no such user", "RECIPIENT_REFUSED", "refused the recipient", "recipient's address"],
		["552 5.2.2 mailbox full", "RECIPIENT_REFUSED", FULL, "make room"],
		["550 5.2.1 disabled", "RECIPIENT_REFUSED", CLOSED_MAILBOX, "another address"],
		["550 5.2.0 no", "RECIPIENT_REFUSED", "refused the recipient", "that the server reported"],
		["550 5.1.8 no such domain", "CHANNEL_BLOCKED", "refused the sender's address", "--from ADDRESS"],
	])("after the whole message: %s", (text, code, said, fix) => {
		expect(sendOutcome(answered("given", "DATA", text), open)).toMatchObject({
			code,
			message: `mail.example ${said}: ${text}`,
			fix: expect.stringContaining(fix),
		});
	});

	it.each([
		["450 4.2.1 try later", "temporarily refused the message"],
		["450 4.2.0 greylisted", "temporarily refused the message"],
		["451 4.1.1 try later", "temporarily refused the message"],
		["452 4.2.2 over quota", `temporarily ${FULL}`],
		["451 4.1.8 domain not found", "temporarily refused the sender's address"],
		["451 try later", "temporarily refused the message"],
	])("a recipient who was accepted is not said to be refused when the message is refused for now: %s", (text, said) => {
		for (const phase of ["envelope", "given"] as const)
			expect(sendOutcome(answered(phase, "DATA", text), open)).toEqual({ kind: "passing", message: `mail.example ${said}: ${text}` });
	});

	it.each(["530 5.7.0 must issue STARTTLS first", "530 Must issue a STARTTLS command first", "523 5.7.10 Encryption needed", "538 no"])(
		"a server that requires encryption is not said to require a sign-in: %s",
		(text) => {
			const end = sendOutcome(answered("envelope", "MAIL FROM", text), { ...open, security: "none" });
			expect(end).toMatchObject({
				kind: "held",
				code: "CHANNEL_UNAVAILABLE",
				message: `mail.example requires encryption: ${text}`,
				fix: expect.stringContaining("channels setup email --security starttls"),
			});
		},
	);

	it("a server that refuses its connection is not said to refuse this computer", () => {
		expect(sendOutcome(answered("connect", "CONN", "554 no service here"), open)).toMatchObject({
			code: "CHANNEL_BLOCKED",
			message: "mail.example refused the connection: 554 no service here",
		});
	});
});

function answered(phase: SmtpPhase, command: string, text: string): SmtpEnd {
	const enhanced = /^\d{3} (\d\.\d{1,3}\.\d{1,3}) /.exec(text)?.[1];
	return { kind: "refused", phase, command, reply: { code: Number(text.slice(0, 3)), text, ...(enhanced !== undefined && { enhanced }) } };
}

it("a message that is too large is said to be, also if the server's limit is not known", () => {
	const end = sendOutcome({ kind: "too_large", phase: "envelope", bytes: 12_345_678, limit: undefined }, open);
	expect(end).toMatchObject({
		code: "CONTENT_REFUSED",
		message: "The message is 12.3 MB, which is more than mail.example accepts. Nothing was sent.",
	});
});

it("a server that accepts a message before it has all of it is not said to have closed the connection", () => {
	const early: SmtpEnd = { kind: "broken", phase: "content", code: "EARLY", command: "DATA" };
	expect(sendOutcome(early, open)).toEqual({ kind: "passing", message: "mail.example:587 answered before it had the whole message." });
});
