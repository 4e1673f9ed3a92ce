import type { TurnSink } from "../../../ports/provider.ts";
import type { ProviderUpdate } from "../../../ports/run-event.ts";

const MAX_BACKLOG = 64;
const MAX_DELTA_CHARACTERS = 8192;

/**
 * Updates on their way into the log, in order, one at a time. What is still waiting is merged with what
 * follows: text into one delta, the start of a tool call with its end. So a slow log sees fewer events,
 * not later ones.
 */
export class UpdateStream {
	readonly #sink: TurnSink;
	readonly #waiting: ProviderUpdate[] = [];
	readonly #onFault: (error: unknown) => void;
	#pump: Promise<void> | undefined;

	/** @param onFault called once when the log refuses an update; nothing is sent after that. */
	constructor(sink: TurnSink, onFault: (error: unknown) => void) {
		this.#sink = sink;
		this.#onFault = onFault;
	}

	/** Resolves at once while the backlog is small, and else when it is gone. */
	async push(update: ProviderUpdate): Promise<void> {
		const last = this.#waiting.at(-1);
		const merged = last === undefined ? undefined : mergedUpdate(last, update);
		if (merged === undefined) this.#waiting.push(update);
		else this.#waiting[this.#waiting.length - 1] = merged;
		this.#pump ??= this.#send();
		if (this.#waiting.length >= MAX_BACKLOG) await this.#pump;
	}

	/** A piece of a message, in deltas of a bounded size. */
	async say(messageId: string, text: string): Promise<void> {
		for (let from = 0; from < text.length; ) {
			let to = Math.min(from + MAX_DELTA_CHARACTERS, text.length);
			if (to < text.length && isHighSurrogate(text.charCodeAt(to - 1))) to += 1;
			await this.push({ kind: "message_delta", messageId, text: text.slice(from, to) });
			from = to;
		}
	}

	/** Resolves when everything pushed so far has been taken, or refused. */
	async drained(): Promise<void> {
		await this.#pump;
	}

	async #send(): Promise<void> {
		try {
			for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) await this.#sink.emit(next);
			this.#pump = undefined;
		} catch (error) {
			// The pump stays, settled: it holds every later push back from a log that is broken.
			this.#waiting.length = 0;
			this.#onFault(error);
		}
	}
}

function isHighSurrogate(unit: number): boolean {
	return unit >= 0xd800 && unit < 0xdc00;
}

function mergedUpdate(last: ProviderUpdate, next: ProviderUpdate): ProviderUpdate | undefined {
	if (last.kind === "message_delta" && next.kind === "message_delta" && last.messageId === next.messageId) {
		return last.text.length + next.text.length > MAX_DELTA_CHARACTERS ? undefined : { ...last, text: last.text + next.text };
	}
	if (last.kind === "tool_call" && next.kind === "tool_call" && last.toolCallId === next.toolCallId) return { ...last, ...next };
	return undefined;
}
