import { CLOSING_TAG, deliverablePieces, OPENING_TAG } from "@xworkmate/contracts/deliverable-tags";
import type { AppState, ThreadSummary } from "../../api/ui-api.ts";
import { type CodeWords, endWordsOf, unresolvedWords, wordsOf } from "../../strings/codes.ts";
import { count, fill, words } from "../../strings/interface.ts";
import { unpermittedClause } from "../../text/calls/unpermitted-words.ts";
import { capitalized } from "../../text/capital.ts";
import { stopAskedAt } from "../../text/runs/stop-asked-at.ts";
import { oneLine, visibleName } from "../text/visible-text.ts";
import { asOfThread, type Hearing, isHeld, type ListedThread } from "./thread-state.ts";

const SHOWN_CHARACTERS = 120;
/** How many characters of a prompt and of an answer the app's list contains. */
const GIVEN_CHARACTERS = 200;

/**
 * The hint after a thread's title and state in a list: what it waits for, its current step, what it did without permission, its files or its
 * newest text, or why it failed.
 */
export function hintOfThread(thread: ThreadSummary, provider: string, places?: TakenPlaces): string {
	const { lastTurn, doing, gatewayQueue, pendingTurnId } = thread;
	if (gatewayQueue !== undefined) return visibleName(gatewayQueue.paused?.message ?? words.run.queuedGateway);
	if (lastTurn?.status === "queued" && lastTurn.turnId === pendingTurnId) return queuedBehind(places);
	if (pendingTurnId !== undefined) return doing === undefined ? askedOf(thread) : oneLine(doing);
	const against = thread.unpermitted && capitalized(unpermittedClause(thread.unpermitted));
	if (isHeld(thread)) {
		const held = fill(words.sidebar.held, { messages: count(thread.queuedCount, "queued message") });
		return against === undefined ? held : `${against} · ${held}`;
	}
	// It is more serious than what came out and how the run ended, which the state says.
	if (against !== undefined) return against;
	if (lastTurn?.status === "completed" && lastTurn.syncStatus !== "partial") return cameOut(thread);
	const unsaved = isNotSaved(lastTurn) ? lastTurn?.resultDetail?.message : undefined;
	if (unsaved !== undefined) return shown(visibleName(unsaved));
	const end = wordsOfEnd(thread);
	if (end === undefined) return lastSaid(thread);
	const title = fill(end.title, { provider: visibleName(provider) });
	return title.includes("{") ? lastSaid(thread) : title;
}

/**
 * The heading above the active threads. Threads whose runs are queued do not count as running. If all of them may be out of date, the
 * heading says so.
 */
export function underWayTitle(listed: readonly ListedThread[], hearing: Hearing): string {
	const queued = listed.filter(({ state }) => state === "queued").length;
	const titles = listed.every((one) => asOfThread(one, hearing) !== undefined) ? words.sidebar.lastSeen : words.sidebar.underWay;
	if (queued === 0) return titles.running;
	return queued === listed.length ? titles.queued : titles.both;
}

/** How many runs are active when the bridge cannot start another, and how many of them wait for an answer from the user. */
export interface TakenPlaces {
	readonly runs: number;
	readonly asking: number;
}

/**
 * How many runs are active if the bridge cannot start another now, otherwise undefined. Only runs that this app knows are counted, so the
 * result may be undefined for a queued run: every run is queued for a moment before it begins, and another app may have runs of its own.
 */
export function takenPlaces(
	{ threads, approvals }: Pick<AppState, "threads" | "approvals">,
	places: number | undefined,
): TakenPlaces | undefined {
	const running = threads.filter(({ lastTurn, pendingTurnId }) => lastTurn?.status === "running" && lastTurn.turnId === pendingTurnId);
	if (places === undefined || running.length < places) return undefined;
	const asked = new Set<string>(approvals.map(({ threadId }) => threadId));
	return { runs: running.length, asking: running.filter(({ threadId }) => asked.has(threadId)).length };
}

/**
 * Says that an agent's run is queued in the bridge and, with `places`, why. An agent's run keeps its slot while it waits for the user, so
 * if all active runs do, nothing begins before the user answers. A program's run releases its slot after `parkMs`.
 */
