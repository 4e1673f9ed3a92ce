import { artifactScope, type Snapshot } from "@xworkmate/contracts";
import { currentTurn, findTurn, type Thread } from "../threads/domain/thread.ts";

/**
 * Why the files of a snapshot must not be synced; undefined if they may be (docs/protocol.md#threads-and-results). The snapshot must be a
 * completed success, have artifacts, and belong to this thread and run. The run must be the current one, or an earlier one whose files are
 * being restored.
 */
export function syncRefusal(thread: Thread, snapshot: Snapshot, mayBeEarlier = false): string | undefined {
	if (snapshot.status !== "completed") return `the run's status is ${snapshot.status}`;
	if (!snapshot.success) return "the run did not succeed";
	if (snapshot.artifacts.count === 0) return "the run delivered no files";
	if (snapshot.threadId !== thread.threadId) return "the run belongs to another thread";
	if (snapshot.artifactScope !== artifactScope(thread.threadId, snapshot.runId)) return "its files are in another run's folder";
	const current = mayBeEarlier ? findTurn(thread, snapshot.turnId) : currentTurn(thread);
	if (current?.turnId !== snapshot.turnId || current.runId !== snapshot.runId) return "the run is not the thread's current one";
	return undefined;
}
