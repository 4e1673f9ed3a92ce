import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { type TemporaryHome, temporaryHome } from "../../e2e/support/machine/temporary-home.ts";
import { Program } from "../programs/program.ts";
import { compare, type Result } from "../result.ts";
import { interleave } from "../rounds.ts";
import { writeThreadHistory } from "../thread-history.ts";

const Bytes = z.object({ whole: z.number(), changed: z.number() });

/** The app's start until its list of threads, and what a page is sent when a thread changes that it shows. */
export async function benchManyThreads(quick: boolean): Promise<readonly Result[]> {
	await using few = await temporaryHome();
	await using many = await temporaryHome();
	const [threads, turns] = quick ? [500, 20] : [5_000, 200];
	await grow(few, 20, 5);
	await grow(many, threads, turns);
	const measures = { few: () => untilListed(few), many: () => untilListed(many) };
	await interleave(1, measures);
	const samples = await interleave(quick ? 2 : 5, measures);
	await using program = await Program.start("./list-threads.ts", [many.xworkmate]);
	const { whole, changed } = Bytes.parse(await program.ask({}));
	return [
		compare(samples, {
			unit: "ms",
			name: `app with ${threads} threads of ${turns} turns: from its start to its list`,
			measured: "many",
			against: "20 threads of 5 turns",
			baseline: "few",
			aim: { atMost: 2 },
		}),
		compare([{ changed: changed / 1024, whole: whole / 1024 }], {
			unit: "KiB",
			name: `sent when an open thread of ${turns} turns changes`,
			measured: "changed",
			against: "the whole thread",
			baseline: "whole",
			aim: { measuredAtMost: 20 },
		}),
	];
}

async function untilListed(home: TemporaryHome): Promise<number> {
	const start = performance.now();
	await using _app = await Program.start("./list-threads.ts", [home.xworkmate]);
	return performance.now() - start;
}

/** Threads as from years of use: each with a turn, which is then copied in the database with ids of its own. */
async function grow(home: TemporaryHome, threads: number, turns: number): Promise<void> {
	writeThreadHistory(home, threads);
	const db = new DatabaseSync(join(home.xworkmate, "app", "app.sqlite"));
	const columns = db
		.prepare("PRAGMA table_info(turns)")
		.all()
		.map(({ name }) => String(name));
	const copied = columns.filter((name) => name !== "id");
	const values = copied.map((name) => (name === "turn_id" || name === "run_id" ? `t.${name} || '-' || n` : `t.${name}`));
	db.exec(`PRAGMA synchronous = OFF; BEGIN;
		CREATE TEMP TABLE first AS SELECT * FROM turns;
		WITH RECURSIVE numbers (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${turns})
		INSERT INTO turns (${copied.join(", ")}) SELECT ${values.join(", ")} FROM numbers CROSS JOIN first AS t;
		-- What the list shows of a thread is counted anew when the app is opened.
		DELETE FROM listed_turns;
		COMMIT; PRAGMA wal_checkpoint(TRUNCATE)`);
	db.close();
}
