import { createHash } from "node:crypto";
import { ContractError, formatExcess, type PayloadPart } from "@xworkmate/contracts";
import { z } from "zod";
import type { Built, Message, MessageFile } from "../../ports/channels/channel.ts";

/** In UTF-16 units. Meta's own count of a text is never higher. */
export const MOST_TEXT = 4_096;
const MOST_CAPTION = 1_024;
const MIB = 1024 * 1024;
const MOST_IMAGE_BYTES = 5 * MIB;
const MOST_FILE_BYTES = 100 * MIB;
/** Separates the message from the file in a payload. The message is JSON on one line, so it contains no line feed. */
const LINE_END = 0x0a;

const WITH_FILE = "application/vnd.xworkmate.whatsapp-file";
const MEDIA_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/;
/** Media types that Meta accepts only as plain text. */
const TEXT = /^(?:text\/|application\/(?:json|xml|yaml|toml)$)/;

const FileLine = z.strictObject({
	message: z.record(z.string(), z.unknown()),
	file: z.strictObject({ name: z.string(), mediaType: z.string() }),
});
const Addressed = z.looseObject({ to: z.string() });
const FileMessage = z.looseObject({ type: z.enum(["image", "document"]) });
const TypedMessage = z.looseObject({ type: z.string() });
/** A text message has a `body`; a message with a file has a `caption`. */
const Words = z.object({ body: z.string().optional(), caption: z.string().optional() });
const FileMember = z.record(z.string(), z.string());

interface PayloadBytes {
	readonly mediaType: string;
	readonly bytes: Uint8Array;
}

/** A file that has to be uploaded to Meta before the message that refers to it. */
export interface Upload {
	readonly name: string;
	readonly mediaType: string;
	readonly bytes: Uint8Array;
}

/**
 * The bytes that are sent for a message: the JSON of the request. With a file, the payload is a line with that JSON, followed by the file.
 * The only thing added on sending is the id that Meta gives the file.
 *
 * The message carries the action's id without the number of the attempt: the bytes are previewed before there is an attempt, and an action
 * never has two attempts whose outcome is open.
 *
 * @throws ContractError PAYLOAD_TOO_LARGE for more than one file, a file that is too large, or a text that is too long to accompany one
 */
export function buildMessage({ actionId, address, text, files }: Message): Built {
	const [file, ...others] = files;
	if (others.length > 0)
		throw new ContractError("PAYLOAD_TOO_LARGE", {
			detail: `WhatsApp allows one file per message, but the run produced ${files.length}.`,
			fix: "Ask for a single file and run the work again, or send the message by email.",
		});
	const common = {
		messaging_product: "whatsapp",
		recipient_type: "individual",
		to: address,
		...(actionId !== undefined && { biz_opaque_callback_data: actionId }),
	};
	const part = textPart(text);
	if (file === undefined) {
		const bytes = Buffer.from(JSON.stringify({ ...common, type: "text", text: { preview_url: false, body: text } }));
		return built("application/json", bytes, [part]);
	}
	const media = mediaOf(file, text);
	const line: z.infer<typeof FileLine> = { message: { ...common, ...media.member }, file: media.file };
	const bytes = Buffer.concat([Buffer.from(JSON.stringify(line)), Buffer.of(LINE_END), file.bytes]);
	return built(WITH_FILE, bytes, [part, filePart({ ...media.file, bytes: file.bytes })]);
}

/** The recipient of a payload. */
export function recipientOf(payload: PayloadBytes): string {
	const { body } = messageParts(payload);
	return Addressed.parse(JSON.parse(Buffer.from(body(undefined)).toString("utf8"))).to;
}

/** The text and the file of a built message. @throws SyntaxError, ZodError for bytes of another kind */
export function partsOf(payload: PayloadBytes): readonly PayloadPart[] {
	const { upload, body } = messageParts(payload);
	const { type, ...message } = TypedMessage.parse(JSON.parse(Buffer.from(body("")).toString("utf8")));
	const { body: text = "", caption = text } = Words.parse(message[type]);
	return [textPart(caption), ...(upload === undefined ? [] : [filePart(upload)])];
}

/** Splits a payload into the file to upload first, if any, and the request's body once the file's id is known. */
export function messageParts({ mediaType, bytes }: PayloadBytes): {
	readonly upload?: Upload;
	body(mediaId: string | undefined): Uint8Array;
} {
	if (mediaType !== WITH_FILE) return { body: () => bytes };
	const end = bytes.indexOf(LINE_END);
	const { message, file } = FileLine.parse(JSON.parse(Buffer.from(bytes.subarray(0, end)).toString("utf8")));
	const { type } = FileMessage.parse(message);
	const named = FileMember.parse(message[type]);
	return {
		upload: { ...file, bytes: bytes.subarray(end + 1) },
		body: (id) => Buffer.from(JSON.stringify({ ...message, [type]: { id, ...named } })),
	};
}

function mediaOf(file: MessageFile, caption: string) {
	if (caption.length > MOST_CAPTION)
		throw new ContractError("PAYLOAD_TOO_LARGE", {
			detail: `With a file, a WhatsApp message can have at most ${MOST_CAPTION} characters, but this one has ${caption.length}.`,
			fix: "Shorten the message, or send it without the file.",
		});
	const isImage = /^image\/(?:jpeg|png)$/.test(file.mediaType) && file.bytes.byteLength <= MOST_IMAGE_BYTES;
	if (file.bytes.byteLength > MOST_FILE_BYTES) {
		const [size, most] = formatExcess(file.bytes.byteLength, MOST_FILE_BYTES);
		throw new ContractError("PAYLOAD_TOO_LARGE", {
			detail: `${fileName(file)} is ${size}, but WhatsApp accepts files of at most ${most}.`,
			fix: "Send a smaller file, or send this one another way.",
		});
	}
	const mediaType = mediaTypeOf(file);
	const name = fileName(file);
	const member = isImage ? { type: "image", image: { caption } } : { type: "document", document: { caption, filename: name } };
	return { member, file: { name, mediaType } };
}

function mediaTypeOf({ mediaType }: MessageFile): string {
	const plain = (mediaType.split(";", 1)[0] ?? "").trim().toLowerCase();
	if (TEXT.test(plain)) return "text/plain";
	return MEDIA_TYPE.test(plain) ? plain : "application/octet-stream";
}

/** The last part of a path, on one line. */
function fileName({ name }: MessageFile): string {
	const last =
		name
			.replace(/[\p{Cc}\p{Cs}"]+/gu, " ")
			.split(/[/\\]/)
			.at(-1) ?? "";
	return last.trim() === "" ? "file" : last.trim().slice(0, 200).toWellFormed();
}

function built(mediaType: string, bytes: Uint8Array, parts: readonly PayloadPart[]): Built {
	return { payload: { sha256: sha256(bytes), channel: "whatsapp", mediaType, bytes, envelope: "{}" }, parts };
}

function textPart(text: string): PayloadPart {
	return { kind: "text", mediaType: "text/plain", text, bytes: Buffer.byteLength(text), sha256: sha256(text) };
}

function filePart({ name, mediaType, bytes }: Upload): PayloadPart {
	return { kind: "file", mediaType, name, bytes: bytes.byteLength, sha256: sha256(bytes) };
}

function sha256(content: string | Uint8Array): string {
	return createHash("sha256").update(content).digest("hex");
}
