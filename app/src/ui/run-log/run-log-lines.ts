import type { RunStatus } from "@xworkmate/contracts";
import type { Participant, RunLogEntry } from "../../api/ui-api.ts";
import { fill } from "../../strings/interface.ts";
import { logPageWords } from "../../strings/runs/log-page-words.ts";
import { logWord, type ShownState, stageWords, stateWords } from "../../strings/runs/states.ts";
import { visibleName } from "../text/visible-text.ts";

export type LogShow = "all" | "handoffs" | "tools" | "problems";

/** The participants in the order from the user to the work. */
const order: readonly Participant[] = ["app", "bridge", "agent", "openclaw", "plugin", "sync"];

/** The lanes of a diagram: the app, the bridge, and the other participants that took part. */
export function lanesOf(entries: readonly RunLogEntry[]): readonly Participant[] {
	const seen = new Set(entries.flatMap(({ from, to }) => [from, to]));
	return order.filter((hop) => hop === "app" || hop === "bridge" || seen.has(hop));
}

export function isProblem({ dropped, problem }: RunLogEntry): boolean {
	return dropped === true || problem === true;
}

/** An entry with its position in the whole log, which keeps it selected when other entries are hidden or added. */
export interface LogLine {
	readonly index: number;
	readonly entry: RunLogEntry;
}

export function selectLines(entries: readonly RunLogEntry[], show: LogShow): readonly LogLine[] {
	return entries.flatMap((entry, index) => (isShown(entry, show) ? [{ index, entry }] : []));
}

function isShown(entry: RunLogEntry, show: LogShow): boolean {
	const { from, to, what } = entry;
	switch (show) {
		case "all":
			return true;
		case "handoffs":
			return from !== to && (from === "app" || to === "app" || from === "sync" || to === "sync");
		case "tools":
			return what === "tool_call" || what === "approval" || what === "receipt";
		case "problems":
			return isProblem(entry);
	}
}

const statusStates: Readonly<Record<RunStatus, ShownState>> = {
	queued: "queued",
	running: "running",
	completed: "succeeded",
	failed: "failed",
	artifact_missing: "file_missing",
	cancelled: "cancelled",
	interrupted: "interrupted",
};

/** The event in a word or two, such as "Message, 1,112 parts" or "Checking files". */
export function eventName({ what, stage, status, parts }: RunLogEntry): string {
	if (stage !== undefined) return stageWords[stage];
	if (status !== undefined) return stateWords[statusStates[status]];
	const word = visibleName(logWord(what));
	return parts === undefined ? word : fill(logPageWords.named, { word, count: formatNumber(parts) });
}

/** The text of the event's line. */
export function eventText({ what, text }: RunLogEntry, agent: string): string {
	return what === "written" ? fill(logPageWords.forAgent, { agent: visibleName(agent) }) : visibleName(text);
}

export function formatNumber(value: number): string {
	return value.toLocaleString("en");
}

/** The time since the beginning of the log: "0.021 s", "2:05.123". */
export function formatOffset(milliseconds: number): string {
	const seconds = milliseconds / 1000;
	if (seconds < 60) return `${seconds.toFixed(3)} s`;
	const rest = (seconds % 60).toFixed(3).padStart(6, "0");
	const minutes = Math.floor(seconds / 60);
	return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${rest}`;
}

/** The position in the list to which a key moves the selection; undefined if the key does not move it. */
export function movedTo(key: string, place: number, count: number, page: number): number | undefined {
	const places: Readonly<Record<string, number>> = {
		ArrowDown: place + 1,
		ArrowUp: place < 0 ? 0 : place - 1,
		PageDown: place + page,
		PageUp: place - page,
		Home: 0,
		End: count - 1,
	};
	const next = Object.hasOwn(places, key) ? places[key] : undefined;
	return next === undefined || count === 0 ? undefined : Math.min(count - 1, Math.max(0, next));
}