export function queuedBehind(places: TakenPlaces | undefined): string {
	if (places === undefined) return words.run.queuedIn;
	const { runs, asking } = places;
	const active = runs === 1 ? words.run.oneRun : fill(words.run.manyRuns, { count: runs });
	if (asking === 0) return fill(words.run.queuedBehind, { runs: active });
	if (asking < runs) return fill(words.run.queuedBehindSome, { runs: active, count: asking });
	return runs === 1 ? words.run.queuedBehindAsking : fill(words.run.queuedBehindAllAsking, { count: runs });
}

/** True for a run that succeeded but whose files are not all in the folder. Its message says which, and why. */
function isNotSaved(turn: ThreadSummary["lastTurn"]): boolean {
	return turn?.status === "completed" && turn.syncStatus === "partial";
}

/** Why the newest turn did not succeed, or why that is unknown; undefined if it has no code. */
export function wordsOfEnd({ lastTurn, lastResultDetail, providerId }: ThreadSummary): CodeWords | undefined {
	const code = lastTurn?.resultDetail?.code ?? lastResultDetail?.code;
	if (code === undefined) return undefined;
	// Sending the message again would not save the files.
	if (isNotSaved(lastTurn)) return { ...wordsOf(code), actions: ["fetch_again", "run_log"] };
	return lastTurn?.status === "unresolved" ? unresolvedWords(code, lastTurn) : endWordsOf(code, providerId, stopAskedAt(lastTurn));
}

function cameOut(thread: ThreadSummary): string {
	const { fileCount, firstFile, changedCount = 0 } = thread;
	const name = firstFile === undefined ? undefined : visibleName(firstFile);
	if (fileCount === 1 && name !== undefined) return name;
	if (fileCount > 0)
		return name === undefined ? count(fileCount, "file") : fill(words.sidebar.files, { more: count(fileCount - 1, "more file"), name });
	// What the agent says about its changes may be untrue, so their number is shown instead.
	return changedCount > 0 ? count(changedCount, "changed file") : lastSaid(thread);
}

/** The answer of a plan's run, without the tags around its message. The last tag may be cut off. */
function untagged(answer: string): string {
	const text = deliverablePieces(answer)
		.map(({ from, to }) => answer.slice(from, to))
		.join("\n");
	const lastLine = text.lastIndexOf("\n") + 1;
	const isPart = lastLine < text.length && [OPENING_TAG, CLOSING_TAG].some((tag) => tag.startsWith(text.slice(lastLine)));
	return isPart ? text.slice(0, lastLine) : text;
}

/** The newest text of the thread: the answer of a run that has ended or, without one, the message. */
function lastSaid(thread: ThreadSummary): string {
	const { answer } = thread;
	const said = answer === undefined ? "" : shown(plain(untagged(answer)), isCut(answer));
	return said === "" ? askedOf(thread) : said;
}

/** The newest message; empty if the title already shows its beginning, because a hint never starts in the middle of a message. */
function askedOf({ title, preview }: ThreadSummary): string {
	const asked = oneLine(preview);
	const named = oneLine(title.replace(/…$/, ""));
	const isNamed = asked.startsWith(named) && (/…$/.test(title) || !/^[\p{L}\p{N}]/u.test(asked.slice(named.length)));
	return isNamed ? "" : shown(asked, isCut(preview));
}

function isCut(given: string): boolean {
	return given.length >= GIVEN_CHARACTERS;
}

/** The beginning of a text in whole words, followed by "…" if text is left out. */
function shown(text: string, isCutAlready = false): string {
	const line = oneLine(text);
	if (line.length <= SHOWN_CHARACTERS && !isCutAlready) return line;
	const gap = line.slice(0, SHOWN_CHARACTERS + 1).lastIndexOf(" ");
	return `${(gap <= 0 ? line.slice(0, SHOWN_CHARACTERS).toWellFormed() : line.slice(0, gap)).replace(/[,;:.…]$/u, "")}…`;
}

/** Removes Markdown's common marks (headings, lists, links, emphasis, code), because a list shows plain text. */
function plain(text: string): string {
	const lines = text.replace(/^[ \t]*(?:#{1,6}|[-*+>])\s+/gm, "");
	// A shortened answer may end within the address of a link.
	const words = lines.replace(/!?\[([^[\]\n]{1,200})\]\([^()\n]{0,200}(?:\)|$)/g, "$1");
	return words.replace(/(\*\*|\*|`)(?=\S)([^*`\n]{1,100})(?<=\S)\1/g, "$2");
}
