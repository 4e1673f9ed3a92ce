import type { Approval, SessionUpdate, Snapshot } from "@xworkmate/contracts";
import { openArtifactContract, Snapshot as SnapshotSchema, ThreadId, SessionUpdate as UpdateSchema } from "@xworkmate/contracts";
import type { AppState, ThreadSummary, TurnDetail } from "../../src/api/ui-api.ts";
import { foldEvents, type TurnView } from "../../src/ui/turn/turn-view.ts";

const RUN = "run1";
const HASH = "0".repeat(64);
export const BEGIN = Date.parse("2026-01-02T10:00:00.000Z");

/** A moment, in seconds after the story's begin. */
export function at(seconds: number): string {
	return new Date(BEGIN + seconds * 1000).toISOString();
}

/** One update of the story's run, checked by the contract. */
export function update(seq: number, body: object, more: { readonly status?: string; readonly seconds?: number } = {}): SessionUpdate {
	return UpdateSchema.parse({
		sessionId: "thread1",
		threadId: "thread1",
		turnId: "turn1",
		runId: RUN,
		artifactScope: `tasks/thread1-${HASH.slice(0, 12)}/${RUN}`,
		seq,
		at: at(more.seconds ?? seq),
		status: more.status ?? "running",
		update: body,
	});
}

export const stage = (seq: number, name: string, seconds = seq) => update(seq, { kind: "status", progress: { stage: name } }, { seconds });

export function approval(more: Partial<Approval> = {}): Approval {
	return {
		...UpdateApproval,
		...more,
	};
}

const asked = update(1, {
	kind: "approval",
	approvalId: "ask1",
	runId: RUN,
	threadId: "thread1",
	title: "rm -rf build",
	toolKind: "execute",
	input: { text: '{"command":"rm -rf build"}', truncated: false },
	inputHash: HASH,
	options: ["allow_once", "allow_window", "deny"],
	requestedAt: at(0),
	expiresAt: at(900),
	state: "pending",
}).update;
if (asked.kind !== "approval") throw new Error("the story's request is no request");
const { kind: _, ...UpdateApproval } = asked;

/** A terminal snapshot with files of these names. */
export function snapshot(more: object, paths: readonly string[] = []): Snapshot {
	const items = paths.map((relativePath) => ({
		relativePath,
		sizeBytes: 10,
		sha256: HASH,
		mediaType: "text/plain",
		modifiedAt: at(3),
		artifactRef: `/artifacts/${RUN}/x`,
	}));
	return SnapshotSchema.parse({
		runId: RUN,
		sessionId: "thread1",
		threadId: "thread1",
		turnId: "turn1",
		provider: { target: "agent", providerId: "codex" },
		status: "completed",
		success: true,
		artifactScope: `tasks/thread1-${HASH.slice(0, 12)}/${RUN}`,
		artifacts: { items, count: items.length, totalBytes: 10 * items.length, digest: HASH },
		rejectedArtifacts: [],
		lastSeq: 9,
		serverTime: at(10),
		createdAt: at(0),
		startedAt: at(1),
		endedAt: at(9),
		pendingApprovals: [],
		...more,
	});
}

/** A turn that ended as its snapshot says. */
export function ended(
	turn: Partial<TurnDetail["turn"]>,
	end: Snapshot | undefined,
	required: readonly { glob: string; minCount: number }[] = [],
): TurnDetail {
	return {
		turn: {
			turnId: snapshot({}).turnId,
			status: "completed",
			lastSeq: 9,
			syncedPaths: [],
			createdAt: at(0),
			endedAt: at(9),
			...(end && { runId: end.runId }),
			...turn,
		},
		request: {
			prompt: "do it",
			routing: { executionTarget: "agent" },
			contract: { ...openArtifactContract, required: [...required] },
			attachments: [],
		},
		...(end && { snapshot: end }),
	};
}

/** An app at rest. */
export const appState: AppState = {
	serverTime: at(0),
	threads: [],
	approvals: [],
	gatewayQueue: { limits: { maxActive: 1, maxQueued: 1 }, active: [], waiting: [] },
	bridge: { state: "connected", since: at(0), own: true, clockAheadMs: 0 },
};

/** A thread of a list, changed last so many seconds after the story's begin. */
export function summary(name: string, seconds: number, more: Partial<ThreadSummary> = {}): ThreadSummary {
	const counts = { turnCount: 1, fileCount: 0, artifactCount: 0, collectedCount: 0, queuedCount: 0 };
	const words = { title: name, preview: name, hasDraft: false };
	return {
		threadId: ThreadId.parse(name),
		lifecycleStatus: "ready",
		createdAt: at(0),
		updatedAt: at(seconds),
		...counts,
		...words,
		...more,
	};
}

/** The view after some updates and nothing else. */
export function foldUpdates(view: TurnView, updates: readonly SessionUpdate[]): TurnView {
	return foldEvents(
		view,
		updates.map((update) => ({ type: "update", update })),
	);
}
