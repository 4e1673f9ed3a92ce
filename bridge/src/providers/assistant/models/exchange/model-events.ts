import type { Exchange } from "./exchange.ts";

/**
 * Adds one event of a stream to a reply, and returns the text that was added.
 * @throws Error with the server's words, or if there are too many calls
 */
export type TakeEvent = (event: unknown) => string;

/** The texts of a stream as they arrive. Every possible failure becomes a ModelFailure or the signal's reason. */
export async function* textsOf(
	exchange: Exchange,
	open: () => PromiseLike<AsyncIterable<unknown>>,
	take: TakeEvent,
): AsyncGenerator<string> {
	try {
		for await (const event of await open()) {
			exchange.check();
			const text = take(event);
			if (text !== "") yield text;
		}
		exchange.check();
	} catch (error) {
		throw exchange.reasonOf(error);
	}
}
