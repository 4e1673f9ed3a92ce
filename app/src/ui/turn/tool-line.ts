import { contradictionOf } from "@xworkmate/contracts/contradiction";
import { fill, words } from "../../strings/interface.ts";
import {
	allowedWord,
	announcedWords,
	changedToWord,
	changedWord,
	claimedWords,
	contradictedWords,
	noResultWord,
	renamedWord,
	reportedWords,
	toolStateWords,
	toolWords,
	typedWords,
	unansweredWord,
	undoneWords,
	unpermittedWords,
	wantsWords,
} from "../../strings/runs/states.ts";
import { containsLine, swappedLine } from "../../text/calls/decision-line.ts";
import { isShownByFiles } from "../../text/calls/shown-by-files.ts";
import type { TurnStatus } from "../../threads/domain/thread.ts";
import { formatTime } from "../text/format.ts";
import { visibleName } from "../text/visible-text.ts";
import type { SeenCall } from "./seen-call.ts";
import { endOf, type TurnView } from "./turn-view.ts";

/** How to show a call that has not ended. It is a single string, so that comparing the rows of a long run is cheap. */
export type OpenCalls = "live" | "stopped" | "unknown" | `as of ${string}`;

export interface TurnNow {
	/** True if the thread waits for the turn. */
	readonly pending: boolean;
	/** True if contact with the run is lost. */
	readonly lost: boolean;
	readonly status: TurnStatus;
	/** When the run's state was last known, if contact with the run is lost. */
	readonly asOf?: string | undefined;
}

/**
 * Once the run has ended, an open call is shown as stopped, or its result as unknown. While contact is lost, its state is shown with the
 * time at which it was last known.
 */
export function openCallsOf(view: Pick<TurnView, "ended" | "status">, { pending, lost, status, asOf }: TurnNow): OpenCalls {
	const end = endOf(view);
	if ((end ?? status) === "cancelled") return "stopped";
	if (!pending || end !== undefined || status === "completed") return "unknown";
	if (!lost) return "live";
	return asOf === undefined ? "unknown" : `as of ${formatTime(asOf)}`;
}

/** True for a call that has not ended. The state of the run affects only how such calls are shown. */
export function isOpenCall({ state }: Pick<SeenCall, "state">): boolean {
	return state !== "completed" && state !== "failed" && state !== "denied";
}

export interface ToolLine {
	/** Text before the call's title. */
	readonly word: string;
	/** Text after the title; if absent, the call's duration or its change is shown. */
	readonly state?: { readonly tone: "run" | "unk" | "off" | "bad"; readonly word: string };
}

type LineField =
	| "toolKind"
	| "state"
	| "isAllowed"
	| "waits"
	| "isUnknown"
	| "origin"
	| "toolId"
	| "wasAsked"
	| "notFound"
	| "untouched"
	| "notHeld"
	| "stillThere"
	| "unpermitted"
	| "swapped"
	| "deniedCommand";

/**
 * What a row says about one call: only what is true now, or was true at the last update. `now`: the agent's current name for the call, if
 * the row has another name.
 */
export function toolLine(
	call: Pick<SeenCall, LineField> & { readonly isChanged?: boolean; readonly now?: string },
	open: OpenCalls,
): ToolLine {
	const { toolKind, state, isAllowed, waits, isUnknown, origin, toolId, unpermitted, swapped, deniedCommand } = call;
	// The kind of a typed tool only reflects its risk. Its own words say what it does: a destructive tool need not delete anything. The
	// bridge's built-in tools have no id.
	const isTyped = origin === "executed" && toolId !== undefined;
	const kind = isTyped ? typedWords : { ...toolWords[toolKind], ask: wantsWords[toolKind], done: doneWord(call) };
	// Another call was denied, so the row names both: no request was made for this one.
	if (deniedCommand !== undefined) return { word: kind.done, state: { tone: "bad", word: visibleName(containsLine(deniedCommand)) } };
	if (unpermitted !== undefined) {
		const live = state === "running" ? kind.now : kind.ask;
		const left = open === "live" ? live : open === "stopped" ? undoneWords.stopped : undoneWords.unknown;
		const made = isOpenCall(call) ? left : kind.done;
		const word = unpermitted === "denied" || unpermitted === "found" ? undoneWords.saidDenied : made;
		const both = swapped === undefined ? "" : `: ${visibleName(swappedLine(swapped))}`;
		const isRenamed = unpermitted === "denied" && call.now !== undefined;
		const against = isRenamed ? fill(renamedWord, { now: visibleName(call.now ?? "") }) : unpermittedWords[unpermitted];
		return { word, state: { tone: "bad", word: `${against}${both}` } };
	}
	if (isUnknown) return { word: undoneWords.unknown, state: { tone: "unk", word: noResultWord } };
	const against = state === "completed" ? contradictionOf(call) : undefined;
	if (against !== undefined) return { word: claimedWords[toolKind] ?? kind.done, state: { tone: "unk", word: contradictedWords[against] } };
	if (state === "completed") return { word: kind.done };
	if (state === "failed") return { word: kind.done, state: { tone: "bad", word: toolStateWords.failed } };
	if (state === "denied") {
		const word = origin === "executed" ? undoneWords.denied : undoneWords.saidDenied;
		return { word, state: { tone: "bad", word: toolStateWords.denied } };
	}
	// Checked before the run's state, because a run may continue although the call was not allowed, or after a stop that its agent ignores.
	if (state === "pending" && isAllowed === false) return { word: undoneWords.notAllowed, state: { tone: "off", word: unansweredWord } };
	if (open === "stopped") return { word: undoneWords.stopped, state: { tone: "off", word: noResultWord } };
	if (open === "unknown") return { word: undoneWords.unknown, state: { tone: "unk", word: noResultWord } };
	const isOnlyAnnounced = state === "pending" && origin !== "executed" && call.wasAsked === undefined;
	// `waits`: an agent may ask after it has reported that the call runs, and again about a call that was allowed.
	const word = isOnlyAnnounced ? announcedWords.word : state === "pending" || waits ? kind.ask : kind.now;
	// An allowed call may stay pending, because not every agent reports that it continues after an answer.
	const isAnswered = state === "pending" && isAllowed === true && !waits;
	if (open === "live") {
		const now = isAnswered ? allowedWord : isOnlyAnnounced ? announcedWords.state : toolStateWords[waits ? "pending" : state];
		if (!call.isChanged) return { word, state: { tone: "run", word: now } };
		const changed = fill(call.now === undefined ? changedWord : changedToWord, { state: now, now: visibleName(call.now ?? "") });
		return { word, state: { tone: "unk", word: changed } };
	}
	return { word, state: { tone: "unk", word: open } };
}

/** What an agent claims to have done. Anything with effects is stated as fact only if the bridge did it, or the files confirm it. */
function doneWord(call: Pick<SeenCall, "toolKind" | "origin" | "notFound" | "untouched" | "stillThere">): string {
	const { done } = toolWords[call.toolKind];
	return call.origin === "executed" || isShownByFiles(call) ? done : (reportedWords[call.toolKind] ?? done);
}

/** "Running as of 08:27". */
export function asOfWords(state: string, at: string): string {
	return fill(words.run.asOf, { state, time: formatTime(at) });
}
