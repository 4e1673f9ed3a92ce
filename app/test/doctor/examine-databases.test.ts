import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { WHOLE_CHECK_BYTES } from "@xworkmate/platform/sqlite";
import Database from "better-sqlite3";
import { beforeEach, describe, expect, it } from "vitest";
import { Diagnosis } from "../../src/doctor/diagnosis.ts";
import { examineDatabases } from "../../src/doctor/examine-databases.ts";
import { temporaryHome } from "../support/temporary-home.ts";

const PAGE = 4096;

let notes: string[] = [];
beforeEach(() => {
	notes = [];
});
const note = (words: string) => void notes.push(words);

/** The database of one part of a home; its last pages can be destroyed. */
function database(home: string, part: "app" | "bridge", { bytes, damaged }: { readonly bytes: number; readonly damaged: boolean }): string {
	mkdirSync(join(home, part));
	const path = join(home, part, `${part}.sqlite`);
	const db = new Database(path);
	db.exec("CREATE TABLE large (bytes BLOB NOT NULL); CREATE TABLE last (id INTEGER PRIMARY KEY, text TEXT NOT NULL)");
	db.prepare("INSERT INTO large VALUES (zeroblob(?))").run(bytes);
	db.exec("WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000) INSERT INTO last SELECT i, 'some text' FROM n");
	const pages = Number(db.pragma("page_count", { simple: true }));
	db.close();
	if (damaged) {
		const file = openSync(path, "r+");
		writeSync(file, Buffer.alloc(PAGE, 0xff), 0, PAGE, (pages - 8) * PAGE);
		closeSync(file);
	}
	return path;
}

describe("the databases, as doctor finds them", () => {
	it("are checked for the page as well", async () => {
		using home = temporaryHome();
		database(home.path, "app", { bytes: 1, damaged: false });
		const bridge = database(home.path, "bridge", { bytes: 1, damaged: true });
		const gatewayQueue = { view: { limits: { maxActive: 1, maxQueued: 1 }, active: [], waiting: [] } };
		const diagnosis = new Diagnosis({ home: home.path, secrets: [], gatewayQueue });
		const found = await diagnosis.findings({ state: "unreachable", since: "2026-01-01T00:00:00.000Z", own: true, clockAheadMs: 0 });
		expect(found.filter(({ about }) => about === "database")).toMatchObject([
			{ state: "ok", message: expect.stringContaining("is intact") },
			{ state: "problem", message: `${bridge} is damaged. (DATABASE_DAMAGED)` },
		]);
	});

	it("are read to the end, however large they are, and a large one is named before", async () => {
		using home = temporaryHome();
		const app = database(home.path, "app", { bytes: WHOLE_CHECK_BYTES, damaged: false });
		const bridge = database(home.path, "bridge", { bytes: 1, damaged: false });
		expect(await examineDatabases({ home: home.path, ownBridge: true, note })).toEqual([
			{ about: "database", state: "ok", message: expect.stringContaining(`${app} is intact`) },
			{ about: "database", state: "ok", message: expect.stringContaining(`${bridge} is intact`) },
		]);
		expect(notes).toEqual([expect.stringContaining(`Checking ${app} (`)]);
	});

	it("are named with what to do when they are damaged, each in the words that the app and the bridge use", async () => {
		using home = temporaryHome();
		database(home.path, "app", { bytes: WHOLE_CHECK_BYTES, damaged: true });
		database(home.path, "bridge", { bytes: 1, damaged: true });
		const found = await examineDatabases({ home: home.path, ownBridge: true, note });
		expect(found.map(({ state, message }) => [state, message.slice(-24)])).toEqual([
			["problem", expect.stringContaining("(APP_DATABASE_DAMAGED)")],
			["problem", expect.stringContaining("(DATABASE_DAMAGED)")],
		]);
		for (const { fix } of found) expect(fix).toContain("Stop XWorkmate, then restore the file from a backup");
	});

	it("that take too long are said not to be checked", async () => {
		using home = temporaryHome();
		const app = database(home.path, "app", { bytes: 1, damaged: true });
		const [found] = await examineDatabases({ home: home.path, ownBridge: true, note, checkMs: 0 });
		expect(found).toMatchObject({ state: "note", message: expect.stringContaining(`${app} was not checked completely`) });
	});

	it("of a bridge elsewhere are not looked for here, and one that does not exist yet is no finding", async () => {
		using home = temporaryHome();
		mkdirSync(join(home.path, "bridge"));
		writeFileSync(join(home.path, "bridge", "bridge.sqlite"), "not a database");
		expect(await examineDatabases({ home: home.path, ownBridge: false, note })).toEqual([]);
	});
});
