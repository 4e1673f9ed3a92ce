import { items, members } from "../exchange/members.ts";
import type { TakeEvent } from "../exchange/model-events.ts";
import type { ReplyDraft } from "../exchange/reply-draft.ts";

type Members = Readonly<Record<string, unknown>>;

/** Returns a function that adds the events of a response to a reply. An event may be the whole response. */
export function takeResponseEvents(draft: ReplyDraft): TakeEvent {
	/** The items whose text has been added. */
	const spoken = new Set<unknown>();
	let isRefused = false;

	const take = (type: unknown, event: Members): string => {
		const { output_index: place, delta, item, response } = event;
		switch (type) {
			case "response.refusal.delta":
			case "response.output_text.delta":
				isRefused ||= type === "response.refusal.delta";
				spoken.add(place);
				return draft.say(delta);
			case "response.output_item.added":
				takeCall(place, members(item));
				return "";
			case "response.function_call_arguments.delta":
				if (draft.has(place)) draft.call(place, { input: delta });
				return "";
			case "response.function_call_arguments.done":
				draft.callInput(place, event.arguments);
				return "";
			case "response.output_item.done":
				return takeItem(place, members(item));
			case "response.completed":
			case "response.incomplete":
			case "response.failed":
				return conclude(members(response));
			default:
				return "";
		}
	};

	const takeCall = (place: unknown, { type, call_id, name, arguments: input }: Members) => {
		if (type !== "function_call") return;
		draft.call(place, { callId: call_id, tool: name });
		draft.callInput(place, input);
	};

	const takeItem = (place: unknown, item: Members): string => {
		takeCall(place, item);
		if (item.type !== "message" || spoken.has(place)) return "";
		spoken.add(place);
		const said = items(item.content).map((part) => {
			const { text, refusal } = members(part);
			isRefused ||= typeof refusal === "string";
			return draft.say(text ?? refusal);
		});
		return said.join("");
	};

	/** Reads the whole response. A server that sent no pieces sends everything in it. */
	const conclude = ({ status, error, output, usage, incomplete_details: details }: Members): string => {
		if (status === "failed") throw new Error(String(members(error).message ?? "the response failed"));
		const { input_tokens, output_tokens } = members(usage);
		draft.count({ inputTokens: input_tokens, outputTokens: output_tokens });
		const said = draft.isEmpty ? items(output).map((item, place) => takeItem(place, members(item))) : [];
		const { reason } = members(details);
		const isCut = status === "incomplete" && reason !== "content_filter";
		draft.end(isRefused || reason === "content_filter" ? "refused" : isCut ? "length" : "ended");
		return said.join("");
	};

	return (event) => {
		const given = members(event);
		return given.object === "response" ? conclude(given) : take(given.type, given);
	};
}
