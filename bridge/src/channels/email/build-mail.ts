import { createHash } from "node:crypto";
import type { PayloadPart } from "@xworkmate/contracts";
import MailComposer from "nodemailer/lib/mail-composer";
import { z } from "zod";
import type { Built, Message, MessageFile } from "../../ports/channels/channel.ts";
import { domainOf } from "./email-address.ts";
import type { MailAccount } from "./email-settings.ts";
import { mailHtml } from "./mail-html.ts";
import { headersOf, readMail } from "./read-mail.ts";

/** The sender and the recipient, as sent to the server. */
export const Envelope = z.strictObject({ from: z.string(), to: z.string() });
export type Envelope = z.infer<typeof Envelope>;

/** Media types that would become part of the mail's structure rather than files attached to it. */
const STRUCTURED = /^(?:multipart|message)\//i;
const MEDIA_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/;
const UNKNOWN_TYPE = "application/octet-stream";
const HIDDEN = /[\p{Cc}\p{Cs}]+/gu;

/**
 * A message as the bytes of an email: text, HTML, files. The same message always has the same bytes. Even the boundaries are derived from
 * the parts, so the author of a part cannot know them in advance.
 */
export async function buildMail(
	message: Message,
	{ from, fromName }: Pick<MailAccount, "from" | "fromName">,
	/** Distinguishes the message from every other sent message. If absent, the message's id, time and content are used instead. */
	given?: string,
): Promise<Built> {
	const { text, address, name, at, files, actionId = "preview" } = message;
	const html = mailHtml(text);
	const subject = oneLine(message.subject ?? message.title);
	const content = [at, subject, address, text, files.map(({ bytes }) => sha256(bytes))];
	// After a backup is restored, due-time numbers are reused, and a server may drop a message whose Message-ID it has seen before.
	// So the id also contains a digest of the time and the content, which only the same message shares.
	const id = given ?? `${actionId}.${sha256(JSON.stringify(content)).slice(0, 12)}`;
	const messageId = `<${id}@${domainOf(from)}>`;
	const composer = new MailComposer({
		from: mailbox(from, fromName),
		to: mailbox(address, name),
		subject,
		messageId,
		date: new Date(at),
		// Suppresses out-of-office replies.
		headers: { "Auto-Submitted": "auto-generated" },
		text,
		html,
		attachments: files.map((file) => ({
			filename: fileName(file),
			content: Buffer.from(file.bytes),
			contentType: mediaTypeOf(file),
		})),
		baseBoundary: sha256(JSON.stringify([messageId, ...content])).slice(0, 32),
		newline: "windows",
		disableFileAccess: true,
		disableUrlAccess: true,
	});
	const bytes = await composer.compile().build();
	const envelope: Envelope = { from, to: address };
	return {
		payload: { sha256: sha256(bytes), channel: "email", mediaType: "message/rfc822", bytes, envelope: JSON.stringify(envelope) },
		parts: [
			headersPart(headersOf(bytes)),
			textPart("text", "text/plain", text),
			textPart("html", "text/html", html),
			...files.map(filePart),
		],
		providerMessageId: messageId,
	};
}

/** The headers, the texts and the files of an email that was built. @throws Error for an email with another structure */
export async function mailParts(mail: Uint8Array): Promise<readonly PayloadPart[]> {
	const { headers, text, html, files } = await readMail(Buffer.from(mail));
	return [headersPart(headers), textPart("text", "text/plain", text), textPart("html", "text/html", html), ...files.map(filePart)];
}

function headersPart(headers: string): PayloadPart {
	return textPart("headers", "text/rfc822-headers", headers);
}

function textPart(kind: PayloadPart["kind"], mediaType: string, text: string): PayloadPart {
	return { kind, mediaType, text, bytes: Buffer.byteLength(text), sha256: sha256(text) };
}

function filePart(file: MessageFile): PayloadPart {
	return { kind: "file", mediaType: mediaTypeOf(file), name: fileName(file), bytes: file.bytes.byteLength, sha256: sha256(file.bytes) };
}

function mailbox(address: string, name: string | undefined) {
	return { address, name: name === undefined ? "" : oneLine(name) };
}

/** The file's name without its folders, because some mail programs would create them. */
function fileName({ name }: MessageFile): string {
	const last = oneLine(name).split(/[/\\]/).at(-1) ?? "";
	return last === "" ? "file" : last;
}

function mediaTypeOf({ mediaType }: MessageFile): string {
	const plain = mediaType.split(";", 1)[0]?.trim() ?? "";
	return MEDIA_TYPE.test(plain) && !STRUCTURED.test(plain) ? plain : UNKNOWN_TYPE;
}

function oneLine(text: string): string {
	return text.replace(HIDDEN, " ").trim();
}

function sha256(content: string | Uint8Array): string {
	return createHash("sha256").update(content).digest("hex");
}
