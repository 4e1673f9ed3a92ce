import type { ToolCallId } from "@xworkmate/contracts";
import { addFacts, type CallFacts, nothingSaid, type ToolParts } from "../protocol/call-facts.ts";

/** How many calls are remembered. After the first has been forgotten, a call that is not in the book is treated as not understood. */
const REMEMBERED = 2_000;

/** What was reported about each tool call of a turn. */
export class CallBook {
	readonly #calls = new Map<ToolCallId, CallFacts>();
	#forgot = false;

	/** What was reported about a call so far. */
	of(toolCallId: ToolCallId): CallFacts {
		return this.#calls.get(toolCallId) ?? { ...nothingSaid, isUnclear: this.#forgot };
	}

	see(toolCallId: ToolCallId, parts: ToolParts): CallFacts {
		const facts = addFacts(this.of(toolCallId), parts);
		this.#calls.delete(toolCallId);
		this.#calls.set(toolCallId, facts);
		const [oldest] = this.#calls.keys();
		if (this.#calls.size > REMEMBERED && oldest !== undefined) {
			this.#calls.delete(oldest);
			this.#forgot = true;
		}
		return facts;
	}
}
