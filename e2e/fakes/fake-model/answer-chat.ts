import { type Answer, argsText, chunks, mint, openEvents, pieces, sendJson, tokens, wholeText } from "./answer.ts";

const usage = { prompt_tokens: tokens.input, completion_tokens: tokens.output, total_tokens: tokens.input + tokens.output };

/** OpenAI chat completions. */
export async function answerChat(answer: Answer): Promise<void> {
	const base = {
		id: mint("chatcmpl-"),
		object: answer.stream ? "chat.completion.chunk" : "chat.completion",
		created: Math.floor(Date.now() / 1000),
		model: answer.model,
	};
	return answer.stream ? streamed(answer, base) : whole(answer, base);
}

async function whole(answer: Answer, base: object): Promise<void> {
	const call = toolCall(answer);
	const content = (await wholeText(answer)) || null;
	const message = { role: "assistant", content, ...(call === undefined ? {} : { tool_calls: [call] }) };
	sendJson(answer.response, 200, { ...base, choices: [{ index: 0, message, finish_reason: finishReason(answer) }], usage });
}

async function streamed(answer: Answer, base: object): Promise<void> {
	const events = openEvents(answer.response);
	const delta = (value: object, finish: string | null = null) =>
		events.data({ ...base, choices: [{ index: 0, delta: value, finish_reason: finish }] });
	delta({ role: "assistant", content: "" });
	for await (const piece of pieces(answer)) delta("thought" in piece ? { reasoning_content: piece.thought } : { content: piece.text });
	const call = toolCall(answer);
	if (call !== undefined) {
		delta({ tool_calls: [{ ...call, index: 0, function: { name: call.function.name, arguments: "" } }] });
		for (const part of chunks(call.function.arguments, 40)) delta({ tool_calls: [{ index: 0, function: { arguments: part } }] });
	}
	delta({}, finishReason(answer));
	events.data({ ...base, choices: [], usage });
	events.raw("data: [DONE]\n\n");
	answer.response.end();
}

function toolCall({ act }: Answer) {
	if (act.type !== "tool") return undefined;
	return { id: mint("call_"), type: "function", function: { name: act.name, arguments: argsText(act.input) } };
}

function finishReason({ act }: Answer): string {
	return act.type === "tool" ? "tool_calls" : "stop";
}
