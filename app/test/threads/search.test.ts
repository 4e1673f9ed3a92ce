import { join } from "node:path";
import { openArtifactContract } from "@xworkmate/contracts";
import Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SqliteThreadStore } from "../../src/store/sqlite-thread-store.ts";
import { excerpt } from "../../src/threads/excerpt.ts";
import { findFolded, foldText } from "../../src/threads/index.ts";
import { CoreScene } from "../support/core-scene.ts";
import { temporaryHome } from "../support/temporary-home.ts";
import { ended, freshThread, handle, send, tell, threadId } from "../support/thread-story.ts";

const openRequest = { routing: { executionTarget: "agent" }, contract: openArtifactContract, attachments: [] } as const;

describe("search", () => {
	it("[D10] finds a thread by its answer, by a file that it produced and by a file that went along", async () => {
		await using scene = await CoreScene.open();
		scene.bridge.onRun = (run) => {
			run.answer = "It is the safest way.\n\nA plain copy.";
			run.end("completed", { "out/Größe.csv": "1" });
		};
		const sent = await scene.api.send({
			prompt: "what is safe?",
			routing: { executionTarget: "agent" },
			attachments: [{ name: "Отчёт.txt", mediaType: "text/plain", bytes: Buffer.from("x") }],
		});
		await scene.end(sent);
		const hit = async (text: string) => (await scene.api.searchThreads({ text })).threads.map((found) => found.excerpt);
		expect(await hit("safest WAY. a plain")).toEqual(["It is the safest way. A plain copy."]);
		expect(await hit("grosse.csv")).toEqual(["out/Größe.csv"]);
		expect(await hit("отчет")).toEqual(["Отчёт.txt"]);
		expect(await hit("copy. out/")).toEqual([]);
	});

	it.each([
		["Über den Wolken", "über"],
		["über den Wolken", "ÜBER"],
		["uber", "Über"],
		["ПРИВЕТ, мир", "привет"],
		["всё ещё", "ВСЕ ЕЩЕ"],
		["Ὀδυσσεύς", "οδυσσευσ"],
		["Crème brûlée", "creme BRULEE"],
		["Straße", "STRASSE"],
		["ＦＵＬＬ ｗｉｄｔｈ", "full width"],
		["İstanbul", "istanbul"],
		["報告書", "告"],
		["e\u0301te\u0301", "été"],
		["Because of the *rain*, mostly", "rain, mostly"],
		["call `a * b`", "a * b"],
	])("[D10] finds %j by %j", async (prompt, wanted) => {
		await using scene = await CoreScene.open();
		await scene.end(await scene.send(prompt));
		expect((await scene.api.searchThreads({ text: wanted })).threads).toHaveLength(1);
	});

	it("finds nothing by marks alone", async () => {
		await using scene = await CoreScene.open();
		await scene.end(await scene.send("words"));
		expect(await scene.api.searchThreads({ text: "\u0301" })).toEqual({ threads: [], isFull: false });
	});

	it("says that there may be more than the hundred that it found, and finds an older thread by its tag", async () => {
		await using scene = await CoreScene.open();
		const { threadId: oldest, turnId } = await scene.send("the needle");
		await scene.end({ threadId: oldest, turnId });
		await scene.api.markThread({ threadId: oldest, tags: ["Café"] });
		await scene.restart(() => {
			const db = new Database(join(scene.home, "app", "app.sqlite"));
			const columns = (db.pragma("table_info(threads)") as { name: string }[]).map(({ name }) => name);
			const values = new Map([
				["id", "NULL"],
				["thread_id", "'draft:t' || i"],
				["updated_at", "'2099-01-01T00:00:00.000Z'"],
			]);
			db.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
				INSERT INTO threads (${columns}) SELECT ${columns.map((name) => values.get(name) ?? name)} FROM threads, n WHERE id = 1`);
			db.close();
		});
		const { threads, isFull } = await scene.api.searchThreads({ text: "needle" });
		expect([threads.length, threads.some(({ threadId }) => threadId === oldest), isFull]).toEqual([100, false, true]);
		const found = { threads: [{ threadId: oldest, excerpt: "the needle" }], isFull: false };
		expect(await scene.api.searchThreads({ text: "needle", tag: "CAFE" })).toEqual(found);
	});

	it("[D10] finds what a home held before search kept texts of its own", async () => {
		using home = temporaryHome();
		const path = join(home.path, "app.sqlite");
		let store = new SqliteThreadStore(path);
		writeThread(store, "Übersicht", "The ANSWER, mostly");
		store.close();
		asWrittenEarlier(path);
		store = new SqliteThreadStore(path);
		expect((await store.surface.search.find("answer, MOSTLY")).map(({ text }) => text)).toEqual(["The ANSWER, mostly"]);
		expect(await store.surface.search.find("ubersicht")).toHaveLength(1);
		store.close();
	});

	it("forgets a thread with the thread", () => {
		using home = temporaryHome();
		const path = join(home.path, "app.sqlite");
		const store = new SqliteThreadStore(path);
		writeThread(store, "one", "secret answer");
		store.deleteThread(threadId);
		store.close();
		const db = new Database(path);
		expect(db.prepare("SELECT count(*) AS count FROM search_texts").get()).toEqual({ count: 0 });
		db.close();
	});

	it("[D10] answers at once among 5,000 threads", async () => {
		using home = temporaryHome();
		const path = join(home.path, "app.sqlite");
		let store = new SqliteThreadStore(path);
		writeThread(store, "one", "Because of the rain the way was long, and a plain answer takes its time. ".repeat(20));
		store.close();
		asWrittenEarlier(path, (db) => {
			const all = "WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)";
			const copy = (table: string, key: string, to: string) => {
				const columns = (db.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name);
				const values = columns.map((name) => (name === "id" || name === key ? to.replace("$", name === "id" ? "" : "'t-' ||") : name));
				db.exec(`${all} INSERT INTO ${table} (${columns}) SELECT ${values.join()} FROM ${table}, n WHERE id = 1`);
			};
			copy("threads", "thread_id", "$ i");
			copy("turns", "turn_id", "$ i");
			db.exec("UPDATE turns SET thread = id; UPDATE turns SET prompt = 'Die Nädel' WHERE id = 7");
		});
		store = new SqliteThreadStore(path);
		expect(await store.surface.search.find("plain")).toHaveLength(100);
		const times: number[] = [];
		for (const [text, hits] of Array.from(
			{ length: 5 },
			() =>
				[
					["nadel", 1],
					["nothing like it", 0],
				] as const,
		).flat()) {
			const begin = performance.now();
			expect(await store.surface.search.find(text)).toHaveLength(hits);
			times.push(performance.now() - begin);
		}
		// The shortest: the machine has other work.
		expect(Math.min(...times)).toBeLessThan(100);
		store.close();
	});
});

describe("the place of a hit", () => {
	it("is where the text says it, whatever the accents around it", () => {
		const word = fc.constantFrom("Ünï", "ß", "Ωδή", "한글", "a\u0301b", "ﬁn", "  ", "\n", "ё", "💡", "plain", "ς");
		fc.assert(
			fc.property(fc.array(word, { maxLength: 8 }), fc.constantFrom("Zürich", "ΛΌΓΟΣ", "naïve"), (words, hit) => {
				const text = [...words, hit, ...words].join(" ");
				const found = findFolded(text, foldText(hit));
				expect(found && text.slice(found.start, found.end)).toBe(hit);
			}),
		);
	});

	it("takes the marks along that belong to it, and is nothing where nothing is wanted", () => {
		expect(findFolded("cafe\u0301 noir", "cafe")).toEqual({ start: 0, end: 5 });
		expect(findFolded("a\n\n  b c", "a b")).toEqual({ start: 0, end: 6 });
		expect(findFolded("anything", "  ")).toBeUndefined();
		expect(findFolded("of the *rain*, mostly", "rain, m")).toEqual({ start: 8, end: 16 });
	});

	it("[D16] is shown in whole words, with … where something is left out", () => {
		const text = `${"before ".repeat(20)}the needle ${"after ".repeat(40)}`;
		const shown = excerpt(text, "NEEDLE");
		expect(shown).toMatch(/^…before (before )*the needle (after )*after…$/);
		expect(shown.indexOf("needle")).toBeLessThan(32);
		expect(excerpt("short and whole", "and")).toBe("short and whole");
	});
});

/** Takes back what this version's schema added. */
function asWrittenEarlier(path: string, more: (db: Database.Database) => void = () => undefined): void {
	const db = new Database(path);
	db.exec(
		"DROP TABLE bridge_changes; DROP TABLE listed_turns; DROP TABLE packed_updates; DROP TRIGGER turn_not_searched; DROP TABLE search_index; DROP TABLE word_index; DROP TABLE search_words; DROP TABLE search_upkeep; DROP TABLE search_texts; DROP TABLE deleted_threads; DROP TABLE thread_marks; DROP TABLE ui_links; ALTER TABLE turns DROP COLUMN stopped_after_ms; ALTER TABLE turns DROP COLUMN synced_at; ALTER TABLE turns DROP COLUMN stopping_since",
	);
	more(db);
	db.pragma("user_version = 4");
	db.close();
}

/** A thread with one turn that has ended. */
function writeThread(store: SqliteThreadStore, title: string, answer: string): void {
	const { request, submission } = { request: { ...openRequest, prompt: title }, submission: { workspaceContext: "", attachments: [] } };
	const begun = tell({ ...freshThread(), title }, send("t1"), handle("t1"));
	store.commit({ before: undefined, after: begun, created: { request, submission } });
	const end = ended("t1", (run) => Object.assign(run, { answer }).end("completed"));
	store.commit({ before: begun, after: tell(begun, end), snapshot: end.snapshot });
}
