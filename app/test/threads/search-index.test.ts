import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { expect, it } from "vitest";
import { SqliteThreadStore } from "../../src/store/sqlite-thread-store.ts";
import { foldText } from "../../src/threads/index.ts";
import { temporaryHome } from "../support/temporary-home.ts";

const PROMPTS = 60;
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
	"e\u0301te",
	"plain",
	"an",
	" ",
	"\n",
	"İ",
	"*",
	"AND",
);
const text = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(""));

/** A home with a thread for each text, indexed or, for every other text, as an earlier version left it. */
function writeTexts(path: string, texts: readonly string[]): void {
	new SqliteThreadStore(path).close();
	const db = new Database(path);
	const thread = db.prepare(`INSERT INTO threads VALUES (?, ?, ?, '~', 'ready', NULL, NULL, NULL, '[]', NULL, ?, ?)`);
	const turn = db.prepare(`INSERT INTO turns (id, thread, turn_id, prompt, request, status, last_seq, synced_paths, created_at)
		VALUES (?, ?, 't', ?, '{"attachments":[]}', 'completed', 0, '[]', '2026-01-02T03:04:05.006Z')`);
	const searched = db.prepare("INSERT INTO search_texts VALUES (?, ?)");
	db.transaction(() => {
		for (const [index, one] of texts.entries()) {
			const at = new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString();
			thread.run(index + 1, `draft:t${index + 1}`, `draft:t${index + 1}`, at, at);
			turn.run(index + 1, index + 1, one);
			searched.run(index + 1, foldText(one));
		}
		const half = Math.floor(texts.length / 2);
		db.prepare(
			"INSERT INTO search_index (search_index, rowid, folded) SELECT 'delete', turn, folded FROM search_texts WHERE turn <= ?",
		).run(half);
		db.prepare("UPDATE search_upkeep SET indexed_from = ?").run(half + 1);
	})();
	db.close();
}

it("finds exactly the threads whose folded text contains the folded words, indexed or not", async () => {
	using home = temporaryHome();
	let run = 0;
	await fc.assert(
		fc.asyncProperty(
			fc.array(text, { minLength: PROMPTS, maxLength: PROMPTS }),
			fc.array(text, { minLength: 16, maxLength: 16 }),
			async (texts, asked) => {
				const path = join(home.path, `${run++}.sqlite`);
				writeTexts(path, texts);
				const store = new SqliteThreadStore(path);
				for (const wanted of asked) {
					const folded = foldText(wanted).trim();
					const expected = texts.flatMap((one, index) => (folded !== "" && foldText(one).includes(folded) ? [`draft:t${index + 1}`] : []));
					const found = await store.surface.search.find(wanted);
					expect(found.map(({ threadId }) => threadId)).toEqual(expected.toReversed());
				}
				store.close();
			},
		),
		{ numRuns: 4, endOnFailure: true },
	);
});

it("compares only the texts that have the letters, where there is an index", async () => {
	using home = temporaryHome();
	const path = join(home.path, "app.sqlite");
	writeTexts(
		path,
		Array.from({ length: 400 }, (_, index) => (index === 300 ? "a needle" : "nothing of the kind")),
	);
	const db = new Database(path);
	// Texts that the index does not have are compared one by one; here they would be found.
	db.exec("UPDATE search_upkeep SET indexed_from = 0");
	db.exec("DROP TRIGGER search_text_changed; UPDATE search_texts SET folded = 'needle' WHERE turn BETWEEN 250 AND 260");
	db.close();
	const store = new SqliteThreadStore(path);
	expect((await store.surface.search.find("needle")).map(({ threadId }) => threadId)).toEqual(["draft:t301"]);
	store.close();
});

it("compares the words themselves with the texts that have their letters", async () => {
	using home = temporaryHome();
	const path = join(home.path, "app.sqlite");
	const few = Array.from({ length: 40 }, (_, index) => (index === 10 ? "abcde" : index === 30 ? "abcd bcde" : "nothing"));
	writeTexts(path, few);
	const db = new Database(path);
	db.exec(
		"INSERT INTO search_index (rowid, folded) SELECT turn, folded FROM search_texts WHERE turn <= 20; UPDATE search_upkeep SET indexed_from = 0",
	);
	db.close();
	const store = new SqliteThreadStore(path);
	expect((await store.surface.search.find("abcde")).map(({ threadId }) => threadId)).toEqual(["draft:t11"]);
	store.close();
});
