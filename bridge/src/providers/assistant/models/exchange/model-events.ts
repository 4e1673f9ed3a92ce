import type { Exchange } from "./exchange.ts";

/** Puts one event of a stream into a reply and returns the text that it added. @throws Error with the server's words */
export type TakeEvent = (event: unknown) => string;

/** The texts of a stream as they come. Every way in which it can fail ends as a ModelFailure or the signal's reason. */
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
