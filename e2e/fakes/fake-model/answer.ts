import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Act } from "./decide.ts";
import type { JsonObject } from "./json.ts";
import type { ToolInput } from "./tool-input.ts";

/** One answer being sent. */
export interface Answer {
	readonly response: ServerResponse;
	readonly body: JsonObject;
	readonly model: string;
	readonly stream: boolean;
	readonly act: Act;
}

export type AnswerWriter = (answer: Answer) => Promise<void>;

export const tokens = { input: 123, output: 45 } as const;

const SLOW_STEP_MS = 200;
/** Characters beyond which an answer comes in few pieces: some callers copy all of it for each. */
const LONG = 100_000;
const LONG_PIECE = 1_000_000;

export type Piece = { readonly thought: string } | { readonly text: string };

/** What the model says, in small pieces; a slow answer ends when the caller hangs up. */
export async function* pieces(answer: Answer): AsyncGenerator<Piece> {
	const { act, response } = answer;
	if (act.type === "text") {
		for (const thought of chunks(act.thought ?? "")) yield { thought };
		for (const text of chunks(act.text, act.text.length > LONG ? LONG_PIECE : undefined)) yield { text };
	}
	if (act.type === "tool") for (const text of chunks(act.lead)) yield { text };
	if (act.type === "paced") {
		await delay(act.firstMs);
		for (let piece = 1; piece <= act.count && !response.destroyed; piece++) {
			yield { text: `word ${piece} ` };
			await delay(act.everyMs);
		}
	}
	if (act.type !== "slow") return;
	const until = Date.now() + act.seconds * 1000;
	for (let tick = 1; Date.now() < until && !response.destroyed; tick++) {
		yield { text: `tick ${tick} ` };
		await delay(SLOW_STEP_MS);
	}
	yield { text: "slow done" };
}

/** The whole text, for an answer that is not streamed. */
export async function wholeText(answer: Answer): Promise<string> {
	let text = "";
	for await (const piece of pieces(answer)) if ("text" in piece) text += piece.text;
	return text;
}

export function chunks(text: string, size = 12): readonly string[] {
	return text.match(new RegExp(`[\\s\\S]{1,${size}}`, "gu")) ?? [];
}

export function argsOf(input: ToolInput): JsonObject {
	return "args" in input ? input.args : { input: "raw" in input ? input.raw : input.custom };
}

/** The input as a model writes it. */
export function argsText(input: ToolInput): string {
	return "raw" in input ? input.raw : JSON.stringify(argsOf(input));
}

export function mint(prefix: string): string {
	return prefix + randomBytes(8).toString("hex");
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
	const text = JSON.stringify(value);
	response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
	response.end(text);
}

export interface EventWriter {
	raw(text: string): void;
	data(value: unknown): void;
	event(name: string, value: unknown): void;
}

export function openEvents(response: ServerResponse): EventWriter {
	response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache", "request-id": mint("req_") });
	const raw = (text: string) => void response.write(text);
	return {
		raw,
		data: (value) => raw(`data: ${JSON.stringify(value)}\n\n`),
		event: (name, value) => raw(`event: ${name}\ndata: ${JSON.stringify(value)}\n\n`),
	};
}
