import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkDatabase } from "../src/database-check.ts";
import { openBridgeDatabase } from "../src/store/sqlite/file/bridge-database.ts";
import { DATABASE_FILE, openSqliteStore, wasLeftOpen } from "../src/store/sqlite/index.ts";
import { acceptance, appendOf, runRecord, said } from "./store/contracts/run-fixture.ts";
import { scratchDirectory } from "./store/sqlite-store-under-test.ts";

const never = new AbortController().signal;
/** More than is checked as a whole at each start. */
const EVENTS = 20_000;

/** A large database, with one page in its middle that is damaged. */
async function damagedStore(home: string): Promise<string> {
	const store = openSqliteStore(home);
	const record = runRecord("run-1");
	await store.log.insertRun(record, acceptance(record));
	await store.log.append([
		appendOf(
			record,
			Array.from({ length: EVENTS }, (_, index) => said(index + 2, "x".repeat(800))),
		),
	]);
	store.close();
	const path = join(home, DATABASE_FILE);
	expect(statSync(path).size).toBeGreaterThan(16 * 2 ** 20);
	const bytes = readFileSync(path);
	const middle = Math.floor(bytes.length / 2 / 4096) * 4096;
	bytes.fill(0xff, middle, middle + 2048);
	writeFileSync(path, bytes);
	return path;
}

describe("the check of a database in use", () => {
	it("finds nothing in an intact one, and leaves no process behind", async () => {
		await using scratch = await scratchDirectory();
		const store = openSqliteStore(scratch.path);
		await checkDatabase(join(scratch.path, DATABASE_FILE), store.processes, never);
		expect(await store.processes.list()).toEqual([]);
		store.close();
	});

	it("is not a part of the start of a large one, finds its damage, and the next start refuses the file", async () => {
		await using scratch = await scratchDirectory();
		const path = await damagedStore(scratch.path);
		const store = openSqliteStore(scratch.path);
		const refused = { code: "STORE_CORRUPT", file: path, message: expect.not.stringContaining("\n") };
		await expect(checkDatabase(path, store.processes, never)).rejects.toMatchObject(refused);
		store.close();
		expect(() => openBridgeDatabase(path)).toThrow(expect.objectContaining(refused));
	});

	it("forgets the damage when an intact file is there", async () => {
		await using scratch = await scratchDirectory();
		const path = await damagedStore(scratch.path);
		const store = openSqliteStore(scratch.path);
		await expect(checkDatabase(path, store.processes, never)).rejects.toThrow();
		store.close();
		writeFileSync(path, "");
		openBridgeDatabase(path).close();
		await damagedStore(scratch.path);
		openBridgeDatabase(path).close();
	});

	it("ends with the bridge", async () => {
		await using scratch = await scratchDirectory();
		const store = openSqliteStore(scratch.path);
		const stop = new AbortController();
		const checked = checkDatabase(join(scratch.path, DATABASE_FILE), store.processes, stop.signal);
		stop.abort();
		await checked;
		expect(await store.processes.list()).toEqual([]);
		store.close();
	});

	it("has a reason when the database was not closed", async () => {
		await using scratch = await scratchDirectory();
		const path = join(scratch.path, DATABASE_FILE);
		const store = openSqliteStore(scratch.path);
		expect(wasLeftOpen(path)).toBe(true);
		store.close();
		expect(wasLeftOpen(path)).toBe(false);
	});
});
