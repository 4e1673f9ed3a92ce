import type { ModelReply } from "../../../../ports/models/model-client.ts";
import { members } from "../exchange/members.ts";
import type { TakeEvent } from "../exchange/model-events.ts";
import type { ReplyDraft } from "../exchange/reply-draft.ts";

const stops: Readonly<Record<string, ModelReply["stop"]>> = {
	tool_use: "calls",
	max_tokens: "length",
	model_context_window_exceeded: "length",
	refusal: "refused",
};

/** Returns a function that adds the events of a message to a reply. Thinking is left out. */
export function takeAnthropicEvents(draft: ReplyDraft): TakeEvent {
	let stop: ModelReply["stop"] = "ended";
	return (event) => {
		const { type, index, content_block: block, delta, message, usage } = members(event);
		switch (type) {
			case "message_start":
				draft.count(countsOf(members(message).usage));
				return "";
			case "content_block_start":
				return begin(draft, index, members(block));
			case "content_block_delta": {
				const { type: kind, text, partial_json } = members(delta);
				if (kind === "text_delta") return draft.say(text);
				if (kind === "input_json_delta" && draft.has(index)) draft.call(index, { input: partial_json });
				return "";
			}
			case "message_delta": {
				const { stop_reason: reason } = members(delta);
				if (typeof reason === "string") stop = stops[reason] ?? "ended";
				draft.count(countsOf(usage));
				return "";
			}
			case "message_stop":
				draft.end(stop);
				return "";
			default:
				return "";
		}
	};
}

function begin(draft: ReplyDraft, index: unknown, { type, id, name, text, input }: Readonly<Record<string, unknown>>): string {
	if (type === "text") return draft.say(text);
	// The input usually arrives in pieces after this event, but some servers send all of it here.
	if (type === "tool_use")
		draft.call(index, { callId: id, tool: name, input: Object.keys(members(input)).length === 0 ? undefined : input });
	return "";
}

/** The token counts. Input that is read from or written to the cache was sent too. */
function countsOf(usage: unknown): { readonly inputTokens?: number; readonly outputTokens?: unknown } {
	const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } = members(usage);
	const sent = [input_tokens, cache_creation_input_tokens, cache_read_input_tokens].filter((count) => typeof count === "number");
	return {
		...(typeof input_tokens === "number" ? { inputTokens: sent.reduce((sum, count) => sum + count, 0) } : {}),
		outputTokens: output_tokens,
	};
}
