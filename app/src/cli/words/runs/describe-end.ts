import { renderActivity, type Snapshot, unpermittedIn } from "@xworkmate/contracts";
import type { TurnEvent } from "../../../api/app-api.ts";
import { runWords, unresolvedWords } from "../../../strings/codes.ts";
import { words } from "../../../strings/interface.ts";
import { noneSaved, turnWords } from "../../../strings/runs/turn-words.ts";
import { unpermittedSentence } from "../../../text/calls/unpermitted-words.ts";
import { commandLine } from "../../../text/command-line.ts";
import { syncLine } from "../../../text/files/sync-line.ts";
import { formatBytes } from "../../../text/format-measure.ts";
import { messageInLocalTime } from "../../../text/local-time.ts";
import { oneLine, pathLine, printable } from "../../../text/printable.ts";
import { actionsTitle } from "../../../text/runs/actions-title.ts";
import { askingWords, isSentUnknown, isStillAsked } from "../../../text/runs/asks-until.ts";
import { failedCommands } from "../../../text/runs/failed-commands.ts";
import { lateStop } from "../../../text/runs/late-stop.ts";
import { noFilesWords, rejectedCountOf, rejectedTitle } from "../../../text/runs/no-files-words.ts";
import { isStartedAgain, planSaysWhether, workStartedAgain } from "../../../text/runs/resent-words.ts";
import { stoppedTitle } from "../../../text/runs/stopped-title.ts";
import type { Thread, Turn, TurnStatus } from "../../../threads/domain/thread.ts";
import { savingFix } from "../terminal-fix.ts";
import { editsLines } from "./edits-lines.ts";
import { groundingLines } from "./grounding-lines.ts";
import { rejectedLines } from "./rejected-lines.ts";
import { removedWords } from "./removed-words.ts";
import { setAsideLines } from "./set-aside-lines.ts";
import { undeliveredLines } from "./undelivered-lines.ts";

type Ended = Omit<Extract<TurnEvent, { type: "ended" }>, "type">;

const endWords: Readonly<Record<Exclude<TurnStatus, "unresolved">, string>> = {
	...turnWords,
	artifact_missing: runWords.REQUIRED_ARTIFACT_MISSING.title,
	interrupted: `${turnWords.interrupted}, outcome unknown`,
};

const fixes: Readonly<Record<string, string>> = {
	PROVIDER_AUTH_REQUIRED: "Follow the instructions above, then send your message again.",
	PROVIDER_EXITED: `Send your message again, or choose another agent. The run log on the page shows anything that the agent wrote before it ended: ${commandLine("open")}`,
	PROVIDER_ERROR: "Fix the problem described above and send your message again, or choose another agent.",
	PROVIDER_NOT_FOUND: "Nothing was started. Choose another agent, then send your message again.",
	NO_OUTPUT: "Ask again, or choose another agent.",
	REFUSED: "Change the message, or choose another agent.",
	SCRIPT_INVALID: "Correct the program and send it again.",
	LIMIT_EXCEEDED: "Ask for less at a time, or shorten what you send.",
	DISK_FULL: "Free some space on the bridge's disk, then send the message again.",
	NO_EXPORTED_ARTIFACTS: "Ask for the files. Text in the answer does not count as a file.",
	REQUIRED_ARTIFACT_MISSING: "Ask for the missing files, or correct the pattern in --require.",
	OPENCLAW_REQUIRED_ARTIFACT_MISSING: "Ask for the missing files, or correct the pattern in --require.",
	CANCEL_INCOMPLETE: "Check whether anything is still running, and stop it if needed.",
	BRIDGE_RESTARTED: "Check what the run did, then ask again. Nothing was sent again automatically.",
	BRIDGE_STOPPED: "Check what the run did, then ask again. Nothing was sent again automatically.",
	STORE_RESTORED: "Check what the run did, then ask again. Nothing was sent again automatically.",
	POISONED: `Change the message or choose another agent, then send it again. The bridge's log has the cause: ${commandLine("logs")}`,
	DEADLINE_EXCEEDED: `Check what the run did, then ask again. If the run needs more time: ${commandLine("config set runBudgetMs MILLISECONDS")}`,
};

/** How a turn ended, as lines for the user: the outcome, the reason, the fix, and the evidence. `isRemoved`: its thread was removed. */
export function describeEnd({ turn, thread, snapshot, setAside = [] }: Ended, folder: string, isRemoved = false): readonly string[] {
	const { code, message: given } = turn.resultDetail ?? {};
	const message = messageInLocalTime(code, given, Date.now());
	// A completed turn has a code if files could not be downloaded. The lines about the files say how to fix it.
	const known =
		code === undefined || turn.status === "completed" ? undefined : (workFix(turn, thread, snapshot) ?? fixOf(code, snapshot ?? turn));
	// While the app still asks the bridge about the message, it may turn out to have been sent, so the user is not yet told to send it again.
	const isAsked = isSentUnknown(turn, code) && isStillAsked(turn, Date.now());
	const fix = isAsked ? undefined : (savingFix(code, turn.resultDetail?.fix, thread.threadId) ?? known);
	const title = titleOf(turn, snapshot).replace(/\.$/, "");
	return [
		`${title}${code === undefined ? "" : ` (${oneLine(code)})`}`,
		...unpermittedLine(turn, snapshot),
		...failedCommands(snapshot?.activity).map((line) => `  ${printable(line)}`),
		...(message === undefined ? [] : [`  ${printable(message).replaceAll("\n", "\n  ")}`]),
		...(isSentUnknown(turn, code) && turn.status === "unresolved" ? [`  ${askingWords(turn, Date.now())}`] : []),
		...(fix === undefined ? [] : [`  ${printable(fix)}`]),
		...groundingLines(snapshot?.grounding, snapshot?.output, activityLines(snapshot).length > 0).map((line) => `  ${line}`),
		...activityLines(snapshot),
		...editsLines(snapshot?.edits),
		...fileLines(turn, thread, snapshot, folder).filter((line) => line.trim() !== title),
		...lateStopLine(turn),
		...setAsideLines(setAside, folder).map((line) => `  ${line}`),
		...rejectedLines(snapshot?.rejectedArtifacts ?? [], snapshot?.rejectedCount),
		isRemoved ? `  ${removedWords}` : `  thread ${oneLine(thread.threadId, 200)}${turn.runId === undefined ? "" : `, run ${turn.runId}`}`,
	];
}

