import { setImmediate } from "node:timers/promises";
import { ThreadId } from "@xworkmate/contracts";
import type Database from "better-sqlite3";
import { z } from "zod";
import { foldText } from "../threads/domain/folded-text.ts";
import { searchedText } from "./app-database.ts";
import { indexId } from "./search-index.ts";
import { LONG_RUN, type Piece, soughtIn } from "./searched-words.ts";

export interface FoundText {
	readonly threadId: ThreadId;
	/** The text that contains the match; empty if it has changed in the meantime. */
	readonly text: string;
}

const Threads = z.array(z.object({ id: z.int(), thread_id: ThreadId, title: z.string() }));
type ThreadTitle = z.infer<typeof Threads>[number];
/** A match. Without a turn, the match is in the title. */
interface Found {
	readonly thread: ThreadTitle;
	readonly turn: number | undefined;
}
const Indexed = z.object({ thread: z.int(), turn: z.int() });
type Indexed = z.infer<typeof Indexed>;
const SomeIndexed = z.array(Indexed);
type Sought = ReturnType<typeof soughtIn>;
const IndexedFrom = z.int();
const Turn = z.int().optional();
const Matches = z.literal([0, 1]).optional();
const WindowEnd = z.string().optional();
const Words = z.array(z.string());
const Searched = z.object({ text: z.string() });
/** Separates the searchable parts of a turn. */
const BETWEEN_TEXTS = "\u001F";
/** The search ends once this many threads have been found. */
export const FOUND_THREADS = 100;
/** After this many threads, the index is searched instead of the remaining threads if most of them do not contain the text. */
const TRIED_THREADS = 8;
/** How long the search runs before other work continues. */
const SLICE_MS = 6;
/** How many turns are compared at once where there is no index; this takes a few milliseconds. */
const COMPARED_WINDOW = 256;
/** How many turns are read from the index at once. After that, the remaining turns of a thread that was found are skipped. */
const INDEXED_AT_ONCE = 128;
/** How many words of the vocabulary are compared with a piece at once. */
const VOCABULARY_WINDOW = 8_192;
/** The maximum number of words that one query looks for in place of a piece. With more words, a query takes longer than a slice. */
const WORDS_AT_ONCE = 32;
/** Threads with ids from `from` up to, but not including, `thread`. */
interface Range {
	readonly from: number;
	readonly thread: number;
}
const EVERY_THREAD: Range = { from: 0, thread: 2 ** 21 };
/** A query of the index. The turns that it finds are compared with `like`; if `like` is undefined, the words alone decide. */
interface IndexQuery {
	readonly words: string;
	readonly like: string | undefined;
}
/** Words are frequent if, on average, each thread that contains any of them has this many turns with them. */
const FREQUENT = 8;
const LAST_CHARACTER = "\u{10FFFF}";

function prepareSearch(db: Database.Database) {
	return {
		threads: db.prepare("SELECT id, thread_id, title FROM threads ORDER BY updated_at DESC, id DESC"),
		tagged: db.prepare(`SELECT id, thread_id, title FROM threads CROSS JOIN thread_marks ON thread_marks.thread = threads.id
			WHERE EXISTS (SELECT 1 FROM json_each(tags) WHERE fold_text(value) = ?) ORDER BY updated_at DESC, id DESC`),
		indexedFrom: db.prepare("SELECT indexed_from FROM search_upkeep").pluck(),
		newest: db
			.prepare(`SELECT turn FROM (SELECT id FROM turns WHERE thread = @thread ORDER BY id DESC)
				CROSS JOIN search_texts ON turn = id WHERE folded LIKE @like ESCAPE '\\' LIMIT 1`)
			.pluck(),
		unindexed: db.prepare(`SELECT turns.thread, max(turns.id) AS turn FROM search_texts CROSS JOIN turns ON turns.id = search_texts.turn
			WHERE search_texts.turn BETWEEN @from AND @to AND folded LIKE @like ESCAPE '\\' GROUP BY turns.thread`),
		windowEnd: db
			.prepare(`SELECT word FROM search_words WHERE word > @after AND word < @last ORDER BY word LIMIT 1 OFFSET ${VOCABULARY_WINDOW - 1}`)
			.pluck(),
		words: db.prepare("SELECT word FROM search_words WHERE word > @after AND word <= @to AND word GLOB @glob").pluck(),
		// FTS5 looks up an id directly only if SQLite receives it as an integer, but a large JavaScript number reaches SQLite as a float.
		indexed: db.prepare(`SELECT rowid >> 32 AS thread, rowid & 0xFFFFFFFF AS turn FROM word_index
			WHERE word_index MATCH @words AND rowid >= ${indexId("@from", "0")} AND rowid < ${indexId("@thread", "@turn")} ORDER BY rowid DESC LIMIT ${INDEXED_AT_ONCE}`),
		matches: db.prepare("SELECT folded LIKE @like ESCAPE '\\' FROM search_texts WHERE turn = @turn").pluck(),
		text: db.prepare(`SELECT ${searchedText} AS text FROM turns WHERE id = ?`),
	};
}

