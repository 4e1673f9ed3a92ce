import type { ResponseCreateParamsStreaming, ResponseInputItem } from "openai/resources/responses/responses";
import type { ModelMessage, ModelRequest } from "../../../../ports/models/model-client.ts";
import { sendableName } from "../exchange/tool-name.ts";
import { inputText, resultText } from "./openai-words.ts";

/** A request in the format of OpenAI's Responses API. Nothing is stored on the server, because the bridge keeps the conversation. Pure. */
export function responsesRequest({
	model,
	instructions,
	messages,
	tools,
	mustCall,
	maxOutputTokens,
}: ModelRequest): ResponseCreateParamsStreaming {
	return {
		model,
		stream: true,
		store: false,
		max_output_tokens: maxOutputTokens,
		...(instructions === "" ? {} : { instructions: instructions.toWellFormed() }),
		input: messages.flatMap(itemsOf),
		...(tools.length === 0
			? {}
			: {
					tools: tools.map(({ name, description, input }) => ({
						type: "function" as const,
						name,
						description,
						parameters: { ...input },
						strict: false,
					})),
				}),
		...(mustCall !== undefined && { tool_choice: { type: "function", name: mustCall } }),
	};
}

function itemsOf(message: ModelMessage): readonly ResponseInputItem[] {
	switch (message.role) {
		case "user":
			return [{ role: "user", content: message.text.toWellFormed() }];
		case "assistant":
			return message.parts.flatMap((part): readonly ResponseInputItem[] => {
				if (part.kind === "text") return part.text === "" ? [] : [{ role: "assistant", content: part.text.toWellFormed() }];
				return [{ type: "function_call", call_id: part.callId, name: sendableName(part.tool), arguments: inputText(part) }];
			});
		case "tools":
			return message.results.map((result) => ({ type: "function_call_output", call_id: result.callId, output: resultText(result) }));
	}
}
