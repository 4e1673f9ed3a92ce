import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openBridgeDatabase } from "../../src/store/sqlite/file/bridge-database.ts";
import { storeMigrations } from "../../src/store/sqlite/file/migrations.ts";
import { DATABASE_FILE } from "../../src/store/sqlite/index.ts";
import { scratchDirectory } from "./sqlite-store-under-test.ts";

const hashOf = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");

it("undoes the steps before the one that fails too, so that the former version still opens the file", async () => {
	await using scratch = await scratchDirectory();
	const path = join(scratch.path, DATABASE_FILE);
	openBridgeDatabase(path).close();
	const before = hashOf(path);
	const upgrade = [
		...storeMigrations,
		{ name: "a step", sql: "CREATE TABLE added (x); INSERT INTO added VALUES (1)" },
		{ name: "half a step", sql: "INSERT INTO added VALUES (2); INSERT INTO nowhere VALUES (1)" },
	];
	expect(() => openBridgeDatabase(path, upgrade)).toThrow(
		expect.objectContaining({ code: "STORE_MIGRATION_FAILED", message: expect.stringContaining("The file was not changed.") }),
	);
	expect(hashOf(path)).toBe(before);
	openBridgeDatabase(path).close();
});

it("calls a full disk by its name", async () => {
	await using scratch = await scratchDirectory();
	const path = join(scratch.path, DATABASE_FILE);
	openBridgeDatabase(path).close();
	const large = {
		name: "a large step",
		sql: "PRAGMA max_page_count = 1; CREATE TABLE added (x); INSERT INTO added VALUES (zeroblob(1000000))",
	};
	expect(() => openBridgeDatabase(path, [...storeMigrations, large])).toThrow(expect.objectContaining({ code: "STORE_FULL" }));
	openBridgeDatabase(path).close();
});
