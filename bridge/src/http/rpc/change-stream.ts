import type { ChangePage } from "@xworkmate/contracts";
import type { ChangeFeed } from "../../ports/run-service.ts";
import type { StreamWriter } from "../reply/stream-writer.ts";
import { changeFrame } from "./event-frames.ts";

/** Changes read at once. */
export const CHANGES_PAGE = 64;

/**
 * Shows what changes in the bridge to one reader, page by page from the store at the reader's pace. Nothing is buffered
 * for it: a change only rings, and what came meanwhile is read as it is then. Ends with the connection.
 */
export class ChangeStream {
	readonly #feed: ChangeFeed;
	readonly #writer: StreamWriter;
	#rung = Promise.withResolvers<void>();

	constructor(feed: ChangeFeed, writer: StreamWriter) {
		this.#feed = feed;
		this.#writer = writer;
	}

	/** Settles when the reader has disconnected. */
	async serve(firstPage: ChangePage): Promise<void> {
		const stopListening = this.#feed.onChanged(() => this.#rung.resolve());
		void this.#writer.closed.then(() => this.#rung.resolve());
		try {
			await this.#follow(firstPage);
		} catch {
			// The store cannot be read. The reader resumes where it was, and is answered what is wrong if it still is.
			this.#writer.cut();
		} finally {
			stopListening();
		}
	}

	async #follow(firstPage: ChangePage): Promise<void> {
		for (let page = firstPage; this.#writer.isOpen; ) {
			if (page.items.length > 0) this.#writer.write(Buffer.from(page.items.map(changeFrame).join("")));
			await this.#writer.drained();
			// Before the page is read: a change that comes during the reading rings for the next one.
			this.#rung = Promise.withResolvers();
			page = await this.#feed.read(page.cursor, CHANGES_PAGE);
			if (page.items.length === 0 && this.#writer.isOpen) await this.#rung.promise;
		}
	}
}
