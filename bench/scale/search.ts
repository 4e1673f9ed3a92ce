import { join } from "node:path";
import { z } from "zod";
import { openAppDatabase as openAsApp } from "../../app/src/store/app-database.ts";
import { SearchedTurn, SearchIndex } from "../../app/src/store/search-index.ts";
import { type TemporaryHome, temporaryHome } from "../../e2e/support/machine/temporary-home.ts";
import { Program } from "../programs/program.ts";
import { compare, type Result } from "../result.ts";
import { interleave } from "../rounds.ts";
import { needle } from "../thread-history.ts";
import { growThreads, openAppDatabase } from "./grow-threads.ts";

const Found = z.object({ ms: z.array(z.number()), found: z.array(z.int()) });
/** As many as people use in their texts, some of them often and most of them seldom. */
const WORDS = 20_000;
const WORDS_OF_TURN = 20;
/** As many as a language has, so that three letters in a row are about as rare as in its texts. */
const SYLLABLES = [..."bcdfghklmnprstvwz"].flatMap((first) =>
	[..."aeiou"].flatMap((vowel) => ["", "n", "r", "s"].map((last) => first + vowel + last)),
);
/** No text contains it. */
const ABSENT = "zyzzyvaxq";

/** A search in the app over everything that was said in all threads: the 95th percentile of the times. */
export async function benchSearch(quick: boolean): Promise<readonly Result[]> {
	await using few = await temporaryHome();
	await using many = await temporaryHome();
	const [threads, turns] = quick ? [200, 20] : [5_000, 200];
	await say(few, 20, 5);
	await say(many, threads, turns);
	await using small = await Program.start("./list-threads.ts", [few.xworkmate]);
	await using large = await Program.start("./list-threads.ts", [many.xworkmate]);
	// The index is finished while the app has nothing else to do.
	for (const program of [small, large]) await program.ask({ rest: true });
	let round = 0;
	const search = async (program: Program) => slowOf(Found.parse(await program.ask({ search: textsOf(round) })));
	const measures = {
		few: () => search(small),
		many: async () => {
			const slow = await search(large);
			round++;
			return slow;
		},
	};
	await interleave(1, measures);
	return [
		compare(await interleave(quick ? 2 : 5, measures), {
			name: `search over ${threads} threads of ${turns} turns: 95th percentile`,
			unit: "ms",
			against: "20 threads of 5 turns",
			baseline: "few",
			measured: "many",
			aim: { measuredAtMost: 100 },
		}),
	];
}

/**
 * The texts that are searched for in one round: words from the commonest to the rarest, parts of words, pairs of words, a title, and a word
 * that no text contains.
 */
function textsOf(round: number): readonly string[] {
	const words = Array.from({ length: 30 }, (_, n) => word(Math.floor((WORDS - 1) * ((n + 1) / 30) ** 4) - round * (n > 9 ? 1 : 0)));
	const pairs = Array.from({ length: 5 }, (_, n) => `${word(n)} ${word(n + round + 1)}`);
	return [...words, ...words.slice(10, 20).map((text) => text.slice(1, 6)), ...pairs, needle.slice(4, 20), `${ABSENT}${round}`];
}

function slowOf({ ms, found }: z.infer<typeof Found>): number {
	if (found.every((threads) => threads === 0)) throw new Error("no search found anything");
	const sorted = [...ms].sort((a, b) => a - b);
	return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0;
}

/** Threads whose turns have texts of their own, each word as often as its place in the list says (Zipf). */
async function say(home: TemporaryHome, threads: number, turns: number): Promise<void> {
	growThreads(home, threads, turns);
	writeTexts(home);
	indexTexts(home);
}

function writeTexts(home: TemporaryHome): void {
	using db = openAppDatabase(home);
	const random = randomOf(7);
	const put = db.prepare("UPDATE turns SET prompt = ? WHERE id = ?");
	const search = db.prepare(
		"INSERT INTO search_texts (turn, folded) VALUES (?, ?) ON CONFLICT (turn) DO UPDATE SET folded = excluded.folded",
	);
	const ids = db.prepare("SELECT id FROM turns ORDER BY id").all();
	db.exec("PRAGMA synchronous = OFF; BEGIN");
	for (const { id = null } of ids) {
		const text = Array.from({ length: WORDS_OF_TURN }, () => word(Math.floor(WORDS ** random()) - 1)).join(" ");
		put.run(text, id);
		search.run(id, text);
	}
	db.exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
}

/** Indexes the texts as the app does, but in one commit: one for each turn would take an hour. */
function indexTexts(home: TemporaryHome): void {
	const db = openAsApp(join(home.xworkmate, "app", "app.sqlite"));
	const index = new SearchIndex(db);
	const some = db.prepare(
		"SELECT turn, thread, folded FROM search_texts JOIN turns ON turns.id = turn WHERE turn > ? ORDER BY turn LIMIT 1000",
	);
	db.exec("PRAGMA synchronous = OFF; BEGIN");
	for (let last = 0; ; ) {
		const texts = some.all(last).map((row) => SearchedTurn.parse(row));
		for (const text of texts) index.put(text);
		const end = texts.at(-1);
		if (end === undefined) break;
		last = end.turn;
	}
	db.exec("UPDATE search_upkeep SET indexed_from = 0; COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
	db.close();
}

/** The nth word: syllables of two or three letters, in an order that no other has. */
function word(n: number): string {
	let text = "";
	for (let rest = Math.max(0, n) * 7919 + 320_000; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
		text += SYLLABLES[rest % SYLLABLES.length];
	return text;
}

/** Numbers from 0 to 1, the same each time. */
function randomOf(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	};
}
