import { type Answer, argsText, mint, openEvents, pieces, sendJson, tokens } from "./answer.ts";

type Emit = (type: string, fields: object) => void;

const usage = {
	input_tokens: tokens.input,
	input_tokens_details: { cached_tokens: 0 },
	output_tokens: tokens.output,
	output_tokens_details: { reasoning_tokens: 0 },
	total_tokens: tokens.input + tokens.output,
};

/** OpenAI Responses. The items are built as they are streamed, so that both forms are the same answer. */
export async function answerResponses(answer: Answer): Promise<void> {
	const { response, stream, model } = answer;
	const base = { ...emptyResponse, id: mint("resp_"), created_at: Math.floor(Date.now() / 1000), model };
	const events = stream ? openEvents(response) : undefined;
	let sequence = 0;
	const emit: Emit = (type, fields) => events?.event(type, { type, sequence_number: sequence++, ...fields });
	emit("response.created", { response: { ...base, status: "in_progress", output: [] } });
	const output = await emitItems(answer, emit);
	const completed = { ...base, status: "completed", output, usage };
	if (!stream) return sendJson(response, 200, completed);
	emit("response.completed", { response: completed });
	response.end();
}

const emptyResponse = {
	object: "response",
	usage: null,
	error: null,
	incomplete_details: null,
	instructions: null,
	parallel_tool_calls: true,
	tool_choice: "auto",
	tools: [],
	temperature: 1,
	top_p: 1,
	metadata: {},
};

async function emitItems(answer: Answer, emit: Emit): Promise<readonly object[]> {
	const output: object[] = [];
	let thought = "";
	let text = "";
	for await (const piece of pieces(answer)) {
		if ("thought" in piece) thought += piece.thought;
		else {
			if (thought !== "") output.push(emitReasoning(thought, output.length, emit));
			thought = "";
			if (text === "") emitMessageStart(output.length, emit);
			text += piece.text;
			emit("response.output_text.delta", { item_id: MESSAGE_ID, output_index: output.length, content_index: 0, delta: piece.text });
		}
	}
	if (text !== "") output.push(emitMessageEnd(text, output.length, emit));
	if (answer.act.type === "tool") output.push(emitCall(answer.act, output.length, emit));
	return output;
}

const MESSAGE_ID = "msg_scripted";

function emitReasoning(thought: string, index: number, emit: Emit): object {
	const id = mint("rs_");
	emit("response.output_item.added", { output_index: index, item: { id, type: "reasoning", summary: [] } });
	const place = { item_id: id, output_index: index, summary_index: 0 };
	emit("response.reasoning_summary_part.added", { ...place, part: { type: "summary_text", text: "" } });
	emit("response.reasoning_summary_text.delta", { ...place, delta: thought });
	const item = { id, type: "reasoning", summary: [{ type: "summary_text", text: thought }] };
	emit("response.output_item.done", { output_index: index, item });
	return item;
}

function emitMessageStart(index: number, emit: Emit): void {
	const item = { id: MESSAGE_ID, type: "message", status: "in_progress", role: "assistant", content: [] };
	emit("response.output_item.added", { output_index: index, item });
	const part = { type: "output_text", text: "", annotations: [] };
	emit("response.content_part.added", { item_id: MESSAGE_ID, output_index: index, content_index: 0, part });
}

function emitMessageEnd(text: string, index: number, emit: Emit): object {
	const part = { type: "output_text", text, annotations: [] };
	const item = { id: MESSAGE_ID, type: "message", status: "completed", role: "assistant", content: [part] };
	const place = { item_id: MESSAGE_ID, output_index: index, content_index: 0 };
	emit("response.output_text.done", { ...place, text });
	emit("response.content_part.done", { ...place, part });
	emit("response.output_item.done", { output_index: index, item });
	return item;
}

function emitCall(act: Extract<Answer["act"], { type: "tool" }>, index: number, emit: Emit): object {
	const custom = "custom" in act.input;
	const [field, value] = "custom" in act.input ? ["input", act.input.custom] : ["arguments", argsText(act.input)];
	const item = {
		id: mint(custom ? "ctc_" : "fc_"),
		type: custom ? "custom_tool_call" : "function_call",
		status: "completed",
		call_id: mint("call_"),
		name: act.name,
		[field]: value,
		...(act.namespace === undefined || custom ? {} : { namespace: act.namespace }),
	};
	const stage = custom ? "custom_tool_call_input" : "function_call_arguments";
	emit("response.output_item.added", { output_index: index, item: { ...item, status: "in_progress", [field]: "" } });
	emit(`response.${stage}.delta`, { item_id: item.id, output_index: index, delta: value });
	emit(`response.${stage}.done`, { item_id: item.id, output_index: index, [field]: value });
	emit("response.output_item.done", { output_index: index, item });
	return item;
}
