import type { IncomingMessage } from "node:http";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { formatSpan } from "../../text/format-measure.ts";
import { closed, fromNetwork } from "./bridge-errors.ts";

/** The longest event that is read; the contract's previews and texts are far shorter. */
const MAX_EVENT_CHARACTERS = 16 * 1024 * 1024;

/**
 * The events of a stream, one batch for each received chunk that completes an event. Ends when the body ends; only the last event shows
 * whether the answer was complete.
 * @throws BridgeTransportError ACP_HTTP_CONNECTION_CLOSED if the stream is cut, silent for `idleMs`, or has an oversized event
 */
export async function* readEvents(body: IncomingMessage, idleMs: number): AsyncGenerator<readonly EventSourceMessage[]> {
	const decoder = new TextDecoder();
	const parser = new BatchParser();
	// Heartbeats arrive as events, so silence means that the connection is dead.
	const watchdog = setTimeout(() => body.destroy(closed(`The bridge sent nothing for ${formatSpan(idleMs)}.`)), idleMs);
	try {
		for await (const chunk of body) {
			watchdog.refresh();
			const batch = parser.feed(decoder.decode(chunk, { stream: true }));
			if (batch.length > 0) yield batch;
		}
	} catch (error) {
		throw fromNetwork(error);
	} finally {
		clearTimeout(watchdog);
	}
}

class BatchParser {
	#batch: EventSourceMessage[] = [];
	#tooLong: Error | undefined;
	readonly #parser = createParser({
		maxBufferSize: MAX_EVENT_CHARACTERS,
		onEvent: (event) => this.#batch.push(event),
		onError: (error) => {
			if (error.type === "max-buffer-size-exceeded") this.#tooLong = error;
		},
	});

	feed(text: string): readonly EventSourceMessage[] {
		this.#parser.feed(text);
		if (this.#tooLong !== undefined) throw closed("The bridge sent an event that is too long.", this.#tooLong);
		const batch = this.#batch;
		this.#batch = [];
		return batch;
	}
}
