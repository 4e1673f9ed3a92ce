import { join } from "node:path";
import { ThreadId } from "@xworkmate/contracts";
import type Database from "better-sqlite3";
import fc from "fast-check";
import { expect, it } from "vitest";
import { openAppDatabase } from "../../src/store/app-database.ts";
import { SearchIndex } from "../../src/store/search-index.ts";
import { SqliteThreadStore } from "../../src/store/sqlite-thread-store.ts";
import { foldText } from "../../src/threads/index.ts";
import { temporaryHome } from "../support/temporary-home.ts";

const TEXTS = 60;
const piece = fc.constantFrom(
	"Ünï",
	"ß",
	"straße",
	"💡",
	"💡💡x",
	"100%",
	"a_b",
	"\\",
	'"quoted"',
	"it's",
	"报告书",
	"报",
	"かな",
	"สวัสดี",
	"한국어",
	"हिन्दी",
	"שָׁלוֹם",
	"Привет",
	"e\u0301te",
	"plain",
	"an",
	"ana",
	" ",
	"\n",
	"\u001F",
	"İ",
	"*",
	"AND",
	"...",
	"->",
	"--",
	"c++",
	"x".repeat(100),
	`${"y".repeat(130)}an`,
	"ε".repeat(70),
);
const text = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(""));

const threadIdOf = (turn: number) => ThreadId.parse(`draft:t${turn}`);

/** Writes a thread for each text. Those before a turn are not indexed, as a home of an earlier version. */
function writeTexts(path: string, texts: readonly string[], indexedFrom = 0): void {
	const db = openAppDatabase(path);
	const thread = db.prepare(`INSERT INTO threads VALUES (?, ?, ?, '~', 'ready', NULL, NULL, NULL, '[]', NULL, ?, ?)`);
	const turn = db.prepare(`INSERT INTO turns (id, thread, turn_id, prompt, request, status, last_seq, synced_paths, created_at)
		VALUES (?, ?, 't', '', '{"attachments":[]}', 'completed', 0, '[]', '2026-01-02T03:04:05.006Z')`);
	const searched = db.prepare("INSERT INTO search_texts VALUES (?, '')");
	db.transaction(() => {
		for (const [index, one] of texts.entries()) {
			const at = new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString();
			thread.run(index + 1, threadIdOf(index + 1), "~", at, at);
			turn.run(index + 1, index + 1);
			searched.run(index + 1);
			change(db, index + 1, one, index + 1 >= indexedFrom);
		}
		db.prepare("UPDATE search_upkeep SET indexed_from = ?").run(indexedFrom);
	})();
	db.close();
}

function change(db: Database.Database, turn: number, changed: string, isIndexed = true): void {
	const folded = foldText(changed);
	db.prepare("UPDATE turns SET prompt = ? WHERE id = ?").run(changed, turn);
	db.prepare("UPDATE search_texts SET folded = ? WHERE turn = ?").run(folded, turn);
	if (isIndexed) new SearchIndex(db).put({ turn, thread: turn, folded });
}

/** The threads that a plain comparison of all texts finds. A text that is undefined was deleted. */
function scan(texts: readonly (string | undefined)[], wanted: string): readonly string[] {
	const folded = foldText(wanted).trim();
	const isFound = (one: string | undefined) => one !== undefined && folded !== "" && foldText(one).includes(folded);
	return texts.flatMap((one, index) => (isFound(one) ? [threadIdOf(index + 1)] : [])).toReversed();
}

it("finds exactly the threads whose folded text contains the folded words, indexed or not, changed or deleted", async () => {
	using home = temporaryHome();
	let run = 0;
	const asked = fc.record({ of: fc.nat(TEXTS - 1), from: fc.nat(40), length: fc.integer({ min: 1, max: 160 }) });
	await fc.assert(
		fc.asyncProperty(
			fc.array(text, { minLength: TEXTS, maxLength: TEXTS }),
			fc.array(text, { minLength: 16, maxLength: 16 }),
			fc.array(asked, { minLength: 24, maxLength: 24 }),
			async (texts, others, parts) => {
				const path = join(home.path, `${run++}.sqlite`);
				writeTexts(path, texts, Math.floor(texts.length / 2));
				const now: (string | undefined)[] = [...texts];
				const db = openAppDatabase(path);
				for (const [index, one] of others.entries()) {
					change(db, 4 * index + 1 <= TEXTS ? 4 * index + 1 : 1, one);
					now[4 * index + 1 <= TEXTS ? 4 * index : 0] = one;
				}
				db.close();
				const store = new SqliteThreadStore(path);
				for (let turn = 3; turn <= TEXTS; turn += 7) {
					store.deleteThread(threadIdOf(turn));
					now[turn - 1] = undefined;
				}
				const wanted = [...others, ...parts.map(({ of, from, length }) => [...(texts[of] ?? "")].slice(from, from + length).join(""))];
				const compare = async () => {
					for (const one of wanted) expect((await store.surface.search.find(one)).map(({ threadId }) => threadId)).toEqual(scan(now, one));
				};
				await compare();
				while (store.upkeep.step());
				await compare();
				store.close();
			},
		),
		{ numRuns: 4, endOnFailure: true },
	);
});

