import type { MessageCreateParamsStreaming, MessageParam } from "@anthropic-ai/sdk/resources/messages";
import type { ModelMessage, ModelPart, ModelRequest } from "../../../../ports/models/model-client.ts";
import { members } from "../exchange/members.ts";
import { sendableName } from "../exchange/tool-name.ts";

/** A request in the format of Anthropic's Messages API. Pure. */
export function anthropicRequest({
	model,
	instructions,
	messages,
	tools,
	mustCall,
	maxOutputTokens,
}: ModelRequest): MessageCreateParamsStreaming {
	return {
		model,
		max_tokens: maxOutputTokens,
		stream: true,
		messages: messages.flatMap(messageOf),
		// Asks the server to cache tools and instructions. Of these, usually only the time in the instructions differs between requests.
		...(instructions === "" ? {} : { system: [{ type: "text", text: instructions.toWellFormed(), cache_control: { type: "ephemeral" } }] }),
		...(tools.length === 0
			? {}
			: {
					tools: tools.map(({ name, description, input }) => ({ name, description, input_schema: { ...input, type: "object" as const } })),
				}),
		...(mustCall !== undefined && { tool_choice: { type: "tool", name: mustCall } }),
	};
}

function messageOf(message: ModelMessage): readonly MessageParam[] {
	switch (message.role) {
		case "user":
			return [{ role: "user", content: message.text.toWellFormed() }];
		case "assistant": {
			// Anthropic refuses blocks without text.
			const said = message.parts.filter((part) => part.kind === "call" || part.text.trim() !== "");
			return said.length === 0 ? [] : [{ role: "assistant", content: said.map(blockOf) }];
		}
		case "tools":
			return [
				{
					role: "user",
					content: message.results.map(({ callId, text, isError }) => ({
						type: "tool_result",
						tool_use_id: callId,
						content: text.toWellFormed(),
						is_error: isError,
					})),
				},
			];
	}
}

function blockOf(part: ModelPart) {
	if (part.kind === "text") return { type: "text", text: part.text.toWellFormed() } as const;
	const { callId, tool, input } = part;
	const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
	return { type: "tool_use", id: callId, name: sendableName(tool), input: isObject ? members(input) : { unreadable: input } } as const;
}
