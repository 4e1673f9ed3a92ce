import { hash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { answerJobs } from "./parent.ts";

const Job = z.object({ database: z.string() });
const Event = z.object({ receipt: z.unknown() });

/** Reads, parses and hashes every receipt of a bridge's database, without any checks. */
answerJobs(async (job) => {
	const db = new DatabaseSync(Job.parse(job).database, { readOnly: true });
	const rows = db.prepare("SELECT event.body AS body FROM receipt CROSS JOIN event ON event.run = receipt.run AND event.seq = receipt.seq");
	for (const { body } of rows.iterate()) {
		const { receipt } = Event.parse(JSON.parse(String(body)));
		hash("sha256", JSON.stringify(receipt));
	}
	db.close();
});
