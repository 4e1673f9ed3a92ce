import { rootCertificates } from "node:tls";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import { z } from "zod";
import type { HandOver } from "../../ports/channels/channel.ts";
import type { Envelope } from "./build-mail.ts";
import type { MailServer } from "./email-settings.ts";
import { EnvelopeAnswers } from "./envelope-answers.ts";
import { MessageStream } from "./message-stream.ts";

/** How far an exchange with a mail server got. `given`: the server may have the whole message. */
export type SmtpPhase = "connect" | "sign_in" | "envelope" | "content" | "given";

/** How an exchange ended. */
export type SmtpEnd =
	| { readonly kind: "accepted" }
	/** The server refused, in a complete reply. */
	| { readonly kind: "refused"; readonly phase: SmtpPhase; readonly reply: SmtpReply; readonly command: string }
	/** Nothing was sent: the message exceeds the limit that the server announced. Sizes in bytes; `limit` is undefined if it is not known. */
	| { readonly kind: "too_large"; readonly phase: SmtpPhase; readonly bytes: number; readonly limit: number | undefined }
	/** Any other end: the connection or protocol failed, or the caller gave up. `code`: from the system, TLS, the library or this file. */
	| { readonly kind: "broken"; readonly phase: SmtpPhase; readonly code: string; readonly command: string };

export interface SmtpReply {
	/** Three digits. */
	readonly code: number;
	/** Such as `5.7.1`, if the server sends an enhanced code. */
	readonly enhanced?: string;
	/** The whole reply; untrusted. */
	readonly text: string;
}

/** Milliseconds. */
export interface SmtpLimits {
	readonly connectMs: number;
	/** The longest time without a byte in either direction. */
	readonly idleMs: number;
}

export interface SmtpOrder {
	readonly server: MailServer;
	/** Certificates in PEM that are trusted in addition to those that come with Node. */
	readonly ca: string | undefined;
	readonly envelope: Envelope;
	readonly bytes: Uint8Array;
	readonly limits: SmtpLimits;
}

const ORDERED: readonly [SmtpPhase, ...SmtpPhase[]] = ["connect", "sign_in", "envelope", "content", "given"];
/** The code of an exchange that the caller has stopped waiting for. */
export const ABORTED = "ABORTED";
/** The code if the server accepted the connection, but never said that it speaks SMTP. */
export const NO_GREETING = "NO_GREETING";
/** The code if the server accepted the message before all of it was sent. */
export const EARLY = "EARLY";
/** The code if a server that was connected sent nothing for too long. */
export const SILENT = "SILENT";
/** The code if the server closed the connection. */
export const CLOSED = "CLOSED";
const MOST_REPLY_BYTES = 16 * 1024;

/**
 * Hands over one email on its own connection. `handOver` is awaited after the server has asked for the message and before its first byte.
 * The library's result does not say how far the exchange got, so that is taken from the phases seen here.
 * @throws what `handOver` threw
 */
export async function exchangeMail(order: SmtpOrder, handOver: HandOver, signal: AbortSignal): Promise<SmtpEnd> {
	const broken = Promise.withResolvers<never>();
	const answers = new EnvelopeAnswers(broken.reject);
	const reached = { phase: ORDERED[0] };
	const begin = (next: SmtpPhase) => {
		if (next === "envelope") answers.begin();
		if (ORDERED.indexOf(next) <= ORDERED.indexOf(reached.phase)) return;
		reached.phase = next;
	};
	const message = new MessageStream({
		bytes: order.bytes,
		handOver: () => {
			begin("content");
			return handOver();
		},
		onGiven: () => begin("given"),
	});
	message.on("error", () => undefined);
	// The library's log has only the commands and replies: no bytes of the message, and no password.
	const connection = new SMTPConnection({ ...connectionOptions(order), logger: answers.log, transactionLog: true });
	broken.promise.catch(() => undefined);
	const abort = () => broken.reject(new NobodyWaits());
	// The listener is never removed, because an error after the end would otherwise be uncaught.
	connection.on("error", broken.reject);
	// Deferred, because a reply that the server sent before it closed the connection, such as 421, still has to be read.
	connection.once("end", () => setImmediate(() => broken.reject(new Error("the connection is closed"))));
	signal.addEventListener("abort", abort, { once: true });
	let end: SmtpEnd;
	try {
		if (signal.aborted) abort();
		await Promise.race([broken.promise, converse(connection, order, message, begin)]);
		// A message counts as accepted only if all of it was sent, whatever the server says.
		end = reached.phase === "given" ? { kind: "accepted" } : { kind: "broken", phase: reached.phase, code: EARLY, command: "DATA" };
	} catch (error) {
		end = endOf(error, reached.phase, order.bytes.byteLength);
	} finally {
		signal.removeEventListener("abort", abort);
	}
	message.destroy();
	if (end.kind === "accepted") connection.quit();
	else connection.close();
	// Waits until a hand-over that has begun is recorded or has failed, so that the caller knows which before it gets the outcome.
	await message.handedOver;
	return end;
}

