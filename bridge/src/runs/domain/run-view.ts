import { failedCommandsIn, lackingIn, limits, type Snapshot, type TaskInput, type TaskSummary, unpermittedIn } from "@xworkmate/contracts";
import { timestamp } from "../../ports/clock.ts";
import type { RunFacts, RunRecord } from "../../ports/runs/run-record.ts";
import { activityOfTrail } from "./call-trail.ts";
import { markedActivity } from "./marked-activity.ts";
import { toOutput } from "./run-output.ts";
import { isOver, type RunState } from "./run-state.ts";

function facts(record: RunFacts): RunFacts {
	const { runId, sessionId, threadId, turnId, origin, provider, artifactScope, createdAt } = record;
	return { runId, sessionId, threadId, turnId, ...(origin === undefined ? {} : { origin }), provider, artifactScope, createdAt };
}

function outcome(state: RunState) {
	return {
		status: state.status,
		success: state.status === "completed",
		...(state.code === undefined ? {} : { code: state.code }),
		...(state.endMessage === undefined ? {} : { message: state.endMessage }),
		...(state.startedAt === undefined ? {} : { startedAt: state.startedAt }),
		...(state.endedAt === undefined ? {} : { endedAt: state.endedAt }),
		...(state.cancelRequestedAt === undefined ? {} : { cancelRequestedAt: state.cancelRequestedAt }),
		lastSeq: state.lastSeq,
	};
}

/** The task snapshot, derived from the fold, so that stream and snapshot cannot disagree (docs/protocol.md#what-a-snapshot-says). */
export function toSnapshot(record: RunFacts, state: RunState, now: number): Snapshot {
	const { items, count, totalBytes, digest, rejected, rejectedCount } = state.artifacts;
	return {
		...facts(record),
		...outcome(state),
		...(state.workedIn === undefined ? {} : { workedIn: state.workedIn }),
		...(state.edits === undefined ? {} : { edits: state.edits }),
		...(isOver(state) ? { output: toOutput(state.answer) } : {}),
		artifacts: { items: items.slice(0, limits.snapshotItems), count, totalBytes, digest },
		rejectedArtifacts: [...rejected],
		rejectedCount,
		serverTime: timestamp(now),
		...(state.deadlineAt === undefined ? {} : { deadlineAt: state.deadlineAt }),
		...(state.progress === undefined ? {} : { progress: state.progress }),
		pendingApprovals: [...state.pendingApprovals],
		...receiptViews(record, state),
		...answerView(state),
	};
}

function answerView({ checked }: RunState): Pick<Snapshot, "answer" | "grounding"> {
	if (checked === undefined) return {};
	const { segments, grounding } = checked;
	return { ...(segments === undefined ? {} : { answer: { segments } }), grounding };
}

function receiptViews({ provider }: RunFacts, state: RunState): Pick<Snapshot, "activity" | "receipts"> {
	if (state.trail === undefined) return {};
	const { count, hash } = state.trail.head;
	return { activity: markedActivity(state, provider, limits.snapshotItems), receipts: { count, head: hash } };
}

/** The run as one line of `xworkmate.tasks.list`. */
export function toSummary(record: RunFacts, state: RunState): TaskSummary {
	const { artifacts } = state;
	return { ...facts(record), ...outcome(state), artifactCount: artifacts.count, ...(isOver(state) && doubts(state)) };
}

/**
 * What a list says about a run in addition to its status, because a status such as `completed` alone would claim too much. Judged from all
 * of the run's calls, of which a snapshot may list fewer.
 */
function doubts({ trail, checked, artifacts }: RunState): Pick<TaskSummary, "lacking" | "failedCommands" | "unpermitted"> {
	const activity = trail && activityOfTrail(trail);
	const lacking = lackingIn({ activity, grounding: checked?.grounding, rejectedCount: artifacts.rejectedCount });
	const { length } = failedCommandsIn(activity);
	const unpermitted = activity && unpermittedIn(activity);
	return { ...(lacking && { lacking }), ...(length > 0 && { failedCommands: length }), ...(unpermitted && { unpermitted }) };
}

/** The run's input, for a client that did not submit it. */
export function toTaskInput(record: RunRecord): TaskInput {
	const { runId, sessionId, threadId, turnId, origin, provider } = record;
	const { target: executionTarget, ...named } = provider;
	const { workspaceContext: _runtimeOnly, fresh, attachments, ...asked } = record.input;
	return {
		...{ runId, sessionId, threadId, turnId, ...(origin === undefined ? {} : { origin }) },
		...asked,
		routing: { executionTarget, ...named },
		...(fresh && { fresh }),
		attachments: [...attachments],
	};
}
