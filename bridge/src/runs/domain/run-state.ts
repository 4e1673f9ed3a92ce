import {
	type Approval,
	artifactsDigest,
	foundAgainst,
	isOtherCommand,
	isTerminal,
	type Preview,
	type Progress,
	type RunCode,
	type RunEdits,
	type RunStatus,
	type Timestamp,
	type ToolCall,
} from "@xworkmate/contracts";
import type { PlacedEvent } from "../../ports/event-log.ts";
import type {
	AskedWords,
	CheckedAnswer,
	CollectedSummary,
	FilesFound,
	ProviderOutcome,
	ProviderUpdate,
	RunEvent,
} from "../../ports/runs/run-event.ts";
import { afterRequest, type CallRequests } from "./call-requests.ts";
import { type CallTrail, extendTrail } from "./call-trail.ts";
import { type EarlierMessages, noMessages, withMessage } from "./earlier-messages.ts";
import { PersistentMap } from "./persistent-map.ts";
import { extendMessage, type Message } from "./run-output.ts";

/** The fold of a run's log: everything that decisions and snapshots need. */
export interface RunState {
	readonly status: RunStatus;
	readonly lastSeq: number;
	readonly startedAt?: Timestamp;
	readonly endedAt?: Timestamp;
	readonly deadlineAt?: Timestamp;
	readonly cancelRequestedAt?: Timestamp;
	/** True if part of the turn may have reached its runtime, so that it must not be started a second time. */
	readonly handedOver: boolean;
	readonly progress?: Progress;
	readonly pendingApprovals: readonly Approval[];
	/** By approvalId: what was asked, in the words that the receipts of the decisions will use. */
	readonly asked: ReadonlyMap<string, AskedWords>;
	/** The requests about each call that has an open one, because one of several requests about a call doesn't decide about it. */
	readonly callRequests: CallRequests;
	/** `given`: a request of the run was allowed. `asked`: there were requests, but none was allowed. If absent, there were none. */
	readonly permission?: "asked" | "given";
	/** When the run began to wait for the user. The deadline is paused while it waits. */
	readonly waitingSince?: Timestamp;
	/** The message that is streaming. */
	readonly message?: Message;
	/** The thought that is streaming. */
	readonly thought?: Message;
	/** The last message that is not blank. */
	readonly answer?: Message;
	/** The messages before the answer, up to a limit. */
	readonly earlier: EarlierMessages;
	/** If absent, the run has no receipts. */
	readonly trail?: CallTrail;
	/** What reports of calls said beyond their receipts, by toolCallId. */
	readonly callFacts: PersistentMap<CallFacts>;
	/** How well receipts support the answer. */
	readonly checked?: CheckedAnswer;
	readonly providerOutcome?: ProviderOutcome;
	readonly providerEndedAt?: Timestamp;
	readonly artifacts: CollectedSummary;
	readonly code?: RunCode;
	readonly endMessage?: string;
	readonly workedIn?: string;
	readonly edits?: RunEdits;
	readonly filesFound?: FilesFound;
}

/** What an agent's report of a call said beyond its receipts. */
interface CallFacts {
	/** The files that reports of the call named as locations, up to a limit. */
	readonly paths: readonly string[];
	/** The files that the bridge looked at last. */
	readonly examined?: readonly string[];
	/** The latest input of a call that has not ended. */
	readonly input?: Preview;
	/** True if a report showed more than a title: an input, an output, a change or a file. */
	readonly showsMore?: true;
	/** True if the report that the call is done named another command than the reports before it. */
	readonly isReplaced?: true;
}

/** The maximum number of files of a call that are kept. */
const PLACES = 50;

const nothingCollected: CollectedSummary = {
	items: [],
	count: 0,
	totalBytes: 0,
	digest: artifactsDigest([]),
	rejected: [],
	rejectedCount: 0,
};

export const initialState: RunState = {
	status: "queued",
	lastSeq: 0,
	handedOver: false,
	pendingApprovals: [],
	asked: new Map(),
	callRequests: new Map(),
	earlier: noMessages,
	callFacts: new PersistentMap(),
	artifacts: nothingCollected,
};

/** The state after one more event. Pure. The only place where events change state. */
export function apply(state: RunState, { seq, at, event }: PlacedEvent<RunEvent>): RunState {
	return { ...change(state, event, at), lastSeq: seq };
}

function change(state: RunState, event: RunEvent, at: Timestamp): RunState {
	switch (event.type) {
		case "accepted":
			return { ...state, progress: { stage: "queued" } };
		case "queue_moved":
			return { ...state, progress: { stage: "queued", queuePosition: event.position, queueLength: event.length } };
		case "started":
			return { ...state, status: "running", startedAt: at, deadlineAt: event.deadlineAt, progress: { stage: "starting" } };
		case "progress":
			return { ...state, progress: event.progress, handedOver: state.handedOver || saysHandedOver(event) };
		case "said":
			return said({ ...state, handedOver: state.handedOver || event.update.kind !== "notice" }, event.update);
		case "approval":
			return approval({ ...state, ...requestsAfter(state, event) }, event.record, at, event.deadlineAt);
		case "receipt":
			return { ...state, trail: extendTrail(state.trail, event.receipt) };
		case "answered": {
			const { type: _type, ...checked } = event;
			return { ...state, checked };
		}
		case "cancel_requested":
			return { ...state, cancelRequestedAt: at, progress: { stage: "stopping" } };
		case "deadline_moved":
			return { ...state, deadlineAt: event.deadlineAt };
		case "provider_ended":
			return { ...state, providerOutcome: event.outcome, providerEndedAt: at, progress: { stage: "collecting" } };
		case "collected":
			return { ...state, artifacts: event.artifacts };
		case "ended":
			return ended(state, event, at);
	}
}

