import type { Database } from "better-sqlite3";
import type { PlanStore } from "../../../ports/plans/plan-store.ts";
import { answer, translated } from "../rows/translate-error.ts";
import { groupAppends } from "./plan-group.ts";
import { createPlanInbox } from "./plan-inbox.ts";
import { createPlanQueue } from "./plan-queue.ts";
import { createPlanReader } from "./plan-reader.ts";
import { createPlanWriter } from "./plan-writer.ts";

/** Stores plans in SQLite. Nothing is kept in memory: each command reads what it needs. */
export function createPlanStore(db: Database): PlanStore {
	const write = createPlanWriter(db);
	const beginEpoch = db.prepare<[string]>("INSERT INTO bridge_epoch (at) VALUES (?)");
	return {
		...createPlanReader(db),
		...createPlanQueue(db),
		...createPlanInbox(db),
		beginEpoch: (at) => answer(db.name, () => Number(beginEpoch.run(at).lastInsertRowid)),
		append: groupAppends((batch) => translated(db.name, () => write.each(batch))),
		appendAll: (batch) => answer(db.name, () => write.all(batch)),
	};
}
