import type { Approval, ProgressStage } from "@xworkmate/contracts";
import { count, fill, words } from "../../strings/interface.ts";
import { stageWords } from "../../strings/runs/states.ts";
import { namedCall, requestName } from "../../text/calls/asked-view.ts";
import { isStillAsked } from "../../text/runs/asks-until.ts";
import { formatTime } from "../text/format.ts";
import { visibleName } from "../text/visible-text.ts";
import type { Outcome, OutcomeParts } from "./outcome.ts";
import type { RequiredState } from "./required-files.ts";
import type { TurnView } from "./turn-view.ts";

/** How many open steps are listed for a run with an unknown outcome. The others are only counted. */
const LISTED_STEPS = 5;

/** What is known about a run with an unknown outcome, and what is unknown. */
export function whatIsKnown(
	{ detail: { turn }, view, now = Date.now() }: OutcomeParts,
	required: readonly RequiredState[],
): NonNullable<Outcome["known"]> {
	const first = view.stages[0];
	const tools = view.items.filter((item) => item.kind === "tool");
	const asked = view.items.flatMap((item) => (item.kind === "approval" && item.approval.state === "withdrawn" ? [item.approval] : []));
	// A gateway continues to wait without this bridge, so the request may be answered there. One that was open in a backup may have been
	// answered after the backup was made.
	const refused = asked.filter(({ asker, reason }) => asker?.target !== "gateway" && reason !== "backup_restored");
	const allowed = view.items.flatMap((item) => (item.kind === "approval" && isAllowed(item.approval) ? [item.approval] : []));
	const allowedCalls = new Set(allowed.map(({ toolCallId }) => toolCallId));
	const allowedNames = new Set(allowed.map(requestName));
	const neverAllowed = new Set(refused.map(({ toolCallId }) => toolCallId).filter((id) => !allowedCalls.has(id)));
	const open = tools.filter(({ call }) => (call.state === "running" || call.state === "pending") && !neverAllowed.has(call.toolCallId));
	// The same call may have been allowed before the agent asked about it again.
	const wordsFor = (asked: Approval) => (allowedNames.has(requestName(asked)) ? words.outcome.notAllowedAgain : words.outcome.neverAllowed);
	const steps = open.slice(0, LISTED_STEPS).map(({ call }) => fill(words.outcome.whetherStep, { step: visibleName(namedCall(call).name) }));
	const more = open.length > LISTED_STEPS ? [fill(words.outcome.more, { count: open.length - LISTED_STEPS })] : [];
	const globs = required.map(({ glob }) => glob).join(", ");
	const accepted =
		first === undefined
			? fill(words.outcome.neverAccepted, { time: formatTime(turn.createdAt) })
			: fill(words.outcome.acceptedAt, { time: formatTime(first.at) });
	const { cancelRequestedAt } = turn;
	// The request to stop an unresolved run is kept for as long as the app asks about the run.
	const isPassedOn = isStillAsked(turn, now);
	const stopWords = isPassedOn ? words.outcome.stopNotPassedOn : words.outcome.stopUnconfirmed;
	return {
		known: [
			accepted,
			...(tools.length > 0 ? [fill(words.outcome.steps, { steps: count(tools.length, "step") })] : []),
			...(view.workedAt === undefined ? [] : [lastSeen(formatTime(view.workedAt), lastStage(view, asked))]),
			...refused.map((asked) => fill(wordsFor(asked), { step: visibleName(requestName(asked)) })),
			...(cancelRequestedAt === undefined ? [] : [fill(stopWords, { time: formatTime(cancelRequestedAt) })]),
		],
		unknown: [
			...(open.length === 0 ? [words.outcome.whetherDone] : [...steps, ...more]),
			...(globs === "" ? [] : [fill(words.outcome.whetherFiles, { files: globs })]),
		],
	};
}

function lastSeen(time: string, stage: ProgressStage | undefined): string {
	return stage === undefined
		? fill(words.outcome.lastHeard, { time })
		: fill(words.outcome.lastSeen, { time, what: stageWords[stage].toLowerCase() });
}

/** The last stage: waiting, if a request was open at the end (pending, or withdrawn after the last update of the run's work). */
function lastStage({ workedAt = "", progress, items }: TurnView, withdrawn: readonly Approval[]): ProgressStage | undefined {
	const isOpen = items.some((item) => item.kind === "approval" && item.approval.state === "pending");
	const wasAsking = isOpen || withdrawn.some(({ decidedAt = "" }) => Date.parse(decidedAt) > Date.parse(workedAt));
	return wasAsking ? "waiting_approval" : progress?.stage;
}

function isAllowed({ state, decision }: Approval): boolean {
	return state === "decided" && decision !== "deny";
}
