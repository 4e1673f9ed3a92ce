import type { ChatCompletionCreateParamsStreaming, ChatCompletionMessageParam } from "openai/resources/chat/completions";
import type { ModelMessage, ModelRequest } from "../../../../ports/models/model-client.ts";
import { sendableName } from "../exchange/tool-name.ts";
import { inputText, resultText, textIn } from "./openai-words.ts";

/**
 * A request in the format of OpenAI's Chat Completions API. Pure.
 * @param isOpenAi true for OpenAI's own server, which has a new name for the output limit that other servers do not know
 */
export function chatRequest(request: ModelRequest, isOpenAi: boolean): ChatCompletionCreateParamsStreaming {
	const { model, instructions, messages, tools, mustCall, maxOutputTokens } = request;
	const system = instructions === "" ? [] : [{ role: "system" as const, content: instructions.toWellFormed() }];
	return {
		model,
		stream: true,
		stream_options: { include_usage: true },
		...(isOpenAi ? { max_completion_tokens: maxOutputTokens } : { max_tokens: maxOutputTokens }),
		messages: [...system, ...messages.flatMap(messagesOf)],
		...(tools.length === 0
			? {}
			: {
					tools: tools.map(({ name, description, input }) => ({
						type: "function" as const,
						function: { name, description, parameters: { ...input } },
					})),
				}),
		...(mustCall !== undefined && { tool_choice: { type: "function", function: { name: mustCall } } }),
	};
}

function messagesOf(message: ModelMessage): readonly ChatCompletionMessageParam[] {
	switch (message.role) {
		case "user":
			return [{ role: "user", content: message.text.toWellFormed() }];
		case "assistant": {
			const text = textIn(message.parts);
			const calls = message.parts.filter((part) => part.kind === "call");
			if (text === "" && calls.length === 0) return [];
			const tool_calls = calls.map((call) => ({
				id: call.callId,
				type: "function" as const,
				function: { name: sendableName(call.tool), arguments: inputText(call) },
			}));
			return [{ role: "assistant", content: text === "" ? null : text, ...(calls.length === 0 ? {} : { tool_calls }) }];
		}
		case "tools":
			return message.results.map((result) => ({ role: "tool", tool_call_id: result.callId, content: resultText(result) }));
	}
}
