import { readFile } from "node:fs/promises";
import { formatBytes } from "@xworkmate/contracts";
import type { ProviderTurn } from "../../../ports/agents/provider.ts";
import type { ChatAttachment, ChatMessage } from "../gateway/gateway-api.ts";
import type { Hello } from "../gateway/gateway-frame.ts";

/** Room in a frame for everything except the message and its attachments. */
const FRAME_BYTES = 64 * 1024;

/** The user's message and attachments, in the form that `chat.send` takes. */
export async function chatMessage({ prompt, attachments }: ProviderTurn): Promise<ChatMessage> {
	return { message: prompt, attachments: await Promise.all(attachments.map(toAttachment)) };
}

async function toAttachment({ path, name, mediaType }: ProviderTurn["attachments"][number]): Promise<ChatAttachment> {
	const content = await readFile(path, "base64");
	return { type: mediaType.startsWith("image/") ? "image" : "file", mimeType: mediaType, fileName: name, content };
}

/** Why this gateway would reject the message; undefined if its limits allow it. Pure. */
export function messageProblem({ message, attachments }: ChatMessage, { policy }: Hello): string | undefined {
	for (const { type, fileName, content } of attachments) {
		const bytes = Buffer.byteLength(content, "base64");
		const limit = type === "image" ? policy.attachments?.maxImageBytes : policy.attachments?.maxBytes;
		if (limit === undefined || bytes <= limit) continue;
		const kind = type === "image" ? "images" : "files";
		return `The gateway accepts ${kind} of at most ${formatBytes(limit)}, and ${fileName} is larger. Send a smaller file.`;
	}
	// Measured as JSON, because a control character takes up to six bytes in the frame.
	const bytes = Buffer.byteLength(JSON.stringify(message)) + attachments.reduce((sum, { content }) => sum + content.length, 0);
	if (bytes + FRAME_BYTES <= policy.maxPayload) return undefined;
	const limit = formatBytes(policy.maxPayload);
	return `As sent to the gateway, the message and its attachments take up more than the ${limit} that it accepts at once. Shorten the message, or send fewer or smaller files.`;
}
