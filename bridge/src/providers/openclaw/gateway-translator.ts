import type { ToolCallId } from "@xworkmate/contracts";
import type { ProviderUpdate } from "../../runs/run-event.ts";
import type { PermissionRequest } from "../provider.ts";
import { UpdateTranslator } from "../update-translator.ts";
import type { GatewayEvent } from "./agent-event.ts";

const NAMED_TOOLS = 2_000;

interface Speech {
	readonly itemId: string | undefined;
	/** Everything of it that was said on. */
	readonly text: string;
	/** Ours: a text that was replaced goes on as another message. */
	readonly messageId: string;
}

/** OpenClaw cuts a run's last words at 4,096 characters; white space is collapsed before it is compared. */
const OWN_CUT = 1_000;

/** How a run ended in words; `truncated`: only their beginning. */
export interface LastWords {
	readonly text: string;
	readonly truncated: boolean;
}

/**
 * Turns the gateway's events of one run into the run's updates. Every event of a message carries the whole text so
 * far, so what was missed while the connection was gone is said with the next one.
 */
export class GatewayTranslator {
	readonly #updates: UpdateTranslator;
	readonly #open: { message?: Speech; thought?: Speech } = {};
	/** Tool calls that the gateway itself has named; the last ones. */
	readonly #named = new Set<ToolCallId>();
	#messages = 0;

	/** `idPrefix`: another one for every time a bridge takes the run up. */
	constructor(idPrefix: string) {
		this.#updates = new UpdateTranslator(idPrefix);
	}

	/** A tool call that a person is asked about, for a log that has not heard of it. */
	asked({ toolCallId, title, toolKind }: Pick<PermissionRequest, "toolCallId" | "title" | "toolKind">): readonly ProviderUpdate[] {
		if (toolCallId === undefined || this.#named.has(toolCallId)) return [];
		return this.#updates.tool({ toolCallId, title, toolKind });
	}

	/** A person's no to a tool call. */
	denied({ toolCallId }: Pick<PermissionRequest, "toolCallId">): readonly ProviderUpdate[] {
		return toolCallId === undefined ? [] : [this.#updates.denied(toolCallId)];
	}

	translate(event: GatewayEvent): readonly ProviderUpdate[] {
		switch (event.kind) {
			case "message":
			case "thought":
				return this.#speak(event.kind, event.text, event.itemId);
			case "tool":
				this.#name(event.change.toolCallId);
				return this.#updates.tool(event.change);
			case "usage":
				return this.#updates.translate({ kind: "usage", usage: { outputTokens: event.outputTokens } });
			case "retrying": {
				const message = `The model's provider limits the rate; attempt ${event.attempt} of ${event.maxAttempts}.`;
				return this.#updates.translate({ kind: "notice", notice: { level: "info", code: "MODEL_RATE_LIMITED", message } });
			}
			case "final":
			case "lifecycle":
			case "ignored":
				return [];
		}
	}

	/** The run's last words, as a message of their own when they are not what was said last. */
	last({ text, truncated }: LastWords): readonly ProviderUpdate[] {
		const words = collapsed(text);
		const said = collapsed(this.#open.message?.text ?? "");
		if (words === "" || words === said || (truncated && said.startsWith(words))) return [];
		// OpenClaw's own cut of long words, which does not say that it is one.
		if (words.length > OWN_CUT && words.endsWith("…") && said.startsWith(words.slice(0, -1).trimEnd())) return [];
		return this.#speak("message", text, undefined, true);
	}

	#name(toolCallId: ToolCallId): void {
		this.#named.add(toolCallId);
		const [oldest] = this.#named;
		if (this.#named.size > NAMED_TOOLS && oldest !== undefined) this.#named.delete(oldest);
	}

	#speak(kind: "message" | "thought", text: string, itemId: string | undefined, anew = false): readonly ProviderUpdate[] {
		const open = this.#open[kind];
		const goesOn = !anew && open !== undefined && open.itemId === itemId && text.startsWith(open.text);
		const messageId = goesOn ? open.messageId : `${kind}-${++this.#messages}`;
		const piece = goesOn ? text.slice(open.text.length) : text;
		if (piece === "") return [];
		this.#open[kind] = { itemId, text, messageId };
		return this.#updates.translate({ kind, text: piece, agentMessageId: messageId });
	}
}

/** Two texts that differ in white space alone are the same words. */
function collapsed(text: string): string {
	return text.replaceAll(/\s+/gu, " ").trim();
}
