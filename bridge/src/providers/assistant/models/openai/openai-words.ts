import type { ModelMessage, ModelPart } from "../../../../ports/models/model-client.ts";

type ToolResult = Extract<ModelMessage, { role: "tools" }>["results"][number];

/** The text of a reply, without its calls. */
export function textIn(parts: readonly ModelPart[]): string {
	const texts = parts.flatMap((part) => (part.kind === "text" ? [part.text] : []));
	return texts.join("").toWellFormed();
}

/** The input of a call as JSON. Servers expect an object, so any other input is sent inside one. */
export function inputText({ input }: Extract<ModelPart, { kind: "call" }>): string {
	const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
	return JSON.stringify(isObject ? input : { unreadable: input });
}

/** The result of a call as text, which says whether the call failed, because this protocol has no field for that. */
export function resultText({ text, isError }: ToolResult): string {
	return (isError ? `Error: ${text}` : text).toWellFormed();
}
