import type { ChangePage } from "@xworkmate/contracts";
import type { ChangeFeed } from "../../ports/runs/run-service.ts";
import type { StreamWriter } from "../reply/stream-writer.ts";
import { changeFrames } from "./event-frames.ts";

/** How many changes are read at once. */
export const CHANGES_PAGE = 64;

/**
 * Sends the bridge's changes to one reader, page by page from the store, at the reader's pace. Nothing is buffered: a change only wakes the
 * stream, which then reads the current state. Ends with the connection.
 */
export class ChangeStream {
	readonly #feed: ChangeFeed;
	readonly #writer: StreamWriter;
	#rung = Promise.withResolvers<void>();

	constructor(feed: ChangeFeed, writer: StreamWriter) {
		this.#feed = feed;
		this.#writer = writer;
	}

	/** Sends changes until the reader has disconnected. */
	begin(firstPage: ChangePage): void {
		this.#writer.onClosed(this.#feed.onChanged(() => this.#rung.resolve()));
		this.#writer.onClosed(() => this.#rung.resolve());
		// If the store cannot be read, the reader resumes where it was, and gets the error then if it persists.
		void this.#follow(firstPage).catch(() => this.#writer.cut());
	}

	async #follow(firstPage: ChangePage): Promise<void> {
		const told = new Told(this.#feed);
		for (let page = firstPage; this.#writer.isOpen; ) {
			if (page.items.length > 0) this.#writer.write(changeFrames(page.items));
			const news = told.take();
			if (news.length > 0) this.#writer.write(changeFrames(news.map((kind) => ({ cursor: page.cursor, change: { kind } }))));
			await this.#writer.drained();
			// Reset before the page is read, so that a change during the read triggers the next one.
			this.#rung = Promise.withResolvers();
			page = await this.#feed.read(page.cursor, CHANGES_PAGE);
			if (page.items.length === 0 && !told.hasNews && this.#writer.isOpen) await this.#rung.promise;
		}
	}
}

/** Tracks which changes outside the log, to tools and agents, have not been sent to one reader yet. */
class Told {
	readonly #feed: ChangeFeed;
	#tools: number;
	#agents: number;

	constructor(feed: ChangeFeed) {
		this.#feed = feed;
		this.#tools = feed.toolChanges;
		this.#agents = feed.agentChanges;
	}

	get hasNews(): boolean {
		return this.#tools !== this.#feed.toolChanges || this.#agents !== this.#feed.agentChanges;
	}

	take(): readonly ("tools" | "agents")[] {
		const { toolChanges, agentChanges } = this.#feed;
		const news = [
			...(toolChanges === this.#tools ? [] : ["tools" as const]),
			...(agentChanges === this.#agents ? [] : ["agents" as const]),
		];
		this.#tools = toolChanges;
		this.#agents = agentChanges;
		return news;
	}
}
