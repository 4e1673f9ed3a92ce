import { setImmediate } from "node:timers/promises";
import { ThreadId } from "@xworkmate/contracts";
import type Database from "better-sqlite3";
import { z } from "zod";
import { foldText } from "../threads/domain/folded-text.ts";
import { searchedText } from "./app-database.ts";

export interface FoundText {
	readonly threadId: ThreadId;
	/** The text that contains the match. */
	readonly text: string;
}

const Threads = z.array(z.object({ id: z.int(), thread_id: ThreadId, title: z.string() }));
type ThreadTitle = z.infer<typeof Threads>[number];
/** A match. Without a turn, the text is in the title. */
interface Found {
	readonly thread: ThreadTitle;
	readonly turn: number | undefined;
}
const Hits = z.array(z.object({ thread: z.int(), turn: z.int() }));
const Extent = z.object({ newest: z.int(), indexed_from: z.int() });
const Turn = z.int().nullable();
const Searched = z.object({ text: z.string() });
/** Separates the texts of one turn. */
const BETWEEN_TEXTS = "\u001F";
const FOUND_THREADS = 100;
/** After this many threads, if most of them lack the text, the index is searched instead of the other threads one by one. */
const TRIED_THREADS = 8;
/**
 * The most trigrams of a text that are looked up, spread over the text. Each lookup takes time, and the turns that they select are compared
 * with the text anyway.
 */
const TRIGRAMS = 4;
/** After this time, other work continues. */
const SLICE_MS = 6;
/** How many turns are searched at once, with the index and without it; each takes a few milliseconds. */
const INDEXED_WINDOW = 16_384;
const COMPARED_WINDOW = 256;
const TITLES_AT_ONCE = 500;

function prepareSearch(db: Database.Database) {
	return {
		threads: db.prepare("SELECT id, thread_id, title FROM threads ORDER BY updated_at DESC, id DESC"),
		extent: db.prepare("SELECT coalesce((SELECT max(turn) FROM search_texts), 0) AS newest, indexed_from FROM search_upkeep"),
		newest: db
			.prepare(`SELECT max(search_texts.turn) FROM turns JOIN search_texts ON search_texts.turn = turns.id
				WHERE turns.thread = @thread AND folded LIKE @like ESCAPE '\\'`)
			.pluck(),
		indexed: db.prepare(`SELECT turns.thread, max(turns.id) AS turn FROM search_index
			CROSS JOIN search_texts ON search_texts.turn = search_index.rowid CROSS JOIN turns ON turns.id = search_texts.turn
			WHERE search_index MATCH @trigrams AND search_index.rowid BETWEEN @from AND @to
			AND search_texts.folded LIKE @like ESCAPE '\\' GROUP BY turns.thread`),
		unindexed: db.prepare(`SELECT turns.thread, max(turns.id) AS turn FROM search_texts CROSS JOIN turns ON turns.id = search_texts.turn
			WHERE search_texts.turn BETWEEN @from AND @to AND folded LIKE @like ESCAPE '\\' GROUP BY turns.thread`),
		text: db.prepare(`SELECT ${searchedText} AS text FROM turns WHERE id = ?`),
	};
}

/** Finds threads by a text, ignoring case and accents. Works in slices, so that other work can continue between them. */
export class ThreadSearch {
	readonly #sql: ReturnType<typeof prepareSearch>;

	constructor(db: Database.Database) {
		this.#sql = prepareSearch(db);
	}

	/** Threads whose title, prompts, answers or file names contain a text; most recently changed first, at most 100. */
	async find(text: string): Promise<readonly FoundText[]> {
		const slices = this.slices(text);
		for (;;) {
			const slice = slices.next();
			if (slice.done) return slice.value;
			await setImmediate();
		}
	}

