import { pathToFileURL } from "node:url";
import type { ContentBlock } from "@agentclientprotocol/sdk";
import type { ProviderTurn } from "../../../ports/agents/provider.ts";

/**
 * The blocks of session/prompt. Attachments are named in the text, for agents that drop links, and also linked, for agents that read them.
 * The user's message comes last in the text.
 */
export function promptBlocks({ composedPrompt, attachments }: Pick<ProviderTurn, "composedPrompt" | "attachments">): ContentBlock[] {
	const named = attachments.map(({ name, mediaType, path }) => `- ${name} (${mediaType}): ${path}`);
	const mention = named.length === 0 ? "" : `Files attached to this message:\n${named.join("\n")}\n\n`;
	const links = attachments.map(({ name, mediaType, path }): ContentBlock => {
		return { type: "resource_link", uri: pathToFileURL(path).href, name, mimeType: mediaType };
	});
	return [{ type: "text", text: mention + composedPrompt }, ...links];
}
