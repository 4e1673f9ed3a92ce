import { formatBytes, formatExcess, Redaction, visibleWithin } from "@xworkmate/contracts";
import type { SendOutcome } from "../../ports/channels/channel.ts";
import { ENCRYPTION_FIX, type MailServer } from "./email-settings.ts";
import { isAboutContent, isAboutEncryption, isTooLarge, type RecipientProblem, recipientProblem, refusedPart } from "./refused-part.ts";
import { ABORTED, CLOSED, EARLY, NO_GREETING, SILENT, type SmtpEnd, type SmtpReply } from "./smtp-exchange.ts";

const MOST_QUOTED = 300;
/** A shorter password may occur in a sentence by chance, so it cannot be redacted. */
const SHORTEST_HIDDEN = 8;
const SIGN_IN_FIX =
	"Correct the password: `npm run -s xworkmate -- channels setup email --password`. If the user name is wrong too, add `--user NAME`. Many providers require an app password instead of your usual one.";
const NO_SIGN_IN_FIX = "Set a user name and a password: `npm run -s xworkmate -- channels setup email --user NAME`.";
const NO_PASSWORDS_FIX = "Set up a mail server that does: `npm run -s xworkmate -- channels setup email --host HOST`.";
const SENDER_FIX = "Check the sender's address. To set another one: `npm run -s xworkmate -- channels setup email --from ADDRESS`.";
const TOO_LARGE_FIX = "Shorten the message, or send it without files.";
const CONTENT_FIX = "Change the message, then send it again.";
const REFUSED_FIX = "Fix the problem that the server reported, then send the message again.";
const SEND_FIX = "Fix the problem that the server reported, or set up another server.";

const recipientWords: Readonly<Record<RecipientProblem, string>> = {
	address: "the recipient",
	"mailbox closed": "the message because the recipient's mailbox accepts no messages",
	"mailbox full": "the message because the recipient's mailbox is full",
	unnamed: "the recipient",
};
const recipientFixes: Readonly<Record<RecipientProblem, string>> = {
	address: "Check the recipient's address.",
	"mailbox closed": "Ask the recipient to reopen the mailbox or to give you another address, then send the message again.",
	"mailbox full": "Ask the recipient to make room in the mailbox, then send the message again.",
	unnamed: REFUSED_FIX,
};

/** What the end of an exchange says about the message. Pure. */
export function sendOutcome(end: SmtpEnd, server: MailServer): SendOutcome {
	switch (end.kind) {
		case "accepted":
			return { kind: "accepted", proof: "accepted" };
		case "refused":
			return refusal(end, server);
		case "too_large":
			return { kind: "refused", code: "CONTENT_REFUSED", message: tooLargeWords(end, server), fix: TOO_LARGE_FIX };
		case "broken":
			return breakage(end, server);
	}
}

function tooLargeWords({ bytes, limit }: Extract<SmtpEnd, { kind: "too_large" }>, { host }: MailServer): string {
	if (limit === undefined) return `The message is ${formatBytes(bytes)}, which is more than ${host} accepts. Nothing was sent.`;
	const [size, most] = formatExcess(bytes, limit);
	return `The message is ${size}, but ${host} accepts at most ${most}. Nothing was sent.`;
}

function refusal({ phase, reply, command }: Extract<SmtpEnd, { kind: "refused" }>, server: MailServer): SendOutcome {
	const said = (what: string) => `${server.host} ${what}: ${quoted(reply, phase === "sign_in", server)}`;
	const part = refusedPart(phase, command, reply);
	const problem = recipientProblem(reply);
	const isPassing = reply.code < 500;
	// The recipient is accepted at RCPT. A temporary refusal after that is about the message.
	const isAccepted = isPassing && problem !== "mailbox full" && !command.startsWith("RCPT");
	const what = part !== "recipient" ? `the ${part}` : isAccepted ? "the message" : recipientWords[problem];
	if (isPassing) return { kind: "passing", message: said(`temporarily refused ${what}`) };
	if (server.security === "none" && phase !== "connect" && isAboutEncryption(reply))
		return { kind: "held", code: "CHANNEL_UNAVAILABLE", message: said("requires encryption"), fix: ENCRYPTION_FIX };
	if (phase === "sign_in" || isAboutSignIn(reply)) {
		const [did, fix] = server.auth === undefined ? ["requires a sign-in", NO_SIGN_IN_FIX] : ["rejected the sign-in", SIGN_IN_FIX];
		return { kind: "held", code: "CHANNEL_AUTH", message: said(did), fix };
	}
	if (command === "STARTTLS") return insecure(server);
	const message = said(`refused ${what}`);
	if (part === "recipient") return { kind: "refused", code: "RECIPIENT_REFUSED", message, fix: recipientFixes[problem] };
	if (part === "sender's address") return { kind: "held", code: "CHANNEL_BLOCKED", message, fix: SENDER_FIX };
	if (isTooLarge(command, reply)) return { kind: "refused", code: "CONTENT_REFUSED", message, fix: TOO_LARGE_FIX };
	// A refusal before the message is handed over can't be because of its content.
	if (phase === "connect" || phase === "envelope") return { kind: "held", code: "CHANNEL_BLOCKED", message, fix: SEND_FIX };
	return { kind: "refused", code: "CONTENT_REFUSED", message, fix: isAboutContent(reply) ? CONTENT_FIX : REFUSED_FIX };
}

