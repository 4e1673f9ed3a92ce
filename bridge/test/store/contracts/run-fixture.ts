import {
	Approval,
	type Artifact,
	artifactRef,
	artifactScope,
	artifactsDigest,
	openArtifactContract,
	ProviderId,
	RunId,
	SessionId,
	type Snapshot,
	type TaskSummary,
	type TerminalStatus,
	ThreadId,
	TurnId,
} from "@xworkmate/contracts";
import type { LoggedEvent, RunEvent } from "../../../src/ports/runs/run-event.ts";
import type { RunRecord } from "../../../src/ports/runs/run-record.ts";
import type { RunAppend } from "../../../src/ports/runs/run-store.ts";

const HASH = "a".repeat(64);

/** A time of the tests, in whole seconds after their beginning. */
export function time(second: number): string {
	return new Date(Date.UTC(2026, 0, 2) + second * 1000).toISOString();
}

export function runRecord(run: string, thread = "thread-1", prompt = "write a report"): RunRecord {
	const runId = RunId.parse(run);
	const threadId = ThreadId.parse(thread);
	return {
		runId,
		threadId,
		sessionId: SessionId.parse(thread),
		turnId: TurnId.parse(`turn-of-${run}`),
		provider: { target: "agent", providerId: ProviderId.parse("script") },
		artifactScope: artifactScope(threadId, runId),
		createdAt: time(0),
		inputHash: HASH,
		input: { prompt, artifactContract: openArtifactContract, attachments: [], fresh: true },
		budgetMs: 60_000,
	};
}

export function said(seq: number, text = `word ${seq}`): LoggedEvent {
	const event: RunEvent = { type: "said", update: { kind: "message_delta", messageId: "m1", text } };
	return { seq, at: time(seq), status: "running", event };
}

export function approvalEvent(seq: number, record: Approval): LoggedEvent {
	return { seq, at: time(seq), status: "running", event: { type: "approval", record } };
}

function summaryOf(record: RunRecord, last: LoggedEvent): TaskSummary {
	const { runId, sessionId, threadId, turnId, provider, createdAt } = record;
	const scope = record.artifactScope;
	const success = last.status === "completed";
	const task = { runId, sessionId, threadId, turnId, provider, status: last.status, success, createdAt };
	return { ...task, artifactScope: scope, lastSeq: last.seq, artifactCount: 0 };
}

export function acceptance(record: RunRecord): RunAppend {
	const first: LoggedEvent = { seq: 1, at: time(1), status: "queued", event: { type: "accepted" } };
	return appendOf(record, [first]);
}

export function appendOf(record: RunRecord, events: readonly LoggedEvent[]): RunAppend {
	const last = events.at(-1) ?? said(0);
	return { runId: record.runId, events, summary: summaryOf(record, last) };
}

export function artifact(record: RunRecord, relativePath: string, sizeBytes = 5): Artifact {
	const ref = artifactRef(record.runId, relativePath);
	return { relativePath, sizeBytes, sha256: HASH, mediaType: "text/plain", modifiedAt: time(0), artifactRef: ref };
}

export function sealing(
	record: RunRecord,
	seq: number,
	artifacts: readonly Artifact[] = [],
	status: TerminalStatus = "completed",
): RunAppend {
	const ended: LoggedEvent = { seq, at: time(seq), status, event: { type: "ended", status } };
	const append = appendOf(record, [ended]);
	const totalBytes = artifacts.reduce((sum, one) => sum + one.sizeBytes, 0);
	const { artifactCount, ...summary } = append.summary;
	const snapshot: Snapshot = {
		...summary,
		output: { text: "done", truncated: false, totalBytes: 4 },
		artifacts: { items: [...artifacts], count: artifacts.length + artifactCount, totalBytes, digest: artifactsDigest(artifacts) },
		rejectedArtifacts: [],
		serverTime: time(seq),
		endedAt: time(seq),
		pendingApprovals: [],
	};
	return { ...append, sealed: { snapshot, artifacts } };
}

export function approval(id: string, record: RunRecord, change: Partial<Approval> = {}): Approval {
	return Approval.parse({
		approvalId: id,
		runId: record.runId,
		threadId: record.threadId,
		title: "Delete the folder?",
		toolKind: "delete",
		inputHash: HASH,
		options: ["allow_once", "allow_window", "deny"],
		requestedAt: time(1),
		expiresAt: time(900),
		state: "pending",
		...change,
	});
}