/** True if an event says that the turn was handed over. Logs of earlier versions show only the stage. */
function saysHandedOver({ handedOver, progress }: Extract<RunEvent, { type: "progress" }>): boolean {
	return handedOver === true || progress.stage === "working";
}

function said(state: RunState, update: ProviderUpdate): RunState {
	if (update.kind === "thought_delta") return { ...state, thought: extendMessage(state.thought, update.messageId, update.text) };
	if (update.kind === "tool_call") return called(state, update);
	if (update.kind !== "message_delta") return state;
	const message = extendMessage(state.message, update.messageId, update.text);
	if (message.blank) return { ...state, message };
	const before = state.answer?.messageId === message.messageId ? undefined : state.answer;
	return { ...state, message, answer: message, ...(before && { earlier: withMessage(state.earlier, before.text) }) };
}

function called(state: RunState, call: ToolCall): RunState {
	const { toolCallId, locations = [], diff = [], input: given, output, state: now } = call;
	const before = state.callFacts.get(toolCallId);
	const examined = call.examined?.slice(0, PLACES) ?? before?.examined;
	const paths = [...(before?.paths ?? []), ...locations.map(({ path }) => path)].slice(0, PLACES);
	const input = now === "pending" || now === "running" ? (given ?? before?.input) : undefined;
	const isInput = given !== undefined && given.text !== "{}";
	const isShown = isInput || output !== undefined || diff.length > 0 || paths.length > 0 || foundAgainst(call) !== undefined;
	const showsMore = before?.showsMore === true || isShown;
	if (before === undefined && input === undefined && !showsMore) return state;
	const isOther = now === "completed" && given !== undefined && before?.input !== undefined && isOtherCommand(before.input, given);
	const isReplaced = isOther || before?.isReplaced === true;
	const facts: CallFacts = {
		paths: [...new Set(paths)],
		...(examined && { examined }),
		...(input && { input }),
		...(showsMore && { showsMore }),
		...(isReplaced && { isReplaced }),
	};
	return { ...state, callFacts: state.callFacts.with(toolCallId, facts) };
}

function requestsAfter(state: RunState, event: Extract<RunEvent, { type: "approval" }>): Pick<RunState, "asked" | "callRequests"> {
	const { record, asked = state.asked.get(record.approvalId) } = event;
	return { asked: askedAfter(state, event), callRequests: afterRequest(state.callRequests, record, asked).requests };
}

function askedAfter({ asked }: RunState, { record, asked: words }: Extract<RunEvent, { type: "approval" }>): RunState["asked"] {
	const isOpen = record.state === "pending" && words !== undefined;
	if (!isOpen && !asked.has(record.approvalId)) return asked;
	const others = [...asked].filter(([approvalId]) => approvalId !== record.approvalId);
	return new Map(isOpen ? [...others, [record.approvalId, words]] : others);
}

function approval(state: RunState, record: Approval, at: Timestamp, deadlineAt: Timestamp | undefined): RunState {
	const others = state.pendingApprovals.filter((pending) => pending.approvalId !== record.approvalId);
	const pendingApprovals = record.state === "pending" ? [...others, record] : others;
	const { waitingSince, ...rest } = state;
	const isGiven = record.state === "decided" && record.decision !== "deny";
	const permission = isGiven ? "given" : (state.permission ?? "asked");
	const next: RunState = { ...rest, pendingApprovals, permission, ...(deadlineAt === undefined ? {} : { deadlineAt }) };
	if (pendingApprovals.length === 0) {
		const resumed = state.progress?.stage === "waiting_approval";
		return resumed ? { ...next, progress: { stage: "working" } } : next;
	}
	return { ...next, waitingSince: waitingSince ?? at, progress: { stage: "waiting_approval" } };
}

function ended(state: RunState, event: Extract<RunEvent, { type: "ended" }>, at: Timestamp): RunState {
	const { progress: _progress, waitingSince: _waitingSince, ...rest } = state;
	return {
		...rest,
		status: event.status,
		endedAt: at,
		pendingApprovals: [],
		asked: new Map(),
		callRequests: new Map(),
		...(event.code === undefined ? {} : { code: event.code }),
		...(event.message === undefined ? {} : { endMessage: event.message }),
		...(event.workedIn === undefined ? {} : { workedIn: event.workedIn }),
		...(event.edits === undefined ? {} : { edits: event.edits }),
		...(event.filesFound === undefined ? {} : { filesFound: event.filesFound }),
	};
}

/** True once the run accepts no more events. */
export function isOver(state: RunState): boolean {
	return isTerminal(state.status);
}
