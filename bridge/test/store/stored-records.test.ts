import { join } from "node:path";
import { Approval, Artifact, SessionId, Snapshot, TaskSummary, ThreadId, Timestamp } from "@xworkmate/contracts";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { z } from "zod";
import { DATABASE_FILE } from "../../src/store/sqlite/index.ts";
import { Core, ended, type Play } from "../runs/core-fixture.ts";
import { asker, asking, decide, deliver, starting } from "../runs/plays.ts";

const Session = z.strictObject({ thread_id: ThreadId, session_id: SessionId, created_at: Timestamp, closed: z.literal([0, 1]) });
const ProviderSession = z.strictObject({ provider_session_id: z.string(), working_directory: z.string() });

const stored: readonly (readonly [sql: string, schema: z.ZodType])[] = [
	["SELECT summary FROM run_state", TaskSummary],
	["SELECT snapshot FROM sealed", Snapshot],
	["SELECT body FROM artifact", Artifact],
	["SELECT body FROM approval", Approval],
];

const fails: Play = async () => ({ kind: "failed", code: "PROVIDER_ERROR", message: "no" });
const remembers: Play = async (_turn, sink) => {
	await sink.saveSession({ providerSessionId: "p-1", workingDirectory: "/srv/a" });
	return ended;
};

// Reads do not check records, so what is written has to be exactly what the contract says: nothing missing, and nothing more.
it("are what the contract says, whatever becomes of a run", async () => {
	await using core = await Core.open(deliver({ "a.md": "four", "none.md": "" }));
	await core.settled(await core.submit("t1"));
	core.play = fails;
	await core.settled(await core.submit("t2"));
	core.play = remembers;
	await core.settled(await core.submit("t3"));
	core.play = asker(["allow_once", "allow_window", "deny"]);
	const asks = await core.submit("t4");
	await decide(core, await core.until(asks, asking), "allow_window");
	await core.settled(asks);
	const cut = await core.submit("t5");
	await core.until(cut, starting);
	await core.crash();
	await core.settled(cut);
	const db = new Database(join(core.home, "bridge", DATABASE_FILE), { readonly: true });
	try {
		for (const [sql, schema] of stored) {
			const records = db
				.prepare<[], string>(sql)
				.pluck()
				.all()
				.map((body): unknown => JSON.parse(body));
			expect(records, sql).not.toEqual([]);
			for (const record of records) expect(schema.parse(record)).toEqual(record);
		}
		expect(z.array(Session).parse(db.prepare("SELECT thread_id, session_id, created_at, closed FROM session").all())).toHaveLength(1);
		const conversations = db.prepare("SELECT provider_session_id, working_directory FROM provider_session").all();
		expect(z.array(ProviderSession).parse(conversations)).toHaveLength(1);
	} finally {
		db.close();
	}
});
