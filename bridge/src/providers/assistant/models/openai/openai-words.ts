import type { ModelMessage, ModelPart } from "../../../../ports/model-client.ts";

type ToolResult = Extract<ModelMessage, { role: "tools" }>["results"][number];

/** The text of a reply, without its calls. */
export function textIn(parts: readonly ModelPart[]): string {
	const texts = parts.flatMap((part) => (part.kind === "text" ? [part.text] : []));
	return texts.join("").toWellFormed();
}

/** The input of a call as JSON. Servers read it, so one that was no JSON is sent as a text within an object. */
export function inputText({ input }: Extract<ModelPart, { kind: "call" }>): string {
	const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
	return JSON.stringify(isObject ? input : { unreadable: input });
}

/** This protocol has no field for a call that failed. */
export function resultText({ text, isError }: ToolResult): string {
	return (isError ? `Error: ${text}` : text).toWellFormed();
}
