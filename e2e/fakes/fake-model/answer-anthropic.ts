import {
	type Answer,
	argsOf,
	argsText,
	chunks,
	type EventWriter,
	mint,
	openEvents,
	pieces,
	sendJson,
	tokens,
	wholeText,
} from "./answer.ts";

const usage = {
	input_tokens: tokens.input,
	output_tokens: tokens.output,
	cache_creation_input_tokens: 0,
	cache_read_input_tokens: 0,
};

/** Anthropic messages. */
export async function answerAnthropic(answer: Answer): Promise<void> {
	const base = {
		id: mint("msg_"),
		type: "message",
		role: "assistant",
		model: answer.model,
		content: [],
		stop_reason: null,
		stop_sequence: null,
	};
	const stop = answer.act.type === "tool" ? "tool_use" : "end_turn";
	if (!answer.stream) {
		const text = await wholeText(answer);
		const content = [...(text === "" ? [] : [{ type: "text", text }]), ...toolUse(answer)];
		return sendJson(answer.response, 200, { ...base, content, stop_reason: stop, usage });
	}
	const events = openEvents(answer.response);
	emit(events, "message_start", { message: { ...base, usage: { ...usage, output_tokens: 1 } } });
	const blocks = await streamText(answer, events);
	streamToolUse(answer, events, blocks);
	emit(events, "message_delta", { delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: tokens.output } });
	emit(events, "message_stop", {});
	answer.response.end();
}

function emit(events: EventWriter, type: string, fields: object): void {
	events.event(type, { type, ...fields });
}

/** Returns how many content blocks were written. */
async function streamText(answer: Answer, events: EventWriter): Promise<number> {
	let index = -1;
	let open: "thinking" | "text" | undefined;
	for await (const piece of pieces(answer)) {
		const kind = "thought" in piece ? "thinking" : "text";
		if (open !== kind) {
			if (open !== undefined) emit(events, "content_block_stop", { index });
			index++;
			open = kind;
			const block = kind === "text" ? { type: "text", text: "" } : { type: "thinking", thinking: "", signature: "" };
			emit(events, "content_block_start", { index, content_block: block });
		}
		const delta = "thought" in piece ? { type: "thinking_delta", thinking: piece.thought } : { type: "text_delta", text: piece.text };
		emit(events, "content_block_delta", { index, delta });
	}
	if (open !== undefined) emit(events, "content_block_stop", { index });
	return index + 1;
}

function streamToolUse(answer: Answer, events: EventWriter, index: number): void {
	for (const block of toolUse(answer)) {
		emit(events, "content_block_start", { index, content_block: { ...block, input: {} } });
		for (const part of chunks(answer.act.type === "tool" ? argsText(answer.act.input) : "", 40)) {
			emit(events, "content_block_delta", { index, delta: { type: "input_json_delta", partial_json: part } });
		}
		emit(events, "content_block_stop", { index });
	}
}

function toolUse({ act }: Answer) {
	if (act.type !== "tool") return [];
	return [{ type: "tool_use", id: mint("toolu_"), name: act.name, input: argsOf(act.input) }];
}
