import type { MessageId } from "@xworkmate/contracts";
import type { ProviderUpdate } from "../ports/runs/run-event.ts";
import { piecesOf } from "./preview.ts";

type SpokenKind = "message" | "thought";

interface OpenMessage {
	readonly kind: SpokenKind;
	readonly messageId: MessageId;
	readonly agentMessageId: string | undefined;
}

/** The longest text of one update. A longer chunk becomes several updates of the same message. */
const PIECE_CHARACTERS = 16 * 1024;

/** Gives what an agent says and thinks in one turn its message ids. At most one message or thought is open. */
export class SpokenMessages {
	#open: OpenMessage | undefined;
	#count = 0;

	/**
	 * Text that continues the open message, or begins another: if it is of the other kind, if the agent gives it another id, or after `end`.
	 * Empty if the text is.
	 */
	take(kind: SpokenKind, text: string, agentMessageId: string | undefined): readonly ProviderUpdate[] {
		return text === "" ? [] : spokenUpdates(kind, this.#messageFor(kind, agentMessageId).messageId, text);
	}

	/** Ends the open message, so that later text begins a new one. */
	end(): void {
		this.#open = undefined;
	}

	#messageFor(kind: SpokenKind, agentMessageId: string | undefined): OpenMessage {
		const open = this.#open;
		const another = open?.agentMessageId !== undefined && agentMessageId !== undefined && open.agentMessageId !== agentMessageId;
		if (open?.kind === kind && !another) return open;
		this.#count++;
		this.#open = { kind, messageId: `${kind}-${this.#count}`, agentMessageId };
		return this.#open;
	}
}

/** More text of a message or thought, in updates of limited size. */
export function spokenUpdates(kind: SpokenKind, messageId: MessageId, text: string): readonly ProviderUpdate[] {
	const updateKind = kind === "message" ? "message_delta" : "thought_delta";
	return piecesOf(text, PIECE_CHARACTERS).map((piece) => ({ kind: updateKind, messageId, text: piece }));
}
