import type { ThreadSummary } from "../../core/ui-api.ts";
import { wordsOf } from "../words/codes.ts";
import { count, fill, words } from "../words/interface.ts";
import { isHeld } from "./thread-state.ts";
import { oneLine, visibleName } from "./visible-text.ts";

const SHOWN_CHARACTERS = 120;

/** What a list says of a thread besides its title and state: what it does now, what came out, why it did not. */
export function sayOfThread(thread: ThreadSummary, provider: string, places?: number): string {
	const { lastTurn, doing, lane, pendingTurnId } = thread;
	if (lane !== undefined) return visibleName(lane.paused?.message ?? words.run.queuedGateway);
	if (lastTurn?.status === "queued" && lastTurn.turnId === pendingTurnId) return queuedBehind(places);
	if (pendingTurnId !== undefined) return doing === undefined ? askedOf(thread) : shown(doing);
	if (isHeld(thread)) return fill(words.sidebar.held, { messages: count(thread.queuedCount, "message") });
	if (lastTurn?.status === "completed") return cameOut(thread);
	const code = lastTurn?.resultDetail?.code ?? thread.lastResultDetail?.code;
	if (code === undefined) return askedOf(thread);
	const title = fill(wordsOf(code).title, { provider: visibleName(provider) });
	return title.includes("{") ? askedOf(thread) : title;
}

/** Why a run of an agent waits in the bridge: all its places are taken, since each thread of this app has one run at a time. */
export function queuedBehind(places: number | undefined): string {
	return places === undefined ? words.run.queuedIn : fill(words.run.queuedBehind, { runs: runsAre(places) });
}

function runsAre(places: number): string {
	return places === 1 ? words.run.oneRun : fill(words.run.manyRuns, { count: places });
}

function cameOut(thread: ThreadSummary): string {
	const { fileCount, firstFile, answer } = thread;
	const name = firstFile === undefined ? undefined : visibleName(firstFile);
	if (fileCount === 1 && name !== undefined) return name;
	if (fileCount > 0)
		return name === undefined ? count(fileCount, "file") : fill(words.sidebar.files, { files: count(fileCount, "file"), name });
	return answer === undefined ? askedOf(thread) : shown(plain(answer));
}

/** The newest message, unless the title says the same already. */
function askedOf({ title, preview }: ThreadSummary): string {
	const asked = oneLine(preview);
	const named = oneLine(title.replace(/…$/, ""));
	return asked.startsWith(named) ? shown(asked.slice(named.length)) : shown(asked);
}

function shown(text: string): string {
	return oneLine(text.slice(0, SHOWN_CHARACTERS));
}

/** Without the marks of markdown that stand most: headings, lists, emphasis, code. A list shows words, not their look. */
function plain(text: string): string {
	const lines = text.replace(/^[ \t]*(?:#{1,6}|[-*+>])\s+/gm, "");
	return lines.replace(/(\*\*|\*|`)(?=\S)([^*`\n]{1,100})(?<=\S)\1/g, "$2");
}
