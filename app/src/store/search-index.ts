import type Database from "better-sqlite3";
import { z } from "zod";
import { wordsOf } from "./searched-words.ts";

export const SearchedTurn = z.object({ turn: z.int(), thread: z.int(), folded: z.string() });
export type SearchedTurn = z.infer<typeof SearchedTurn>;

/**
 * SQL for a turn's id in the index. It begins with the thread's id, so the turns of a thread are adjacent, and no other table is needed to
 * find a turn's thread.
 */
export const indexId = (thread: string, turn: string) => `((${thread} << 32) | ${turn})`;

/** Writes the words of searchable text. Turns are removed from the index by a trigger when they are deleted. */
export class SearchIndex {
	readonly #drop: Database.Statement;
	readonly #add: Database.Statement;
	readonly #learn: Database.Statement;

	constructor(db: Database.Database) {
		this.#drop = db.prepare(`DELETE FROM word_index WHERE rowid = ${indexId("@thread", "@turn")}`);
		this.#add = db.prepare(`INSERT INTO word_index (rowid, words) VALUES (${indexId("@thread", "@turn")}, @words)`);
		this.#learn = db.prepare("INSERT OR IGNORE INTO search_words (word) SELECT value FROM json_each(?)");
	}

	/** Replaces a turn's entry in the index. Call this in the transaction that writes the text. */
	put({ turn, thread, folded }: SearchedTurn): void {
		this.#drop.run({ turn, thread });
		const words = [...wordsOf(folded)];
		this.#add.run({ turn, thread, words: words.join(" ") });
		this.#learn.run(JSON.stringify(words));
	}
}
