import { type Answer, argsOf, mint, openEvents, pieces, sendJson, tokens, wholeText } from "./answer.ts";
import { objectOf } from "./json.ts";
import { smallestValue } from "./tool-input.ts";

const usageMetadata = {
	promptTokenCount: tokens.input,
	candidatesTokenCount: tokens.output,
	totalTokenCount: tokens.input + tokens.output,
};

/** Gemini generateContent and streamGenerateContent. */
export async function answerGemini(answer: Answer): Promise<void> {
	const { response, stream, model } = answer;
	const candidate = (parts: readonly object[], finishReason?: string) => ({
		candidates: [{ content: { role: "model", parts }, index: 0, ...(finishReason === undefined ? {} : { finishReason }) }],
		usageMetadata,
		modelVersion: model,
		responseId: mint("r"),
	});
	if (!stream) {
		const text = jsonWanted(answer) ?? (await wholeText(answer));
		return sendJson(response, 200, candidate([...(text === "" ? [] : [{ text }]), ...functionCall(answer)], "STOP"));
	}
	const events = openEvents(response);
	for await (const piece of pieces(answer)) {
		events.data(candidate(["thought" in piece ? { text: piece.thought, thought: true } : { text: piece.text }]));
	}
	const call = functionCall(answer);
	events.data(candidate(call.length > 0 ? call : [{ text: "" }], "STOP"));
	response.end();
}

/** Side questions that ask for JSON get the smallest value of their schema. */
function jsonWanted({ body }: Answer): string | undefined {
	const config = objectOf(body.generationConfig);
	if (config.responseMimeType !== "application/json") return undefined;
	return JSON.stringify(smallestValue({ type: "object", ...objectOf(config.responseJsonSchema ?? config.responseSchema) }));
}

function functionCall({ act }: Answer): readonly object[] {
	return act.type === "tool" ? [{ functionCall: { id: mint("fc"), name: act.name, args: argsOf(act.input) } }] : [];
}
