import { z } from "zod";
import { Activity } from "../activity/activity.ts";
import { AnswerSegments, Grounding } from "../answers/answer.ts";
import { Lacking } from "../answers/lacking.ts";
import { Approval } from "../approvals/approval.ts";
import { ArtifactSummary, RejectedArtifact } from "../artifacts/artifact.ts";
import { ArtifactScope } from "../artifacts/scope.ts";
import { RunEdits } from "../edits/edit.ts";
import { ProviderId, RunId, SessionId, Sha256, ThreadId, Timestamp, TurnId } from "../ids/ids.ts";
import { ExecutionTarget } from "../routing/routing.ts";
import { Unpermitted } from "../tools/tool-call.ts";
import { Origin } from "./origin.ts";
import { Progress, RunCode, RunStatus } from "./status.ts";

export const Output = z.object({
	/** The last non-empty message, cut off at 256 KiB. */
	text: z.string(),
	truncated: z.boolean(),
	/** UTF-8 bytes of the whole text, which `GET /runs/{runId}/output` serves. */
	totalBytes: z.int().min(0),
});
export type Output = z.infer<typeof Output>;

export const SnapshotProvider = z.object({ target: ExecutionTarget, providerId: ProviderId, model: z.string().optional() });

/** The bridge's answer about a run; a terminal one never changes (docs/protocol.md#what-a-snapshot-says). */
export const Snapshot = z.object({
	runId: RunId,
	sessionId: SessionId,
	threadId: ThreadId,
	turnId: TurnId,
	/** The origin as submitted. Absent: an app. */
	origin: Origin.optional(),
	provider: SnapshotProvider,
	status: RunStatus,
	success: z.boolean(),
	/** Only if failed, artifact_missing or interrupted, or if cancelled with a CancelledCode. */
	code: RunCode.optional(),
	/** With each code, and without one if a run was cancelled whose agent did not respond to the stop, or reported a normal end instead. */
	message: z.string().optional(),
	/** Only if interrupted, with no files collected: the folder on the bridge's machine in which the run may have written files. */
	workedIn: z.string().optional(),
	/** Only if terminal. Absent: nothing is known to have changed. */
	edits: RunEdits.optional(),
	/** Only if terminal. */
	output: Output.optional(),
	artifactScope: ArtifactScope,
	artifacts: ArtifactSummary,
	/** At most 200; `rejectedCount` says how many there are. */
	rejectedArtifacts: z.array(RejectedArtifact),
	/** Absent in records of earlier bridges, which did not count them. */
	rejectedCount: z.int().min(0).optional(),
	lastSeq: z.int().min(0),
	serverTime: Timestamp,
	createdAt: Timestamp,
	startedAt: Timestamp.optional(),
	endedAt: Timestamp.optional(),
	deadlineAt: Timestamp.optional(),
	cancelRequestedAt: Timestamp.optional(),
	progress: Progress.optional(),
	pendingApprovals: z.array(Approval),
	/** At most 200 items. Absent: the run has no receipts. */
	activity: Activity.optional(),
	/** How many receipts there are, and the hash of the last one. Absent: there are none. */
	receipts: z.object({ count: z.int().min(1), head: Sha256 }).optional(),
	/** The parts of the output, if the bridge assembled it. */
	answer: z.object({ segments: AnswerSegments }).optional(),
	/** What was found about the answer's claims. Absent if every claim that was found is backed, or if no answer was checked. */
	grounding: Grounding.optional(),
});
export type Snapshot = z.infer<typeof Snapshot>;

/** One line of `xworkmate.tasks.list`. */
export const TaskSummary = Snapshot.pick({
	runId: true,
	sessionId: true,
	threadId: true,
	turnId: true,
	origin: true,
	provider: true,
	status: true,
	success: true,
	code: true,
	message: true,
	artifactScope: true,
	lastSeq: true,
	createdAt: true,
	startedAt: true,
	endedAt: true,
	cancelRequestedAt: true,
}).extend({
	artifactCount: z.int().min(0),
	// A reader drops a value that it does not know, because one run of a newer bridge must not make the whole list unreadable.
	code: RunCode.optional().catch(undefined),
	/** Absent while the run is in progress, and if it lacks nothing. An unknown value is dropped, as for `code`. */
	lacking: Lacking.optional().catch(undefined),
	/**
	 * How many commands the agent reported as failed and has not since reported as successful. Absent while the run is in progress, and if
	 * there are none.
	 */
	failedCommands: z.int().min(1).optional(),
	/**
	 * The most serious way in which the run made a call without permission, by its agent's report or by the files. Absent while the run is in
	 * progress, and if it made none. An unknown value is dropped, as for `code`.
	 */
	unpermitted: Unpermitted.optional().catch(undefined),
});
export type TaskSummary = z.infer<typeof TaskSummary>;