function addTurn(db: Database.Database, thread: number, id: number, prompt: string): void {
	db.prepare(`INSERT INTO turns (id, thread, turn_id, prompt, request, status, last_seq, synced_paths, created_at)
		VALUES (@id, @thread, @id, @prompt, '{"attachments":[]}', 'completed', 0, '[]', '2026-01-02T03:04:05.006Z')`).run({
		id,
		thread,
		prompt,
	});
	db.prepare("INSERT INTO search_texts VALUES (?, ?)").run(id, foldText(prompt));
	new SearchIndex(db).put({ turn: id, thread, folded: foldText(prompt) });
}

/** The texts that a search in a new home finds. */
async function foundIn(write: (path: string) => void, ...wanted: readonly string[]): Promise<readonly (readonly string[])[]> {
	using home = temporaryHome();
	const path = join(home.path, "app.sqlite");
	write(path);
	const store = new SqliteThreadStore(path);
	const found: (readonly string[])[] = [];
	for (const one of wanted) found.push((await store.surface.search.find(one)).map(({ text }) => text));
	store.close();
	return found;
}

it("finds the newest turn of a thread that has the text in many", async () => {
	const write = (path: string) => {
		writeTexts(path, ["", ...Array.from({ length: 30 }, () => "nothing of the kind")]);
		const db = openAppDatabase(path);
		for (let id = 1_000; id < 1_300; id++) addTurn(db, 1, id, `a needle ${id}`);
		db.close();
	};
	const newest = "a needle 1299";
	expect(await foundIn(write, "needle", "a need", "needle 10", "1003")).toEqual([[newest], [newest], ["a needle 1099"], ["a needle 1003"]]);
});

it("finds two words in a row where each thread has both in many turns, and few have them in a row", async () => {
	const write = (path: string) => {
		writeTexts(
			path,
			Array.from({ length: 40 }, () => "nothing of the kind"),
		);
		const db = openAppDatabase(path);
		db.transaction(() => {
			for (let id = 100; id < 1_000; id++) addTurn(db, (id % 40) + 1, id, id % 40 < 12 && id < 900 ? `abc de ${id}` : `de, abc ${id}`);
		})();
		db.close();
	};
	const newest = Array.from({ length: 12 }, (_, index) => `abc de ${880 + index}`);
	expect(await foundIn(write, "abc de", "abc  DE 88", "c d")).toEqual([
		newest.toReversed(),
		newest.filter((found) => found.startsWith("abc de 88")).toReversed(),
		newest.toReversed(),
	]);
});

const among = (texts: readonly string[]) => (path: string) => writeTexts(path, [...texts, ...Array.from({ length: 30 }, () => "nothing")]);

it("finds a part of a run of letters that is too long for a word", async () => {
	const run = `${"k".repeat(100)}needle${"q".repeat(100)}`;
	expect(await foundIn(among([`see ${run} there`, "see there"]), "needle", "see kk", "qq there", run, `${run}q`)).toEqual([
		...Array.from({ length: 4 }, () => [`see ${run} there`]),
		[],
	]);
});

it("finds a text that begins and ends inside words", async () => {
	const texts = ["the overlooked haystack", "over hay", "报告书 and 告示"];
	expect(await foundIn(among(texts), "rlooked hay", "looke", "r hay", "告", "告书 a", "书", "示")).toEqual([
		[texts[0]],
		[texts[0]],
		[texts[1]],
		[texts[2]],
		[texts[2]],
		[texts[2]],
		[texts[2]],
	]);
});

it("compares only the texts that have the words, where there is an index", async () => {
	using home = temporaryHome();
	const path = join(home.path, "app.sqlite");
	writeTexts(
		path,
		Array.from({ length: 400 }, (_, index) => (index === 300 ? "a needle" : "nothing of the kind")),
	);
	const db = openAppDatabase(path);
	// Texts that the index does not have are compared one by one; here they would be found.
	db.exec("UPDATE search_texts SET folded = 'needle' WHERE turn BETWEEN 250 AND 260");
	db.close();
	const store = new SqliteThreadStore(path);
	expect((await store.surface.search.find("needle")).map(({ threadId }) => threadId)).toEqual(["draft:t301"]);
	store.close();
});

it("compares the text itself with the texts that have its words", async () => {
	using home = temporaryHome();
	const path = join(home.path, "app.sqlite");
	writeTexts(
		path,
		Array.from({ length: 40 }, (_, index) => (index === 10 ? "abc de" : index === 30 ? "de, abc" : "nothing")),
	);
	const store = new SqliteThreadStore(path);
	expect((await store.surface.search.find("abc de")).map(({ threadId }) => threadId)).toEqual(["draft:t11"]);
	store.close();
});

it("finds a word wherever it is in a large vocabulary", async () => {
	const number = (index: number) => `${(index * 7_919) % 100_003}`;
	const write = (path: string) => {
		writeTexts(path, [
			...Array.from({ length: 30 }, () => "nothing"),
			Array.from({ length: 20_000 }, (_, index) => number(index)).join(" "),
		]);
		const db = openAppDatabase(path);
		for (const [index, word] of ["aaneedle", "999needle9", "zzneedle", "needle"].entries()) addTurn(db, 1, 100 + index, word);
		db.close();
	};
	expect(await foundIn(write, "aneedle", "9needle", "zneedle", "eedl")).toEqual([["aaneedle"], ["999needle9"], ["zzneedle"], ["needle"]]);
});
