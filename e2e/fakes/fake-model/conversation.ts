import { type JsonObject, listOf, objectOf, stringOf, textOf } from "./json.ts";

export type Dialect = "chat" | "responses" | "anthropic" | "gemini";

export interface Turn {
	readonly role: string;
	readonly text: string;
}

export interface OfferedTool {
	readonly name: string;
	readonly schema: JsonObject;
	/** `function`, or `custom` for a tool that takes free text. */
	readonly kind: string;
	readonly namespace?: string;
}

export interface Conversation {
	readonly turns: readonly Turn[];
	readonly tools: readonly OfferedTool[];
}

/** What was said and which tools are offered, the same for every dialect. Tool results have the role `tool`. */
export function readConversation(dialect: Dialect, body: JsonObject): Conversation {
	return readers[dialect](body);
}

const readers: Record<Dialect, (body: JsonObject) => Conversation> = {
	chat: (body) => ({
		turns: listOf(body.messages).map((message) => {
			const { role, content } = objectOf(message);
			return { role: role === "function" ? "tool" : stringOf(role), text: textOf(content) };
		}),
		tools: listOf(body.tools).map((tool) => {
			const definition = objectOf(objectOf(tool).function);
			return { name: stringOf(definition.name), schema: objectOf(definition.parameters), kind: "function" };
		}),
	}),
	responses: (body) => ({
		turns: (typeof body.input === "string" ? [{ role: "user", content: body.input }] : listOf(body.input)).map(responsesTurn),
		tools: listOf(body.tools).flatMap((tool) => responsesTools(objectOf(tool))),
	}),
	anthropic: (body) => ({
		turns: listOf(body.messages).flatMap(anthropicTurns),
		tools: listOf(body.tools).map((tool) => {
			const { name, input_schema } = objectOf(tool);
			return { name: stringOf(name), schema: objectOf(input_schema), kind: "function" };
		}),
	}),
	gemini: (body) => ({
		turns: listOf(body.contents).flatMap(geminiTurns),
		tools: listOf(body.tools)
			.flatMap((group) => listOf(objectOf(group).functionDeclarations))
			.map((tool) => {
				const { name, parametersJsonSchema, parameters } = objectOf(tool);
				return { name: stringOf(name), schema: objectOf(parametersJsonSchema ?? parameters), kind: "function" };
			}),
	}),
};

function responsesTurn(item: unknown): Turn {
	const { type, role, content, output } = objectOf(item);
	if (stringOf(type).endsWith("_output")) return { role: "tool", text: textOf(output) };
	if (typeof role === "string") return { role, text: textOf(content) };
	return { role: "assistant", text: "" };
}

function responsesTools(tool: JsonObject, namespace?: string): OfferedTool[] {
	if (tool.type === "namespace") return listOf(tool.tools).flatMap((inner) => responsesTools(objectOf(inner), stringOf(tool.name)));
	const kind = stringOf(tool.type);
	const named = { name: stringOf(tool.name) || kind, schema: objectOf(tool.parameters), kind };
	return [namespace === undefined ? named : { ...named, namespace }];
}

function anthropicTurns(message: unknown): Turn[] {
	const { role, content } = objectOf(message);
	const blocks = typeof content === "string" ? [{ type: "text", text: content }] : listOf(content);
	return blocks.map((block) => {
		const { type, text, content: inner } = objectOf(block);
		if (type === "tool_use") return { role: stringOf(role), text: "" };
		return { role: type === "tool_result" ? "tool" : stringOf(role), text: textOf(text ?? inner) };
	});
}

function geminiTurns(message: unknown): Turn[] {
	const { role, parts } = objectOf(message);
	return listOf(parts).map((part) => {
		const { functionResponse, functionCall, text } = objectOf(part);
		if (functionResponse !== undefined) return { role: "tool", text: JSON.stringify(objectOf(functionResponse).response ?? {}) };
		return { role: role === "model" ? "assistant" : "user", text: functionCall === undefined ? textOf(text) : "" };
	});
}