/** Finds the threads that contain a text, ignoring case and accents. Works in slices, so that other work can continue between them. */
export class ThreadSearch {
	readonly #sql: ReturnType<typeof prepareSearch>;

	constructor(db: Database.Database) {
		this.#sql = prepareSearch(db);
	}

	/**
	 * Finds threads whose title, prompts, final answers or file names contain `text`, among all threads or only those with `tag`; most
	 * recently changed first, at most FOUND_THREADS.
	 */
	async find(text: string, tag?: string): Promise<readonly FoundText[]> {
		const slices = this.slices(text, tag);
		for (;;) {
			const slice = slices.next();
			if (slice.done) return slice.value;
			await setImmediate();
		}
	}

	/** Performs the search in steps of a few milliseconds. */
	*slices(text: string, tag?: string): Generator<void, readonly FoundText[]> {
		const folded = foldText(text).trim();
		if (folded === "") return [];
		const like = `%${folded.replace(/[\\%_]/g, "\\$&")}%`;
		const threads = Threads.parse(tag === undefined ? this.#sql.threads.all() : this.#sql.tagged.all(foldText(tag)));
		const sought = soughtIn(folded);
		const tried = yield* this.#eachThread(threads, folded, (thread) => this.#newestByComparison(thread, like), sought.pieces.length > 0);
		const found = tried ?? (yield* this.#byIndex(threads, folded, like, sought));
		const texts: FoundText[] = [];
		for (const { thread, turn } of found) {
			const foundText = turn === undefined ? thread.title : this.#textWith(turn, folded);
			if (foundText !== undefined) texts.push({ threadId: thread.thread_id, text: foundText });
			yield;
		}
		return texts;
	}

	/**
	 * Searches thread by thread, which soon finds enough matches of a text that many threads contain. Undefined if most threads do not
	 * contain the text and there is a quicker way to search for it.
	 */
	*#eachThread(
		threads: readonly ThreadTitle[],
		folded: string,
		newestIn: (thread: number) => number | undefined,
		hasQuickerWay: boolean,
	): Generator<void, readonly Found[] | undefined> {
		const found: Found[] = [];
		let since = performance.now();
		for (const [tried, thread] of threads.entries()) {
			if (found.length === FOUND_THREADS) break;
			if (hasQuickerWay && tried >= TRIED_THREADS && found.length < tried / 2) return undefined;
			const turn = newestIn(thread.id);
			if (turn !== undefined || foldText(thread.title).includes(folded)) found.push({ thread, turn });
			if (performance.now() - since < SLICE_MS) continue;
			yield;
			since = performance.now();
		}
		return found;
	}

	#newestByComparison(thread: number, like: string): number | undefined {
		return Turn.parse(this.#sql.newest.get({ thread, like }));
	}

	*#byIndex(threads: readonly ThreadTitle[], folded: string, like: string, sought: Sought): Generator<void, readonly Found[]> {
		const newest = new Map<number, number>();
		yield* this.#unindexedTurns(like, newest);
		const queries = yield* this.#queriesFor(sought, like);
		const [query, ...others] = queries;
		const isByThread = query !== undefined && others.length === 0 && this.#isFrequent(query);
		if (!isByThread) for (const each of queries) yield* this.#noteTurns(each, EVERY_THREAD, newest);
		const newestIn = (thread: number) => {
			if (isByThread) complete(this.#noteTurns(query, { from: thread, thread: thread + 1 }, newest));
			return newest.get(thread);
		};
		return (yield* this.#eachThread(threads, folded, newestIn, false)) ?? [];
	}

	/**
	 * True if each thread has many turns to compare. The threads are then searched one by one, and the search ends once enough are found. If
	 * each thread has few turns to compare, a query for each thread would take longer than the comparison.
	 */
	#isFrequent({ words, like }: IndexQuery): boolean {
		if (like === undefined) return false;
		const turns = SomeIndexed.parse(this.#sql.indexed.all({ words, ...EVERY_THREAD, turn: 0 }));
		return turns.length === INDEXED_AT_ONCE && new Set(turns.map(({ thread }) => thread)).size <= INDEXED_AT_ONCE / FREQUENT;
	}

	/** For each thread, notes the newest turn that contains the text, among the turns that are not indexed yet. */
	*#unindexedTurns(like: string, newest: Map<number, number>): Generator<void, void> {
		for (let to = IndexedFrom.parse(this.#sql.indexedFrom.get()) - 1; to > 0; to -= COMPARED_WINDOW) {
			const from = to - COMPARED_WINDOW + 1;
			for (const hit of SomeIndexed.parse(this.#sql.unindexed.all({ from, to, like }))) note(hit, newest);
			yield;
		}
	}

	/** Queries for the index that together select every turn with the text. */
	*#queriesFor({ pieces, isExact }: Sought, like: string): Generator<void, readonly IndexQuery[]> {
		const words: (readonly string[])[] = [];
		for (const piece of pieces) words.push(yield* this.#wordsWith(piece));
		const [fewest = [], ...others] = words.toSorted((a, b) => a.length - b.length);
		const rest = others.filter((some) => some.length <= WORDS_AT_ONCE).map((some) => ` AND (${anyOf(some)})`);
		const queries: IndexQuery[] = [];
		for (let at = 0; at < fewest.length; at += WORDS_AT_ONCE) {
			const some = `(${anyOf(fewest.slice(at, at + WORDS_AT_ONCE))})`;
			queries.push({ words: `${some}${rest.join("")}`, like: isExact ? undefined : like });
		}
		const [query] = queries;
		if (query?.like === undefined || queries.length > 1) return [...queries, { words: anyOf([LONG_RUN]), like }];
		return [{ words: `${anyOf([LONG_RUN])} OR (${query.words})`, like }];
	}

	/** The words of the vocabulary that a piece may be part of. */
	*#wordsWith({ text, begins, ends }: Piece): Generator<void, readonly string[]> {
		if (begins && ends) return [text];
		// The windows below start after `text`, so the text itself is added here, even though no turn may contain it as a word.
		const words = begins ? [text] : [];
		// A piece of punctuation has both bounds, so it was handled above, and the pattern has no special characters except the asterisks.
		const glob = `${begins ? "" : "*"}${text}${ends ? "" : "*"}`;
		const last = begins ? `${text}${LAST_CHARACTER}` : LAST_CHARACTER;
		for (let after = begins ? text : ""; ; ) {
			const end = WindowEnd.parse(this.#sql.windowEnd.get({ after, last }));
			words.push(...Words.parse(this.#sql.words.all({ after, to: end ?? last, glob })));
			if (end === undefined) return words;
			after = end;
			yield;
		}
	}

	/** For each thread, notes the newest turn that contains the words and, if `like` is given, the text. */
	*#noteTurns({ words, like }: IndexQuery, { from, thread }: Range, newest: Map<number, number>): Generator<void, void> {
		let before = { thread, turn: 0 };
		let since = performance.now();
		for (;;) {
			const turns = SomeIndexed.parse(this.#sql.indexed.all({ words, from, ...before }));
			for (const hit of turns) {
				const isNewer = hit.turn > (newest.get(hit.thread) ?? 0);
				if (isNewer && (like === undefined || Matches.parse(this.#sql.matches.get({ turn: hit.turn, like })) === 1)) note(hit, newest);
				if (performance.now() - since < SLICE_MS) continue;
				yield;
				since = performance.now();
			}
			const last = turns.at(-1);
			if (last === undefined || turns.length < INDEXED_AT_ONCE) return;
			before = (newest.get(last.thread) ?? 0) >= last.turn ? { thread: last.thread, turn: 0 } : last;
		}
	}

	/**
	 * The part of the turn's text that contains the match; empty if none contains it now; undefined if the turn was deleted in the meantime.
	 */
	#textWith(turn: number, folded: string): string | undefined {
		const texts = Searched.optional().parse(this.#sql.text.get(turn))?.text.split(BETWEEN_TEXTS);
		return texts?.find((text) => foldText(text).includes(folded)) ?? (texts && "");
	}
}

/** A query of the index for turns that contain any of these words, none of which contains quotation marks. */
function anyOf(words: readonly string[]): string {
	return words.map((word) => `"${word}"`).join(" OR ");
}

function note({ thread, turn }: Indexed, newest: Map<number, number>): void {
	if (turn > (newest.get(thread) ?? 0)) newest.set(thread, turn);
}

function complete(slices: Generator<void, void>): void {
	while (!slices.next().done);
}