/** Says of a run that had done its work before it was asked to stop that there was nothing left to stop. */
export function lateStopLine(turn: Turn): readonly string[] {
	const late = lateStop(turn);
	return late === undefined ? [] : [`  ${late}`];
}

/** A run that was asked to stop and did not confirm the stop did not fail for lack of time. */
function fixOf(code: string, { cancelRequestedAt }: Pick<Snapshot, "cancelRequestedAt">): string | undefined {
	return code === "DEADLINE_EXCEEDED" && cancelRequestedAt !== undefined ? "Check what the run did, then ask again." : fixes[code];
}

/**
 * What to do about a plan's work that the bridge's end interrupted: unlike a message, the work may have been started again automatically.
 */
function workFix({ turnId, status, resultDetail }: Turn, { turns }: Thread, snapshot: Snapshot | undefined): string | undefined {
	const origin = snapshot?.origin;
	const again = isStartedAgain({ turnId, code: resultDetail?.code, origin, turns });
	if (again === "no" || status !== "interrupted") return undefined;
	const plan = `${planSaysWhether}: ${commandLine(`plans show ${oneLine(origin?.id ?? "", 200)}`)}`;
	return `Check what the run did. ${again === "yes" ? workStartedAgain : plan}`;
}

/** How the run ended. If it succeeded but lacks files, actions or evidence, the text is that of the page's card. */
function titleOf(turn: Turn, snapshot: Snapshot | undefined): string {
	if (isPartial(turn)) return turn.syncedPaths.length === 0 ? noneSaved : words.outcome.filesPartial;
	if (turn.status === "cancelled" && turn.stoppedAfterMs !== undefined) return stoppedTitle(turn);
	if (turn.status === "unresolved") return unresolvedWords(turn.resultDetail?.code ?? "", turn).title;
	const qualified = turn.status === "completed" ? (actionsTitle(snapshot) ?? titleOfRejected(snapshot)) : undefined;
	return qualified ?? endWords[turn.status];
}

/** What the run did without permission. The title of a success already says so. */
function unpermittedLine(turn: Turn, snapshot: Snapshot | undefined): readonly string[] {
	const unpermitted = snapshot?.activity && unpermittedIn(snapshot.activity);
	const isInTitle = turn.status === "completed" && !isPartial(turn);
	return unpermitted === undefined || isInTitle ? [] : [`  ${unpermittedSentence(unpermitted)}`];
}

function titleOfRejected(snapshot: Snapshot | undefined): string | undefined {
	const rejected = rejectedCountOf(snapshot);
	return rejected > 0 && snapshot?.artifacts.count === 0 ? noFilesWords(rejected) : rejectedTitle(rejected);
}

/** The run's activity; empty for a run that did nothing worth listing. */
function activityLines(snapshot: Snapshot | undefined): readonly string[] {
	const activity = snapshot?.activity;
	return activity === undefined || activity.items.length === 0 ? [] : renderActivity(activity).map((line) => `  ${printable(line)}`);
}

function fileLines(turn: Turn, thread: Thread, snapshot: Snapshot | undefined, folder: string): readonly string[] {
	const artifacts = snapshot?.artifacts;
	const partial = isPartial(turn) ? [`  Save the missing files: ${syncLine(thread)}`] : [];
	if (turn.syncedPaths.length > 0) {
		const sizes = new Map(artifacts?.items.map((item) => [item.relativePath as string, item.sizeBytes]));
		const listed = turn.syncedPaths.slice(0, 20).map((path) => `    ${pathLine(path, 200)}${sized(sizes.get(path))}`);
		const more = turn.syncedPaths.length > 20 ? [`    and ${turn.syncedPaths.length - 20} more`] : [];
		return [
			`  ${turn.syncedPaths.length} checked ${turn.syncedPaths.length === 1 ? "file" : "files"} in ${oneLine(folder, 500)}`,
			...listed,
			...more,
			...partial,
		];
	}
	return isPartial(turn) ? partial : undeliveredLines(turn.status, artifacts?.count ?? 0, rejectedCountOf(snapshot));
}

/** True if the run succeeded but not all of its files are in the folder. */
function isPartial({ status, syncStatus }: Turn): boolean {
	return status === "completed" && syncStatus === "partial";
}

function sized(bytes: number | undefined): string {
	return bytes === undefined ? "" : `  ${formatBytes(bytes)}`;
}
