import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type ArtifactContract, CURRENT_TASK_WORKSPACE, ProviderId, RunId, SessionId, ThreadId, TurnId } from "@xworkmate/contracts";
import { SqliteThreadStore } from "../app/src/store/sqlite-thread-store.ts";
import type { TurnRequest } from "../app/src/threads/domain/turn-record.ts";
import type { Thread, Turn } from "../app/src/threads/index.ts";
import type { TemporaryHome } from "../e2e/support/machine/temporary-home.ts";

const HOUR_MS = 3_600_000;
const topics = ["Energy report", "Slides for the site visit", "Translate the handbook", "Convert the survey", "Notes of the meeting"];

/** A title that only one thread has. */
export const needle = "The needle in the haystack";

/** Writes threads as if from years of use: one every three hours, each with a turn that has ended. The app must not be running. */
export function writeThreadHistory(home: TemporaryHome, count: number): void {
	const folder = join(home.xworkmate, "app");
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	const store = new SqliteThreadStore(join(folder, "app.sqlite"));
	const now = Date.now();
	for (let n = 0; n < count; n++) writeThread(store, n, new Date(now - (count - n) * 3 * HOUR_MS).toISOString());
	store.close();
}

function writeThread(store: SqliteThreadStore, n: number, at: string): void {
	const title = n === 1 ? needle : `${topics[n % topics.length]}, part ${n}`;
	const turn: Turn = {
		turnId: TurnId.parse(`bench-turn-${n}`),
		status: "completed",
		runId: RunId.parse(`bench-run-${n}`),
		lastSeq: 40,
		resultCode: "success",
		syncStatus: "synced",
		syncedPaths: ["report.md"],
		...{ createdAt: at, endedAt: at },
	};
	const thread: Thread = {
		threadId: ThreadId.parse(`draft:bench-${n}`),
		sessionId: SessionId.parse(`session-bench-${n}`),
		title,
		lifecycleStatus: "ready",
		lastResultCode: "success",
		lastArtifactSyncStatus: "synced",
		lastTaskArtifactRelativePaths: ["report.md"],
		turns: [turn],
		...{ createdAt: at, updatedAt: at, deleted: false },
	};
	const prompt = `${title}: take the table of the last quarter, clean it, and write two pages about what changed.`;
	const contract: ArtifactContract = {
		...{ schemaVersion: 1, scopeKind: "task", requiresExport: false, required: [], expectedArtifactDirs: [] },
		...{ rejectTextOnlyClaims: true, currentTaskWorkspace: CURRENT_TASK_WORKSPACE },
	};
	const routing = { executionTarget: "agent", providerId: ProviderId.parse("codex") } as const;
	const request: TurnRequest = { prompt, routing, contract, attachments: [] };
	store.commit({ before: undefined, after: thread, created: { request, submission: { workspaceContext: "", attachments: [] } } });
}
