import { expect, it } from "vitest";
import type { MailServer } from "../../src/channels/email/email-settings.ts";
import type { SmtpEnd } from "../../src/channels/email/smtp-exchange.ts";
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
