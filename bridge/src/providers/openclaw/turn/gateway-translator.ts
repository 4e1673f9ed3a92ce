import type { MessageId, ToolCallId } from "@xworkmate/contracts";
import type { PermissionRequest, SpokenBefore, SpokenWords } from "../../../ports/agents/provider.ts";
import type { ProviderUpdate } from "../../../ports/runs/run-event.ts";
import { firstBytes } from "../../preview.ts";
import { spokenUpdates } from "../../spoken-messages.ts";
import { UpdateTranslator } from "../../update-translator.ts";
import type { GatewayEvent } from "./agent-event.ts";

const NAMED_TOOLS = 2_000;

interface Speech {
	readonly itemId: string | undefined;
	/** The part of the message that has been passed on. */
	readonly text: string;
	/** The id that the bridge gave the message. If the gateway replaces the text, the message continues under a new id. */
	readonly messageId: MessageId;
	/**
	 * The length of a text from an earlier bridge. The log has only the text's beginning, and does not say which of the gateway's messages
	 * the text belongs to.
	 */
	readonly bytesBefore?: number;
}

/**
 * The minimum length of a text that may have been cut off: OpenClaw cuts a run's final text at 4,096 characters, and white space is
 * collapsed before the comparison.
 */
const OWN_CUT = 1_000;

/** The final text of a run. `truncated`: it is only the beginning. */
export interface LastWords {
	readonly text: string;
	readonly truncated: boolean;
}

/**
 * Translates the gateway's events of one run into the run's updates. Every event of a message contains the whole text so far, so text that
 * was missed during a disconnect arrives with the next event.
 */
export class GatewayTranslator {
	readonly #updates = new UpdateTranslator();
	readonly #idPrefix: string;
	readonly #open: { message?: Speech; thought?: Speech } = {};
	/** The latest tool calls that the gateway itself has named. */
	readonly #named = new Set<ToolCallId>();
	#messages = 0;

	/**
	 * `idPrefix`: the beginning of message ids, different each time a bridge continues the run. `spoken`: the last texts that an earlier
	 * bridge logged, which are continued.
	 */
	constructor(idPrefix: string, { message, thought }: SpokenBefore = {}) {
		this.#idPrefix = idPrefix;
		if (message !== undefined) this.#open.message = ofEarlierBridge(message);
		if (thought !== undefined) this.#open.thought = ofEarlierBridge(thought);
	}

	/** A tool call that needs approval, for a log that does not have the call yet. */
	asked({ toolCallId, title, toolKind }: Pick<PermissionRequest, "toolCallId" | "title" | "toolKind">): readonly ProviderUpdate[] {
		if (toolCallId === undefined || this.#named.has(toolCallId)) return [];
		return this.#updates.tool({ toolCallId, title, toolKind });
	}

	/** Reports that the user denied a tool call. */
	denied({ toolCallId }: Pick<PermissionRequest, "toolCallId">): readonly ProviderUpdate[] {
		return toolCallId === undefined ? [] : this.#updates.denied(toolCallId);
	}

	translate(event: GatewayEvent): readonly ProviderUpdate[] {
		switch (event.kind) {
			case "message":
			case "thought":
				return this.#speak(event.kind, event.text, event.itemId);
			case "tool":
				this.#name(event.change.toolCallId);
				this.#endEarlierMessage();
				return this.#updates.tool(event.change);
			case "usage":
				return this.#updates.translate({ kind: "usage", usage: { outputTokens: event.outputTokens } });
			case "retrying": {
				const message = `The model's provider is limiting requests; attempt ${event.attempt} of ${event.maxAttempts}.`;
				return this.#updates.translate({ kind: "notice", notice: { level: "info", code: "MODEL_RATE_LIMITED", message } });
			}
			case "final":
			case "lifecycle":
			case "ignored":
				return [];
		}
	}

	/** The part of the run's final text that was not passed on: nothing, the rest of the last message, or all of it as a new message. */
	last({ text, truncated }: LastWords): readonly ProviderUpdate[] {
		const words = collapsed(text);
		const said = collapsed(this.#open.message?.text ?? "");
		if (words === "" || words === said || (truncated && said.startsWith(words))) return [];
		// OpenClaw cut a long text off without marking it as truncated.
		if (words.length > OWN_CUT && words.endsWith("…") && said.startsWith(words.slice(0, -1).trimEnd())) return [];
		const { message } = this.#open;
		const rest = message && restAfter(text, message.text);
		if (message === undefined || rest === undefined) return this.#begin("message", text, undefined);
		return this.#say("message", rest, { ...message, text });
	}

	#name(toolCallId: ToolCallId): void {
		this.#named.add(toolCallId);
		const [oldest] = this.#named;
		if (this.#named.size > NAMED_TOOLS && oldest !== undefined) this.#named.delete(oldest);
	}

	#speak(kind: "message" | "thought", text: string, itemId: string | undefined): readonly ProviderUpdate[] {
		const open = this.#open[kind];
		const isSame = open !== undefined && (open.bytesBefore !== undefined || open.itemId === itemId) && text.startsWith(open.text);
		if (!isSame) return this.#begin(kind, text, itemId);
		const said = open.bytesBefore === undefined ? open.text : firstBytes(text, open.bytesBefore);
		return this.#say(kind, text.slice(said.length), { itemId, text, messageId: open.messageId });
	}

	#begin(kind: "message" | "thought", text: string, itemId: string | undefined): readonly ProviderUpdate[] {
		return text === "" ? [] : this.#say(kind, text, { itemId, text, messageId: `${this.#idPrefix}${kind}-${++this.#messages}` });
	}

	#say(kind: "message" | "thought", piece: string, speech: Speech): readonly ProviderUpdate[] {
		if (piece === "") return [];
		this.#open[kind] = speech;
		return spokenUpdates(kind, speech.messageId, piece);
	}

	/**
	 * Ends a message of an earlier bridge. A message ends before the tool calls that it makes, so text after them belongs to another message,
	 * even if it begins the same way.
	 */
	#endEarlierMessage(): void {
		const { message } = this.#open;
		if (message?.bytesBefore === undefined) return;
		const { bytesBefore: _length, ...ended } = message;
		this.#open.message = ended;
	}
}

function ofEarlierBridge({ messageId, text, totalBytes }: SpokenWords): Speech {
	return { itemId: undefined, messageId, text, bytesBefore: totalBytes };
}

/**
 * What follows the part of a text that was already passed on, ignoring differences in white space; undefined if the text begins
 * differently.
 */
function restAfter(text: string, said: string): string | undefined {
	if (text.startsWith(said)) return text.slice(said.length);
	let at = 0;
	for (const character of said.replaceAll(/\s+/gu, "")) {
		while (/\s/u.test(text.charAt(at))) at++;
		if (!text.startsWith(character, at)) return undefined;
		at += character.length;
	}
	return /\s$/u.test(said) ? text.slice(at).trimStart() : text.slice(at);
}

/** Collapses white space, so that only the words are compared. */
function collapsed(text: string): string {
	return text.replaceAll(/\s+/gu, " ").trim();
}
