import { readFile } from "node:fs/promises";
import type { ProviderTurn } from "../../../ports/agents/provider.ts";
import type { ChatAttachment, ChatMessage } from "../gateway/gateway-api.ts";
import type { Hello } from "../gateway/gateway-frame.ts";

/** Room in a frame for everything except the message and its attachments. */
const FRAME_BYTES = 64 * 1024;

/** The user's message and attachments, in the form of `chat.send`. */
export async function chatMessage({ prompt, attachments }: ProviderTurn): Promise<ChatMessage> {
	return { message: prompt, attachments: await Promise.all(attachments.map(toAttachment)) };
}

async function toAttachment({ path, name, mediaType }: ProviderTurn["attachments"][number]): Promise<ChatAttachment> {
	const content = await readFile(path, "base64");
	return { type: mediaType.startsWith("image/") ? "image" : "file", mimeType: mediaType, fileName: name, content };
}

/** Why this gateway would not accept the message; undefined if it may. Pure. */
export function messageProblem({ message, attachments }: ChatMessage, { policy }: Hello): string | undefined {
	for (const { type, fileName, content } of attachments) {
		const bytes = Math.floor((content.length * 3) / 4);
		const limit = type === "image" ? policy.attachments?.maxImageBytes : policy.attachments?.maxBytes;
		if (limit !== undefined && bytes > limit) return `The gateway accepts attachments of at most ${limit} bytes; ${fileName} is larger.`;
	}
	// The size in the frame, where a control character takes up to six bytes.
	const bytes = Buffer.byteLength(JSON.stringify(message)) + attachments.reduce((sum, { content }) => sum + content.length, 0);
	if (bytes + FRAME_BYTES <= policy.maxPayload) return undefined;
	return `The gateway accepts at most ${policy.maxPayload} bytes at once; the message and its attachments are larger than that.`;
}
