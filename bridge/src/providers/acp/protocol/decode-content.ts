import { z } from "zod";

const Block = z.discriminatedUnion("type", [
	z.object({ type: z.literal("text"), text: z.string() }),
	z.object({ type: z.literal("image"), mimeType: z.string().catch("unknown type") }),
	z.object({ type: z.literal("audio"), mimeType: z.string().catch("unknown type") }),
	z.object({ type: z.literal("resource_link"), uri: z.string(), name: z.string().catch("") }),
	z.object({
		type: z.literal("resource"),
		resource: z.object({ uri: z.string().catch(""), text: z.string().optional().catch(undefined) }),
	}),
]);

/** A content block as text; other media are only named. Empty for anything but a content block. */
export function contentText(value: unknown): string {
	const parsed = Block.safeParse(value);
	if (!parsed.success) return "";
	const block = parsed.data;
	switch (block.type) {
		case "text":
			return block.text;
		case "image":
		case "audio":
			return `[${block.type}: ${block.mimeType}]`;
		case "resource_link":
			return block.name === "" ? block.uri : `${block.name} (${block.uri})`;
		case "resource":
			return block.resource.text ?? `[resource: ${block.resource.uri}]`;
	}
}
