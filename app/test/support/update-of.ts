import { artifactScope, RunId, SessionUpdate, ThreadId } from "@xworkmate/contracts";

const threadId = ThreadId.parse("draft:terminal");
const runId = RunId.parse("run-aaaaaaaaaaaaaaaaaaaa");

/** An update of some run, as the bridge sends it. */
export function updateOf(seq: number, update: object): SessionUpdate {
	const run = { sessionId: "ses-terminal", threadId, turnId: "turn-terminal", runId, artifactScope: artifactScope(threadId, runId) };
	const at = new Date(Date.UTC(2026, 10, 22, 10, 0, seq)).toISOString();
	return SessionUpdate.parse({ ...run, seq, at, status: "running", update });
}
