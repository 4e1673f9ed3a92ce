import { z } from "zod";
import { isRecord } from "./is-record.ts";

const OtherBlock = z.discriminatedUnion("type", [
	z.object({ type: z.literal("image"), mimeType: z.string().catch("unknown type") }),
	z.object({ type: z.literal("audio"), mimeType: z.string().catch("unknown type") }),
	z.object({ type: z.literal("resource_link"), uri: z.string(), name: z.string().catch("") }),
	z.object({
		type: z.literal("resource"),
		resource: z.object({ uri: z.string().catch(""), text: z.string().optional().catch(undefined) }),
	}),
]);

/** The text of a content block; other media are only named. Empty for any other value. */
export function contentText(value: unknown): string {
	if (!isRecord(value)) return "";
	const { type, text } = value;
	// Most blocks are text, and checking them with a schema would take several times as long.
	if (type === "text") return typeof text === "string" ? text : "";
	const parsed = OtherBlock.safeParse(value);
	if (!parsed.success) return "";
	const block = parsed.data;
	switch (block.type) {
		case "image":
		case "audio":
			return `[${block.type}: ${block.mimeType}]`;
		case "resource_link":
			return block.name === "" ? block.uri : `${block.name} (${block.uri})`;
		case "resource":
			return block.resource.text ?? `[resource: ${block.resource.uri}]`;
	}
}
