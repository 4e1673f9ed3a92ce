import type { ModelReply } from "../../../../ports/models/model-client.ts";
import { items, members } from "../exchange/members.ts";
import type { TakeEvent } from "../exchange/model-events.ts";
import type { ReplyDraft } from "../exchange/reply-draft.ts";

const stops: Readonly<Record<string, ModelReply["stop"]>> = {
	tool_calls: "calls",
	function_call: "calls",
	length: "length",
	content_filter: "refused",
};

/**
 * Returns a function that adds the chunks of a completion to a reply. A chunk may be a whole completion, with `message` instead of `delta`.
 */
export function takeChatChunks(draft: ReplyDraft): TakeEvent {
	const calls = new CallKeys(draft);
	let isRefused = false;
	return (event) => {
		const { choices, usage } = members(event);
		const { prompt_tokens, completion_tokens } = members(usage);
		draft.count({ inputTokens: prompt_tokens, outputTokens: completion_tokens });
		const choice = members(items(choices)[0]);
		const { content, refusal, tool_calls } = members(choice.delta ?? choice.message);
		const said = [content, refusal].map((text) => draft.say(textOf(text))).join("");
		for (const call of items(tool_calls)) {
			const { index, id, function: called } = members(call);
			const { name, arguments: input } = members(called);
			draft.call(calls.keyOf(index, id), { callId: id, tool: name, input });
		}
		isRefused ||= typeof refusal === "string" && refusal !== "";
		const { finish_reason: reason } = choice;
		if (typeof reason === "string" && reason !== "") draft.end(isRefused ? "refused" : (stops[reason] ?? "ended"));
		return said;
	};
}

/** Decides which call a piece belongs to. Some servers leave out the index, and some say 0 for every call. */
class CallKeys {
	readonly #draft: ReplyDraft;
	#count = 0;
	#last: unknown;
	readonly #byIndex = new Map<unknown, unknown>();

	constructor(draft: ReplyDraft) {
		this.#draft = draft;
	}

	keyOf(index: unknown, id: unknown): unknown {
		const isIndexed = typeof index === "number";
		const known = isIndexed ? this.#byIndex.get(index) : this.#last;
		const isOther = typeof id === "string" && id !== "" && this.#draft.idOf(known) !== id;
		const key = known === undefined || (isOther && this.#draft.idOf(known) !== undefined) ? ++this.#count : known;
		if (isIndexed) this.#byIndex.set(index, key);
		this.#last = key;
		return key;
	}
}

/** The text of content, which is a string or a list of parts. */
function textOf(content: unknown): unknown {
	return Array.isArray(content) ? content.map((part) => String(members(part).text ?? "")).join("") : content;
}