	/** Performs the search in steps of a few milliseconds. */
	*slices(text: string): Generator<void, readonly FoundText[]> {
		const folded = foldText(text).trim();
		if (folded === "") return [];
		const like = `%${folded.replace(/[\\%_]/g, "\\$&")}%`;
		const threads = Threads.parse(this.#sql.threads.all());
		const found = (yield* this.#eachThread(threads, folded, like)) ?? (yield* this.#byIndex(threads, folded, like));
		const texts: FoundText[] = [];
		for (const { thread, turn } of found) {
			const foundText = turn === undefined ? thread.title : this.#textWith(turn, folded);
			if (foundText !== undefined) texts.push({ threadId: thread.thread_id, text: foundText });
			yield;
		}
		return texts;
	}

	/**
	 * Searches thread by thread, which soon finds enough matches of a text that most threads contain. Undefined if most threads lack the text
	 * and the index can search for it.
	 */
	*#eachThread(threads: readonly ThreadTitle[], folded: string, like: string): Generator<void, readonly Found[] | undefined> {
		const isIndexed = trigramsOf(folded) !== undefined;
		const found: Found[] = [];
		let since = performance.now();
		for (const [tried, thread] of threads.entries()) {
			if (found.length === FOUND_THREADS) break;
			if (isIndexed && tried >= TRIED_THREADS && found.length < tried / 2) return undefined;
			const turn = Turn.parse(this.#sql.newest.get({ thread: thread.id, like })) ?? undefined;
			if (turn !== undefined || foldText(thread.title).includes(folded)) found.push({ thread, turn });
			if (performance.now() - since < SLICE_MS) continue;
			yield;
			since = performance.now();
		}
		return found;
	}

	*#byIndex(threads: readonly ThreadTitle[], folded: string, like: string): Generator<void, readonly Found[]> {
		const turns = yield* this.#newestTurns(like, trigramsOf(folded) ?? "");
		const found: Found[] = [];
		for (const [index, thread] of threads.entries()) {
			if (found.length === FOUND_THREADS) break;
			const turn = turns.get(thread.id);
			if (turn !== undefined || foldText(thread.title).includes(folded)) found.push({ thread, turn });
			if (index % TITLES_AT_ONCE === 0) yield;
		}
		return found;
	}

	/** The newest turn with the text, by thread. Turns are searched in windows of ids, newest first. */
	*#newestTurns(like: string, trigrams: string): Generator<void, ReadonlyMap<number, number>> {
		const newest = new Map<number, number>();
		const { newest: last, indexed_from } = Extent.parse(this.#sql.extent.get());
		for (let to = last; to > 0; ) {
			const isIndexed = to >= indexed_from;
			const from = isIndexed ? Math.max(to - INDEXED_WINDOW + 1, indexed_from) : to - COMPARED_WINDOW + 1;
			const rows = isIndexed ? this.#sql.indexed.all({ from, to, like, trigrams }) : this.#sql.unindexed.all({ from, to, like });
			for (const { thread, turn } of Hits.parse(rows)) if (!newest.has(thread)) newest.set(thread, turn);
			to = from - 1;
			yield;
		}
		return newest;
	}

	/** The text of the turn that contains the match; undefined if the turn was deleted in the meantime. */
	#textWith(turn: number, folded: string): string | undefined {
		const texts = Searched.optional().parse(this.#sql.text.get(turn))?.text.split(BETWEEN_TEXTS);
		return texts?.find((text) => foldText(text).includes(folded)) ?? (texts && "");
	}
}

/** A query that selects every text with these letters, and a few others; undefined for a text that the index cannot search for. */
function trigramsOf(folded: string): string | undefined {
	const letters = [...folded];
	// For SQLite, a text ends at U+0000.
	if (letters.length < 3 || folded.includes("\0")) return undefined;
	const count = letters.length - 2;
	const starts = Array.from({ length: Math.min(count, TRIGRAMS) }, (_, index) => Math.floor((index * count) / Math.min(count, TRIGRAMS)));
	const trigrams = new Set(starts.map((start) => letters.slice(start, start + 3).join("")));
	return [...trigrams].map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(" AND ");
}