async function converse(
	connection: SMTPConnection,
	{ server, envelope, bytes }: SmtpOrder,
	message: MessageStream,
	begin: (phase: SmtpPhase) => void,
): Promise<void> {
	await settled((done) => connection.connect(done));
	const { auth } = server;
	if (auth !== undefined) {
		begin("sign_in");
		await settled((done) => connection.login({ user: auth.user, pass: auth.password }, done));
	}
	begin("envelope");
	await settled((done) => connection.send({ ...envelope, size: bytes.byteLength }, message, done));
}

function settled(act: (done: (error?: Error | null) => void) => void): Promise<void> {
	return new Promise((resolve, reject) => act((error) => (error === undefined || error === null ? resolve() : reject(error))));
}

function connectionOptions({ server, ca, limits }: SmtpOrder) {
	const { host, port, security } = server;
	return {
		host,
		port,
		// Keeps the machine's own name private.
		name: "[127.0.0.1]",
		secure: security === "tls",
		requireTLS: security === "starttls",
		ignoreTLS: security === "none",
		connectionTimeout: limits.connectMs,
		dnsTimeout: limits.connectMs,
		greetingTimeout: limits.connectMs,
		socketTimeout: limits.idleMs,
		// Closing destroys the socket at once. An abandoned exchange must not continue unnoticed: its message would be sent after its outcome
		// was recorded.
		socketCloseTimeout: 0,
		maxResponseSize: MOST_REPLY_BYTES,
		tls: { minVersion: "TLSv1.2", ...(ca !== undefined && { ca: [...rootCertificates, ca] }) },
	} as const;
}

function endOf(error: unknown, phase: SmtpPhase, bytes: number): SmtpEnd {
	if (error instanceof NobodyWaits) return { kind: "broken", phase, command: "", code: ABORTED };
	const { responseCode, response, command = "", code = "", originalCode, timeoutType, message = "" } = Failure.parse(error);
	// The library compares the sizes before its first command about the message. The server has not been asked.
	if (phase === "envelope" && code === "EMESSAGE" && response === undefined)
		return { kind: "too_large", phase, bytes, limit: announcedSize(message) };
	if (responseCode === undefined || response === undefined || responseCode < 400)
		return { kind: "broken", phase, command, code: ownCode(code, originalCode, timeoutType) ?? originalCode ?? code };
	const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1];
	return { kind: "refused", phase, command, reply: { code: responseCode, text: response, ...(enhanced !== undefined && { enhanced }) } };
}

/** What the library's codes leave open: which timeout expired, and whether there was a connection. */
function ownCode(code: string, originalCode: string | undefined, timeoutType: string | undefined): string | undefined {
	if (timeoutType === "GREETING_TIMEOUT") return NO_GREETING;
	if (timeoutType !== undefined && timeoutType !== "CONNECT_TIMEOUT") return SILENT;
	return originalCode === undefined && (code === "ECONNECTION" || code === "") ? CLOSED : undefined;
}

/** The largest message size that the server announced. Only the text of the library's error contains it. */
function announcedSize(message: string): number | undefined {
	const digits = /larger than allowed (\d{1,15})$/.exec(message)?.[1];
	return digits === undefined ? undefined : Number(digits);
}

class NobodyWaits extends Error {
	override readonly name = "NobodyWaits";
}

/** The fields of the library's error. */
const Failure = z.object({
	code: z.string().optional().catch(undefined),
	/** The code of the system or of TLS, behind the library's own. */
	originalCode: z.string().optional().catch(undefined),
	command: z.string().optional().catch(undefined),
	/** Which of the library's timeouts expired: for the connection, the greeting, the encryption or the next byte. */
	timeoutType: z.string().optional().catch(undefined),
	responseCode: z.number().optional().catch(undefined),
	response: z.string().optional().catch(undefined),
	message: z.string().optional().catch(undefined),
});
