import type { SmtpPhase, SmtpReply } from "./smtp-exchange.ts";

/** What a mail server refused. `message`: also used if the answer does not say what was refused, or names something else. */
export type RefusedPart = "connection" | "sign-in" | "sender's address" | "recipient" | "message";

/** Subject and detail of an enhanced code (RFC 3463, 5248) about the sender's address: its syntax or its host. */
const SENDER = /^1\.[78]$/;
/** Subject and detail of a code about the recipient's address or mailbox. 2.3, the length of the message, is left out. */
const RECIPIENT = /^(?:1\.(?:[0-6]|10)|2\.[0124])$/;
/** Subject and detail of a code about the route to the recipient. As an answer to RCPT, it is about the recipient alone. */
const ROUTE = /^4\.\d+$/;
/** Without an enhanced code: the mailbox that RCPT named is not available, has moved, is full, or has a name that is not allowed. */
const MAILBOX_CODES: ReadonlySet<number> = new Set([450, 452, 550, 551, 552, 553]);

/**
 * What a refusal is about, according to the enhanced code or, without one, the stage of the exchange. A policy, as in 5.7.1, may be about
 * the sender, the content or this computer's address, so it is assigned to none of them. Pure.
 */
export function refusedPart(phase: SmtpPhase, command: string, reply: SmtpReply): RefusedPart {
	if (phase === "connect") return "connection";
	if (phase === "sign_in") return "sign-in";
	const detail = detailOf(reply);
	if (SENDER.test(detail)) return "sender's address";
	// No recipient has been named yet. Without a detail, 553 means that a mailbox's name is not allowed.
	if (command.startsWith("MAIL")) return detail === "1.0" || (detail === "" && reply.code === 553) ? "sender's address" : "message";
	if (RECIPIENT.test(detail)) return "recipient";
	const isRecipient = detail === "" ? MAILBOX_CODES.has(reply.code) : ROUTE.test(detail);
	return command.startsWith("RCPT") && isRecipient ? "recipient" : "message";
}

/** What is wrong with a recipient that the server refused. `unnamed`: the answer does not say, or names something else. */
export type RecipientProblem = "address" | "mailbox closed" | "mailbox full" | "unnamed";

/**
 * The enhanced code says whether the address or its mailbox is the problem. Without one, 552 is about storage, and the other answers to the
 * recipient are about the address. 4.2.1 is also used for a mailbox that gets too many messages at once, so only 5.2.1 means that it is
 * closed. Pure.
 */
export function recipientProblem(reply: SmtpReply): RecipientProblem {
	const detail = detailOf(reply);
	if (detail === "2.1" && reply.code >= 500) return "mailbox closed";
	if (detail === "2.2") return "mailbox full";
	return detail.startsWith("2.") || (detail === "" && reply.code === 552) ? "unnamed" : "address";
}

/** True if the message is too large. At MAIL, where its size is announced, 552 says so without an enhanced code too. Pure. */
export function isTooLarge(command: string, reply: SmtpReply): boolean {
	const detail = detailOf(reply);
	return detail === "3.4" || detail === "2.3" || (detail === "" && reply.code === 552 && command.startsWith("MAIL"));
}

/** True if the server refuses because of what the message contains, such as a type of file or an encoding. Pure. */
export function isAboutContent(reply: SmtpReply): boolean {
	return detailOf(reply).startsWith("6.");
}

/** True if the server wants encryption before anything else. 530 also means a missing sign-in, and only its text tells them apart. Pure. */
export function isAboutEncryption(reply: SmtpReply): boolean {
	const detail = detailOf(reply);
	if (reply.code === 523 || reply.code === 538 || detail === "7.10" || detail === "7.11") return true;
	return reply.code === 530 && /\b(?:STARTTLS|TLS|SSL|encrypt)/i.test(reply.text);
}

/** Subject and detail of the enhanced code, such as `7.1`. Empty if there is none, or if it says nothing, as 5.0.0 does. */
function detailOf({ enhanced = "" }: SmtpReply): string {
	const detail = enhanced.slice(2);
	return detail === "0.0" ? "" : detail;
}
