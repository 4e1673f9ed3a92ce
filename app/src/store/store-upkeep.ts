import type Database from "better-sqlite3";
import { z } from "zod";
import { packedAtOnce, packUpdates } from "./packed-updates.ts";
import { indexId, SearchedTurn, type SearchIndex } from "./search-index.ts";
import { TrigramIndex } from "./trigram-index.ts";

const Updates = z.array(z.object({ seq: z.int(), body: z.string() }));
const Indexing = z.object({ indexed_from: z.int(), purging: z.int() });
const Words = z.array(z.string());
const WithUpdates = z.object({ turn: z.int(), ended: z.int() });
/** How many turns are packed in one step. A turn with many updates counts as several. */
const PACKED_TURNS = 16;
const UPDATES_OF_SMALL_TURN = 50;
/** How many turns' texts are indexed in one step, which then takes a few milliseconds. */
const INDEXED_TEXTS = 100;
const INDEXED_CHARACTERS = 32 * 1024;
/** How many pages of the index are merged in one step. */
const MERGED_PAGES = 16;
/** The next step after a deletion (`search_upkeep.purging`): 1 begins to merge the index, 2 continues that, 3 removes unused words. */
const FORGETTING = 3;
/** How many words are looked up in one step. */
const CHECKED_WORDS = 128;

function prepareUpkeep(db: Database.Database) {
	const merge = db.prepare("INSERT INTO word_index (word_index, rank) VALUES ('merge', ?)");
	return {
		next: db.prepare(`SELECT updates.turn, ended_at IS NOT NULL AS ended FROM updates JOIN turns ON turns.id = updates.turn
			WHERE updates.turn > ? ORDER BY updates.turn LIMIT 1`),
		updates: db.prepare("SELECT seq, body FROM updates WHERE turn = ? ORDER BY seq LIMIT ?"),
		addPack: db.prepare("INSERT INTO packed_updates (turn, first_seq, last_seq, body) VALUES (?, ?, ?, ?)"),
		dropUpdates: db.prepare("DELETE FROM updates WHERE turn = ? AND seq BETWEEN ? AND ?"),
		indexing: db.prepare("SELECT indexed_from, purging FROM search_upkeep"),
		unindexed: db.prepare(`SELECT turn, thread, folded FROM search_texts JOIN turns ON turns.id = turn WHERE turn < @to
			ORDER BY turn DESC LIMIT ${INDEXED_TEXTS}`),
		isIndexed: db.prepare(`SELECT 1 FROM word_index_docsize WHERE id = ${indexId("@thread", "@turn")}`),
		indexedFrom: db.prepare("UPDATE search_upkeep SET indexed_from = ?"),
		purging: db.prepare("UPDATE search_upkeep SET purging = ?"),
		wordsAfter: db.prepare(`SELECT word FROM search_words WHERE word > ? ORDER BY word LIMIT ${CHECKED_WORDS}`).pluck(),
		turnWith: db.prepare("SELECT 1 FROM word_index WHERE word_index MATCH ? LIMIT 1"),
		dropWord: db.prepare("DELETE FROM search_words WHERE word = ?"),
		changes: db.prepare("SELECT total_changes()").pluck(),
		merge,
	};
}

/**
 * Does the work that the database puts off, in small steps, each durable and repeatable after a crash: packs the updates of ended turns,
 * indexes the texts of an earlier version, drops that version's index, merges the index so that no deleted text is left in it, and removes
 * the words that only deleted texts contained.
 */
export class StoreUpkeep {
	readonly #db: Database.Database;
	readonly #sql: ReturnType<typeof prepareUpkeep>;
	readonly #searchIndex: SearchIndex;
	readonly #trigrams: TrigramIndex;
	/** Words up to this one have been checked since the last merge. After a restart, all are checked again. */
	#forgotten = "";
	/** Turns up to this one have nothing left to pack. When more turns have ended, the search starts at the first one again. */
	#packedTo = 0;

	constructor(db: Database.Database, searchIndex: SearchIndex) {
		this.#db = db;
		this.#searchIndex = searchIndex;
		this.#trigrams = new TrigramIndex(db);
		this.#sql = prepareUpkeep(db);
	}

	/** Call this when turns may have ended. */
	again(): void {
		this.#packedTo = 0;
	}

	/**
	 * Does one step of a few milliseconds; returns false if nothing is left to do.
	 * @throws SqliteError
	 */
	step(): boolean {
		return this.#db.transaction(
			() => this.#pack() || this.#index() || this.#trigrams.drop() || this.#purge() || this.#merge(MERGED_PAGES),
		)();
	}

	#pack(): boolean {
		let packed = 0;
		while (packed < PACKED_TURNS) {
			const next = WithUpdates.optional().parse(this.#sql.next.get(this.#packedTo));
			if (next === undefined) break;
			const { turn, ended } = next;
			if (ended === 1) {
				const { firstSeq, lastSeq, body } = packUpdates(Updates.parse(this.#sql.updates.all(turn, packedAtOnce)));
				this.#sql.addPack.run(turn, firstSeq, lastSeq, body);
				this.#sql.dropUpdates.run(turn, firstSeq, lastSeq);
				packed += 1 + Math.floor((lastSeq - firstSeq) / UPDATES_OF_SMALL_TURN);
			} else this.#packedTo = turn;
		}
		return packed > 0;
	}

	/** Newest first, because users search for recent text more often. */
	#index(): boolean {
		const to = this.#indexing().indexed_from;
		if (to === 0) return false;
		const texts: SearchedTurn[] = [];
		let characters = 0;
		for (const row of this.#sql.unindexed.iterate({ to })) {
			const text = SearchedTurn.parse(row);
			characters += text.folded.length;
			if (texts.length > 0 && characters > INDEXED_CHARACTERS) break;
			texts.push(text);
		}
		for (const text of texts)
			if (this.#sql.isIndexed.get({ turn: text.turn, thread: text.thread }) === undefined) this.#searchIndex.put(text);
		const from = texts.at(-1)?.turn ?? 0;
		this.#sql.indexedFrom.run(from);
		// Each commit adds a part to the index; many parts at once would be merged in one long step.
		this.#merge(MERGED_PAGES);
		return true;
	}

	#purge(): boolean {
		const { purging } = this.#indexing();
		if (purging === 0) return false;
		if (purging === FORGETTING) this.#forget();
		else {
			// A negative number of pages begins a merge of the whole index, which a positive one continues.
			const isGoingOn = this.#merge(purging === 1 ? -MERGED_PAGES : MERGED_PAGES);
			this.#forgotten = "";
			this.#sql.purging.run(purging === 1 || isGoingOn ? 2 : FORGETTING);
		}
		return true;
	}

	/** Removes words that no longer occur in any turn from the vocabulary. */
	#forget(): void {
		const words = Words.parse(this.#sql.wordsAfter.all(this.#forgotten));
		for (const word of words) if (this.#sql.turnWith.get(`"${word}"`) === undefined) this.#sql.dropWord.run(word);
		this.#forgotten = words.at(-1) ?? "";
		if (words.length === 0) this.#sql.purging.run(0);
	}

	/** Returns true if something was merged. */
	#merge(pages: number): boolean {
		const before = Number(this.#sql.changes.get());
		this.#sql.merge.run(pages);
		// The command itself counts as one change (https://sqlite.org/fts5.html#the_merge_command).
		return Number(this.#sql.changes.get()) - before >= 2;
	}

	#indexing(): z.infer<typeof Indexing> {
		return Indexing.parse(this.#sql.indexing.get());
	}
}
