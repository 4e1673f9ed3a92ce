import { Snapshot } from "@xworkmate/contracts";
import { z } from "zod";
import { ArtifactDownload } from "../../app/src/bridge-client/artifact-download.ts";
import { clientBounds } from "../../app/src/bridge-client/wire/client-bounds.ts";
import { syncRun } from "../../app/src/sync/index.ts";
import type { Thread } from "../../app/src/threads/domain/thread.ts";
import { answerJobs } from "./parent.ts";

const Job = z.object({ url: z.string(), token: z.string(), folder: z.string(), snapshot: Snapshot });

/** A thread whose current turn is the snapshot's run. */
function threadOf({ threadId, sessionId, turnId, runId, artifactScope, status, lastSeq, createdAt }: Snapshot): Thread {
	const times = { createdAt, updatedAt: createdAt };
	const turn = { turnId, runId, artifactScope, status, lastSeq, syncedPaths: [], createdAt };
	return {
		threadId,
		sessionId,
		title: "bench",
		lifecycleStatus: "running",
		lastTaskArtifactRelativePaths: [],
		turns: [turn],
		deleted: false,
		...times,
	};
}

/** The app's own sync, which checks every hash and flushes every file to disk. */
async function sync({ url, token, folder, snapshot }: z.infer<typeof Job>): Promise<void> {
	const source = new ArtifactDownload(async () => ({ url: new URL(url), token }), clientBounds.idleMs);
	const { signal } = new AbortController();
	const { status, problems } = await syncRun({ thread: threadOf(snapshot), snapshot, folder: () => folder, source, signal });
	if (status !== "synced") throw new Error(`${status}: ${JSON.stringify(problems.slice(0, 3))}`);
}

answerJobs((job) => sync(Job.parse(job)));
