import { setImmediate } from "node:timers/promises";
import { failedCommandsIn, lackingIn, omitUndefined, RunId, type ThreadId, unpermittedIn } from "@xworkmate/contracts";
import type Database from "better-sqlite3";
import { z } from "zod";
import type { KnownRun, KnownRuns } from "../threads/domain/known-run.ts";
import { ThreadRow, TurnRecordRow } from "./thread-rows.ts";

const Id = z.object({ id: z.int() });
const RunRow = TurnRecordRow.pick({
	...{ status: true, sync_status: true, result_detail: true, created_at: true },
	...{ cancel_requested_at: true, stopping_since: true, snapshot: true },
}).extend({ ...ThreadRow.pick({ thread_id: true, title: true, updated_at: true }).shape, run_id: RunId });
/** How many runs are read before the app continues with other work: each run is read with its whole snapshot. */
const READ_AT_ONCE = 25;

/** The runs of all threads, in one list. */
export class KnownRunStore {
	readonly #sql;

	constructor(db: Database.Database) {
		this.#sql = {
			newest: db.prepare(`SELECT turns.id FROM turns JOIN threads ON threads.id = turns.thread
				WHERE run_id IS NOT NULL AND (@threadId IS NULL OR thread_id = @threadId)
				ORDER BY turns.created_at DESC, turns.id DESC LIMIT @limit`),
			run: db.prepare(`SELECT thread_id, title, updated_at, run_id, turns.status, sync_status, result_detail, turns.created_at,
				cancel_requested_at, stopping_since, snapshot FROM turns JOIN threads ON threads.id = turns.thread WHERE turns.id = ?`),
		};
	}

	/** The newest runs, of one thread if `threadId` is given; none if that thread does not exist. */
	async newest({ threadId, limit }: { readonly threadId?: ThreadId; readonly limit: number }): Promise<KnownRuns> {
		const ids = this.#sql.newest.all({ threadId: threadId ?? null, limit: limit + 1 }).map((row) => Id.parse(row).id);
		const runs: KnownRun[] = [];
		for (const [index, id] of ids.slice(0, limit).entries()) {
			if (index % READ_AT_ONCE === READ_AT_ONCE - 1) await setImmediate();
			const row = RunRow.optional().parse(this.#sql.run.get(id));
			// A run whose thread was deleted in the meantime is left out.
			if (row !== undefined) runs.push(knownRun(row));
		}
		return { runs, more: ids.length > limit };
	}
}

function knownRun(row: z.output<typeof RunRow>): KnownRun {
	const { thread_id, title, run_id, status, created_at, updated_at, snapshot } = row;
	return {
		...{ threadId: thread_id, title, runId: run_id, status, createdAt: created_at, asOf: updated_at },
		...omitUndefined({
			syncStatus: row.sync_status ?? undefined,
			resultDetail: row.result_detail ?? undefined,
			cancelRequestedAt: row.cancel_requested_at ?? undefined,
			stoppingSince: row.stopping_since ?? undefined,
			lacking: snapshot === null ? undefined : lackingIn(snapshot),
			failedCommands: failedCommandsIn(snapshot?.activity).length || undefined,
			unpermitted: snapshot?.activity && unpermittedIn(snapshot.activity),
		}),
	};
}
