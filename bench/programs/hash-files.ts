import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { answerJobs } from "./parent.ts";

const Job = z.object({ folder: z.string() });

/** Reads and hashes every file of a folder one after another, without any checks. */
answerJobs(async (job) => {
	const { folder } = Job.parse(job);
	for (const name of await readdir(folder)) {
		createHash("sha256")
			.update(await readFile(join(folder, name)))
			.digest("hex");
	}
});
