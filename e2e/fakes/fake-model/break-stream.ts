import type { ServerResponse } from "node:http";
import type { StreamFault } from "./account-behaviour.ts";
import { type EventWriter, mint, openEvents, tokens } from "./answer.ts";
import type { Dialect } from "./conversation.ts";

const FLOOD_BYTES = 64 * 1024;
const HALF = "This is the first half of an";

/** Begins an answer, and does not end it as it should. */
export async function breakStream(
	response: ServerResponse,
	dialect: Dialect,
	model: string,
	fault: StreamFault,
	message: string,
): Promise<void> {
	const events = openEvents(response);
	begin(events, dialect, model);
	switch (fault) {
		case "error":
			fail(events, dialect, message);
			return void response.end();
		case "cut":
			// What was written reaches the caller first: the socket is closed with its next turn.
			return void response.write(": last words\n\n", () => setImmediate(() => response.socket?.resetAndDestroy()));
		case "end":
			return void response.end();
		case "silent":
			return;
		case "flood":
			return flood(response);
	}
}

function begin(events: EventWriter, dialect: Dialect, model: string): void {
	const id = mint("half_");
	if (dialect === "anthropic") {
		const message = {
			id,
			type: "message",
			role: "assistant",
			model,
			content: [],
			stop_reason: null,
			usage: { input_tokens: tokens.input },
		};
		events.event("message_start", { type: "message_start", message });
		events.event("content_block_start", { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } });
		events.event("content_block_delta", { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: HALF } });
	} else if (dialect === "responses") {
		events.event("response.created", { type: "response.created", response: { id, model, status: "in_progress", output: [] } });
		events.event("response.output_text.delta", { type: "response.output_text.delta", output_index: 0, content_index: 0, delta: HALF });
	} else {
		events.data({ id, model, choices: [{ index: 0, delta: { role: "assistant", content: HALF }, finish_reason: null }] });
	}
}

function fail(events: EventWriter, dialect: Dialect, message: string): void {
	const error = { type: "overloaded_error", message };
	if (dialect === "anthropic") events.event("error", { type: "error", error });
	else if (dialect === "responses") events.event("error", { type: "error", code: "server_error", message });
	else events.data({ error });
}

async function flood(response: ServerResponse): Promise<void> {
	const closed = new Promise((resolve) => void response.once("close", resolve));
	while (!response.destroyed) {
		const isTaken = response.write(`: ${"x".repeat(FLOOD_BYTES)}\n\n`);
		if (!isTaken) await Promise.race([closed, new Promise((resolve) => void response.once("drain", resolve))]);
	}
}
