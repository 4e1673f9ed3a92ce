import type Database from "better-sqlite3";
import { z } from "zod";
import { packedAtOnce, packUpdates } from "./packed-updates.ts";

const Updates = z.array(z.object({ seq: z.int(), body: z.string() }));
const Indexing = z.object({ indexed_from: z.int(), purging: z.int() });
const Texts = z.array(z.object({ turn: z.int(), characters: z.int() }));
const WithUpdates = z.object({ turn: z.int(), ended: z.int() });
/** How many turns are packed in one step. A turn with many updates counts as several. */
const PACKED_TURNS = 16;
const UPDATES_OF_SMALL_TURN = 50;
/** How many texts are indexed in one step, which then takes a few milliseconds. */
const INDEXED_TEXTS = 100;
const INDEXED_CHARACTERS = 32 * 1024;
/** How many pages of the index are merged in one step. */
const MERGED_PAGES = 16;

function prepareUpkeep(db: Database.Database) {
	const merge = db.prepare("INSERT INTO search_index (search_index, rank) VALUES ('merge', ?)");
	return {
		next: db.prepare(`SELECT updates.turn, ended_at IS NOT NULL AS ended FROM updates JOIN turns ON turns.id = updates.turn
			WHERE updates.turn > ? ORDER BY updates.turn LIMIT 1`),
		updates: db.prepare("SELECT seq, body FROM updates WHERE turn = ? ORDER BY seq LIMIT ?"),
		addPack: db.prepare("INSERT INTO packed_updates (turn, first_seq, last_seq, body) VALUES (?, ?, ?, ?)"),
		dropUpdates: db.prepare("DELETE FROM updates WHERE turn = ? AND seq BETWEEN ? AND ?"),
		indexing: db.prepare("SELECT indexed_from, purging FROM search_upkeep"),
		unindexed: db.prepare("SELECT turn, length(folded) AS characters FROM search_texts WHERE turn < ? ORDER BY turn DESC LIMIT ?"),
		index: db.prepare(`INSERT INTO search_index (rowid, folded) SELECT turn, folded FROM search_texts
			WHERE turn >= @from AND turn < @to AND NOT EXISTS (SELECT 1 FROM search_index_docsize WHERE id = turn)`),
		indexedFrom: db.prepare("UPDATE search_upkeep SET indexed_from = ?"),
		purging: db.prepare("UPDATE search_upkeep SET purging = ?"),
		changes: db.prepare("SELECT total_changes()").pluck(),
		merge,
	};
}

/**
 * Work that the database leaves for later, done in small steps, each durable and repeatable after a crash: packing the updates of ended
 * turns, indexing the texts of an earlier version, and merging the index, so that nothing of a deleted text is left in it.
 */
export class StoreUpkeep {
	readonly #db: Database.Database;
	readonly #sql: ReturnType<typeof prepareUpkeep>;
	/** Turns up to this one have nothing left to pack. When more turns have ended, the search starts at the first one again. */
	#packedTo = 0;

	constructor(db: Database.Database) {
		this.#db = db;
		this.#sql = prepareUpkeep(db);
	}

	/** Call this when something has changed: turns may have ended. */
	again(): void {
		this.#packedTo = 0;
	}

	/**
	 * Does one step of a few milliseconds; returns false if nothing is left to do.
	 * @throws SqliteError
	 */
	step(): boolean {
		return this.#db.transaction(() => this.#pack() || this.#index() || this.#purge() || this.#merge(MERGED_PAGES))();
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

	/** Newest first, because users more often search for newer texts. */
	#index(): boolean {
		const to = this.#indexing().indexed_from;
		if (to === 0) return false;
		const texts = Texts.parse(this.#sql.unindexed.all(to, INDEXED_TEXTS));
		let from = 0;
		let characters = 0;
		for (const text of texts) {
			characters += text.characters;
			if (from !== 0 && characters > INDEXED_CHARACTERS) break;
			from = text.turn;
		}
		this.#sql.index.run({ from, to });
		this.#sql.indexedFrom.run(from);
		// Each commit adds a part to the index; many parts at once would be merged in one long step.
		this.#merge(MERGED_PAGES);
		return true;
	}

	#purge(): boolean {
		const { purging } = this.#indexing();
		if (purging === 0) return false;
		// A negative number of pages begins a merge of the whole index, which a positive one continues.
		const isGoingOn = this.#merge(purging === 1 ? -MERGED_PAGES : MERGED_PAGES);
		this.#sql.purging.run(purging === 1 || isGoingOn ? 2 : 0);
		return true;
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
