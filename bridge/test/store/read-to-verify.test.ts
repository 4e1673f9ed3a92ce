import { join } from "node:path";
import { expect, it } from "vitest";
import { openBridgeDatabase } from "../../src/store/sqlite/file/bridge-database.ts";
import { openToVerify } from "../../src/store/sqlite/file/open-to-verify.ts";
import { DATABASE_FILE } from "../../src/store/sqlite/index.ts";
import { createPlanStore } from "../../src/store/sqlite/tables/plan-store.ts";
import { verifyLogs } from "../../src/verify-logs.ts";
import { making, second } from "./contracts/plan-fixture.ts";
import { scratchDirectory } from "./sqlite-store-under-test.ts";

it("reads every plan once, whatever the plans are called", async () => {
	await using scratch = await scratchDirectory();
	const db = openBridgeDatabase(join(scratch.path, DATABASE_FILE));
	const plans = createPlanStore(db);
	const epoch = await plans.beginEpoch(second(0));
	// More than a page, with names whose order is not that in which they were made.
	const names = Array.from({ length: 104 }, (_, n) => `p${(n * 37) % 104}`);
	for (const name of names) await plans.append(making(name, epoch));
	db.close();
	using store = openToVerify(scratch.path);
	if (store === undefined) throw new Error("the database has another version");
	const problems: string[] = [];
	const counted = verifyLogs(store, { problem: (message) => problems.push(message), read: () => undefined });
	expect(counted).toEqual({ runs: 0, plans: 104, events: 104 });
	expect(problems).toEqual([]);
	expect(new Set(pagesOf(store))).toEqual(new Set(names));
});

function pagesOf(store: NonNullable<ReturnType<typeof openToVerify>>): readonly string[] {
	const ids: string[] = [];
	for (let page = store.plansAfter(0, 10); page.length > 0; page = store.plansAfter(page.at(-1)?.row ?? 0, 10))
		ids.push(...page.map(({ id }) => id));
	return ids;
}
