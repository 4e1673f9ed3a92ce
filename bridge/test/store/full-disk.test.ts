import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openBridgeDatabase } from "../../src/store/sqlite/file/bridge-database.ts";
import { DATABASE_FILE } from "../../src/store/sqlite/index.ts";
import { createRunLogStore } from "../../src/store/sqlite/tables/run-log-store.ts";
import { acceptance, appendOf, runRecord, said } from "./contracts/run-fixture.ts";
import { scratchDirectory } from "./sqlite-store-under-test.ts";

describe("a full disk", () => {
	it("refuses the write by name, keeps what was there, and takes the same write once there is space", async () => {
		await using scratch = await scratchDirectory();
		const db = openBridgeDatabase(join(scratch.path, DATABASE_FILE));
		const log = createRunLogStore(db);
		const record = runRecord("run-1");
		await log.insertRun(record, acceptance(record));
		// SQLite reports the page limit as it does a disk without space.
		db.pragma(`max_page_count = ${db.pragma("page_count", { simple: true })}`);
		const large = appendOf(record, [said(2, "x".repeat(100_000))]);
		await expect(log.append([large])).rejects.toMatchObject({ name: "StoreError", code: "STORE_FULL" });
		expect(await log.readEvents(record.runId, 0, 10)).toHaveLength(1);
		db.pragma("max_page_count = 1000000");
		await log.append([large]);
		expect(await log.readEvents(record.runId, 0, 10)).toHaveLength(2);
		db.close();
	});
});
