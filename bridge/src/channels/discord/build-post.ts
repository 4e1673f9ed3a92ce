import { createHash } from "node:crypto";
import { ContractError, formatExcess, type PayloadPart } from "@xworkmate/contracts";
import { z } from "zod";
import type { Built, Message, MessageFile } from "../../ports/channels/channel.ts";
import type { Payload } from "../../ports/plans/plan-event.ts";

/** What is needed to send a post, in addition to its bytes. */
export const PostEnvelope = z.strictObject({ to: z.string(), nonce: z.string() });
export type PostEnvelope = z.infer<typeof PostEnvelope>;

/** Discord's own limits. */
export const MOST_CHARACTERS = 2_000;
const MOST_FILES = 10;
const MOST_BYTES = 10 * 1024 * 1024;
/** Discord accepts up to 25 characters. */
const NONCE_LENGTH = 24;
/** Discord would fetch the preview of a link at once, wherever the link leads. */
const SUPPRESS_EMBEDS = 4;
const HIDDEN = /[\p{Cc}\p{Cs}]+/gu;

/**
 * The request body that posts a message: its text unchanged, its files, and no mentions, even if the text contains some. The nonce is
 * derived from the message and its destination, so it is the same for every attempt, and Discord does not post a repeat within a few
 * minutes.
 * @throws ContractError CONTENT_INVALID for more or larger files than Discord accepts
 */
export function buildPost({ actionId, address, text, files }: Message): Built {
	refuseFiles(files);
	const nonce = sha256(JSON.stringify(["delivery", actionId ?? "preview", address])).base64.slice(0, NONCE_LENGTH);
	const names = files.map(fileName);
	const fields = JSON.stringify({
		content: text,
		nonce,
		enforce_nonce: true,
		allowed_mentions: { parse: [] },
		flags: SUPPRESS_EMBEDS,
		...(files.length > 0 && { attachments: names.map((filename, id) => ({ id, filename })) }),
	});
	const { mediaType, bytes } = files.length === 0 ? json(fields) : multipart(fields, files);
	const envelope: PostEnvelope = { to: address, nonce };
	return {
		payload: { sha256: sha256(bytes).hex, channel: "discord", mediaType, bytes, envelope: JSON.stringify(envelope) },
		parts: [textPart(text), ...files.map(filePart)],
	};
}

/** The text and the files of a built post. @throws SyntaxError, TypeError, ZodError for bytes of another kind */
export async function postParts({ mediaType, bytes }: Payload): Promise<readonly PayloadPart[]> {
	if (mediaType === JSON_TYPE) return [textPart(Fields.parse(JSON.parse(Buffer.from(bytes).toString("utf8"))).content)];
	const form = await new Response(Buffer.from(bytes), { headers: { "Content-Type": mediaType } }).formData();
	const { content, attachments } = Fields.parse(JSON.parse(String(form.get("payload_json"))));
	const files = attachments.map(async ({ filename }, index) => {
		const file = form.get(`files[${index}]`);
		if (!(file instanceof Blob)) throw new TypeError(`file ${index + 1} of the post is missing`);
		return filePart({ name: filename, mediaType: file.type, bytes: await file.bytes() });
	});
	return [textPart(content), ...(await Promise.all(files))];
}

/**
 * The parts of a built post that identify it on Discord: its text and the names of its files.
 * @throws SyntaxError, ZodError for bytes of another kind
 */
export function postOf({ mediaType, bytes }: Payload): { readonly content: string; readonly files: readonly string[] } {
	const whole = Buffer.from(bytes).toString("utf8");
	const fields = mediaType === JSON_TYPE ? whole : (whole.split("\r\n\r\n", 2)[1]?.split("\r\n", 1)[0] ?? "");
	const { content, attachments } = Fields.parse(JSON.parse(fields));
	return { content, files: attachments.map(({ filename }) => filename) };
}

const JSON_TYPE = "application/json";
const Fields = z.object({ content: z.string(), attachments: z.array(z.object({ filename: z.string() })).default([]) });

function json(fields: string): { readonly mediaType: string; readonly bytes: Uint8Array } {
	return { mediaType: JSON_TYPE, bytes: Buffer.from(fields) };
}

/** The boundary is derived from all parts, so the author of one of them cannot know it in advance. */
function multipart(fields: string, files: readonly MessageFile[]): { readonly mediaType: string; readonly bytes: Uint8Array } {
	const boundary = `post-${sha256(JSON.stringify([fields, files.map(({ bytes }) => sha256(bytes).hex)])).hex.slice(0, 40)}`;
	const head = (disposition: string, type: string) =>
		Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: ${type}\r\n\r\n`);
	const end = Buffer.from("\r\n");
	const parts = files.flatMap((file, index) => [
		head(`name="files[${index}]"; filename="${fileName(file)}"`, "application/octet-stream"),
		file.bytes,
		end,
	]);
	const bytes = Buffer.concat([
		head('name="payload_json"', JSON_TYPE),
		Buffer.from(fields),
		end,
		...parts,
		Buffer.from(`--${boundary}--\r\n`),
	]);
	return { mediaType: `multipart/form-data; boundary=${boundary}`, bytes };
}

function refuseFiles(files: readonly MessageFile[]): void {
	const sum = files.reduce((bytes, file) => bytes + file.bytes.byteLength, 0);
	if (files.length <= MOST_FILES && sum <= MOST_BYTES) return;
	const [size, most] = formatExcess(sum, MOST_BYTES);
	throw new ContractError("CONTENT_INVALID", {
		detail: `A Discord message can have at most ${MOST_FILES} files and ${most}, but this one has ${files.length === 1 ? "1 file" : `${files.length} files`} and ${size}.`,
		fix: "Send fewer or smaller files.",
	});
}

function textPart(text: string): PayloadPart {
	return { kind: "text", mediaType: "text/markdown", text, bytes: Buffer.byteLength(text), sha256: sha256(text).hex };
}

function filePart(file: MessageFile): PayloadPart {
	const { bytes, mediaType } = file;
	return { kind: "file", mediaType: mediaType.slice(0, 200), name: fileName(file), bytes: bytes.byteLength, sha256: sha256(bytes).hex };
}

/** The last part of a path, without characters that would end a quoted header value. */
function fileName({ name }: MessageFile): string {
	const last = name.replace(HIDDEN, " ").trim().split(/[/\\]/).at(-1)?.replaceAll('"', "'").slice(0, 200).toWellFormed() ?? "";
	return last === "" ? "file" : last;
}

function sha256(content: string | Uint8Array): { readonly hex: string; readonly base64: string } {
	const digest = createHash("sha256").update(content).digest();
	return { hex: digest.toString("hex"), base64: digest.toString("base64url") };
}