function breakage({ phase, code, command }: Extract<SmtpEnd, { kind: "broken" }>, server: MailServer): SendOutcome {
	const { host, port } = server;
	const at = `${host}:${port}`;
	const why = OWN_CODES.has(code) ? "" : ` (${visibleWithin(code, 100)})`;
	if (phase === "given")
		return { kind: "no_answer", message: `${at} may have received the whole message, but did not say whether it accepted it${why}.` };
	if (phase === "connect" && isUntrusted(code)) return untrusted(code, server);
	if (phase === "connect" && (isNotTls(code) || command === "STARTTLS")) return insecure(server);
	if (phase === "sign_in" && code === "EAUTH")
		return { kind: "held", code: "CHANNEL_AUTH", message: `${host} does not support signing in with a password.`, fix: NO_PASSWORDS_FIX };
	if (isUngreeted({ code }, server)) return { kind: "passing", message: `${at} ${ungreetedWords}.` };
	// The system's own timeout, in the middle of an exchange.
	const isSlow = SLOW_CODES.has(code) || (code === "ETIMEDOUT" && phase !== "connect");
	if (isSlow) return { kind: "passing", message: `${at} ${slowWords[phase]}.` };
	if (code === EARLY) return { kind: "passing", message: `${at} answered before it had the whole message.` };
	if (code === "EPROTOCOL") return { kind: "passing", message: `${at} does not answer like a mail server.` };
	if (phase === "connect" && !CLOSED_CODES.has(code)) return { kind: "passing", message: `${at} can't be reached${why}.` };
	return { kind: "passing", message: `${at} ${closedWords[phase]}${why}.` };
}

/** True if the server accepted an unencrypted connection and then waited, as a server that expects TLS from the start does. Pure. */
export function isUngreeted({ code }: { readonly code: string }, { security }: MailServer): boolean {
	return code === NO_GREETING && security !== "tls";
}

const OWN_CODES: ReadonlySet<string> = new Set(["", ABORTED, CLOSED, NO_GREETING, SILENT]);
const SLOW_CODES: ReadonlySet<string> = new Set([ABORTED, NO_GREETING, SILENT]);
/** Only a server that was reached can close a connection. */
const CLOSED_CODES: ReadonlySet<string> = new Set([CLOSED, "ECONNRESET"]);
const ungreetedWords = "was reached, but sent no greeting in time, as if the port expected TLS from the start";

const closedWords = {
	connect: "closed the connection before it was ready",
	sign_in: "closed the connection during the sign-in",
	envelope: "closed the connection before it asked for the message",
	content: "closed the connection before it had the whole message",
} as const;

/** For an exchange that took too long. */
const slowWords = {
	connect: "did not answer in time",
	sign_in: "did not finish the sign-in in time",
	envelope: "did not ask for the message in time",
	content: "did not receive the whole message in time",
} as const;

/** The certificate cannot be trusted. Neither the message nor a password was sent. */
function untrusted(code: string, { host }: MailServer): SendOutcome {
	return {
		kind: "held",
		code: "CHANNEL_UNAVAILABLE",
		message: `The server's certificate does not prove that the server is ${host} (${visibleWithin(code, 100)}).`,
		fix: "Check the host name, and this computer's date and time. If the server uses a private certificate authority, set that authority's certificate: `npm run -s xworkmate -- channels setup email --ca-file FILE`.",
	};
}

function insecure({ host, port, security }: MailServer): SendOutcome {
	const fix =
		security === "tls"
			? "Use STARTTLS: `npm run -s xworkmate -- channels setup email --security starttls`. Or set the port for TLS, usually 465: `npm run -s xworkmate -- channels setup email --port 465`."
			: "Use TLS: `npm run -s xworkmate -- channels setup email --security tls --port 465`. Or use a server that supports encryption.";
	return {
		kind: "held",
		code: "CHANNEL_UNAVAILABLE",
		message: `${host}:${port} does not offer the encryption set for this channel, so nothing was sent.`,
		fix,
	};
}

/** True if the server refuses because the client has not signed in, or because its sign-in was rejected. */
function isAboutSignIn({ code, enhanced = "" }: SmtpReply): boolean {
	return code === 530 || code === 534 || code === 535 || code === 538 || enhanced === "5.7.8" || enhanced === "5.7.9";
}

function isUntrusted(code: string): boolean {
	return /CERT|SELF_SIGNED|UNABLE_TO_|_CA$|ISSUER/.test(code);
}

/** True if the server does not speak TLS, or only an insecure version. */
function isNotTls(code: string): boolean {
	return /^(?:ERR_SSL_|EPROTO$)/.test(code);
}

/**
 * Quotes a server's reply without the password, which it may repeat: only the codes, if the reply may contain a secret or the password is
 * too short to be redacted.
 */
function quoted({ code, enhanced, text }: SmtpReply, isSecret: boolean, { auth }: MailServer): string {
	const short = `${code}${enhanced === undefined ? "" : ` ${enhanced}`}`;
	if (isSecret || (auth !== undefined && auth.password.length < SHORTEST_HIDDEN)) return short;
	const hidden = new Redaction(auth === undefined ? [] : [auth.password]).text(text.slice(0, 2_000));
	return visibleWithin(hidden.replace(/\s+/g, " "), MOST_QUOTED);
}
