import type { Snapshot } from "@xworkmate/contracts";
import { editsLine } from "@xworkmate/contracts/edits-line";
import { unseenEnds } from "@xworkmate/contracts/unseen-ends";
import type { RunFiles, TurnDetail } from "../../api/ui-api.ts";
import { isBack, isDownloadable, isOnDisk } from "../../files/file-state.ts";
import { activityWords } from "../../strings/calls/call-words.ts";
import { type ActionId, endWordsOf, type OutcomeTone, unresolvedWords } from "../../strings/codes.ts";
import { count, fill, words } from "../../strings/interface.ts";
import { fixFor } from "../../strings/user-fixes.ts";
import { contradictedCalls } from "../../text/calls/contradicted-calls.ts";
import { messageInLocalTime } from "../../text/local-time.ts";
import { askingWords, isSentUnknown, isStillAsked } from "../../text/runs/asks-until.ts";
import { failedCommands } from "../../text/runs/failed-commands.ts";
import { isUnfinished } from "../../text/runs/is-unfinished.ts";
import { lateStop } from "../../text/runs/late-stop.ts";
import { noFilesWords, rejectedCountOf } from "../../text/runs/no-files-words.ts";
import { resentWords } from "../../text/runs/resent-words.ts";
import { stopAskedAt } from "../../text/runs/stop-asked-at.ts";
import { stoppedTitle } from "../../text/runs/stopped-title.ts";
import { commandOf, readFix } from "../text/fix-line.ts";
import { formatCount, formatSpan, formatTime } from "../text/format.ts";
import { splitCause } from "../text/split-cause.ts";
import { visibleName } from "../text/visible-text.ts";
import { expiredIn, leftOpenByEnd } from "./open-requests.ts";
import { openable } from "./openable.ts";
import { isListCut, isThere, lackingAtBridge, matchRequired, type RequiredState } from "./required-files.ts";
import { isSettledStatus } from "./settled.ts";
import type { TurnView } from "./turn-view.ts";
import { costOf, reportedUsage } from "./usage.ts";
import { whatIsKnown } from "./what-is-known.ts";

/** The outcome of a turn, in a form that is ready to be shown. */
export interface Outcome {
	readonly tone: OutcomeTone;
	readonly title: string;
	readonly say?: string;
	/** Which files of a success were saved. Its title says so too, unless something more serious becomes the title. */
	readonly saved?: string;
	/** What happened to files that were not saved, and whether they are downloaded later. */
	readonly left?: string;
	/** Where the files of an interrupted run may be. */
	readonly workedIn?: string;
	/** The rest of the bridge's or the agent's message. It may have several lines, and is shown on request. */
	readonly cause?: string;
	/** A command for a terminal that fixes the problem. */
	readonly command?: string;
	/** Present if the run only produced an answer, as is usual in a conversation: the outcome is then a quiet line instead of a card. */
	readonly quiet?: true;
	readonly facts: readonly string[];
	readonly code?: string;
	readonly fix?: string;
	readonly required?: readonly RequiredState[];
	readonly extra?: readonly string[];
	readonly known?: { readonly known: readonly string[]; readonly unknown: readonly string[] };
	readonly rejected: Snapshot["rejectedArtifacts"];
	/** How many files were rejected. It may be more than are listed. */
	readonly rejectedCount: number;
	readonly actions: readonly ActionId[];
}

export interface OutcomeParts {
	readonly detail: TurnDetail;
	readonly view: TurnView;
	readonly provider: string;
	/** The run's files as they are in the folder now; absent until that is known. */
	readonly files?: Pick<RunFiles, "files" | "count"> & Partial<Pick<RunFiles, "current">>;
	/** True if the app fetches the run's missing files again automatically. */
	readonly isFetchedAgain?: boolean;
	/** True if the thread is archived: no files are downloaded into it until it is restored. */
	readonly isArchived?: boolean;
	/** All turns of the run's thread; absent until they are known. */
	readonly turns?: readonly { readonly turnId: string }[];
	readonly now?: number;
}

/** The card for the end of a turn; undefined while the turn is in progress. */
export function deriveOutcome(parts: OutcomeParts): Outcome | undefined {
	const { turn, snapshot } = parts.detail;
	if (!isSettledStatus(turn.status) || (turn.status === "completed" && turn.syncStatus === "syncing")) return undefined;
	const rejected = { rejected: snapshot?.rejectedArtifacts ?? [], rejectedCount: rejectedCountOf(snapshot) };
	const outcome = outcomeOf(parts);
	const failed = failedCommands(snapshot?.activity).map((line) => visibleName(line));
	const edits = snapshot?.edits === undefined ? [] : [visibleName(editsLine(snapshot.edits))];
	const untrue = contradictedCalls(snapshot?.activity).map((line) => visibleName(line));
	const late = lateStop(turn);
	const known = [...failed, ...untrue, ...edits, ...leftOpenByEnd(parts, outcome), ...(late === undefined ? [] : [late])];
	return { ...outcome, facts: [...known, ...outcome.facts, ...expiredIn(parts.view)], ...rejected };
}

function outcomeOf(parts: OutcomeParts): Omit<Outcome, "rejected" | "rejectedCount"> {
	const { turn } = parts.detail;
	if (turn.status === "completed") return succeeded(parts);
	return turn.status === "cancelled" && turn.resultDetail?.code === undefined ? cancelled(parts) : endedBadly(parts);
}

function succeeded(parts: OutcomeParts): Omit<Outcome, "rejected" | "rejectedCount"> {
	const { detail } = parts;
	const { turn } = detail;
	const facts = factsOf(parts);
	if (turn.syncStatus === "partial" && (parts.files === undefined || !isBack(parts.files))) {
		const { code, message, fix } = turn.resultDetail ?? {};
		// A download takes each path's file from the newest run that delivered it.
		const isOver = parts.files?.current === false && !isDownloadable(parts.files);
		return {
			tone: "miss",
			title: isNoneThere(parts) ? words.outcome.filesNone : words.outcome.filesPartial,
			say: visibleName(message ?? words.outcome.filesPartialSay),
			...(fix !== undefined && !isOver && { fix: visibleName(fix) }),
			...(fix === undefined && parts.isFetchedAgain === true && { left: words.outcome.filesRetried }),
			...(parts.isArchived === true && !isOver && { left: words.files.restoreToDownload }),
			facts,
			...(code !== undefined && { code }),
			actions: parts.isArchived === true || isOver ? ["run_log"] : ["fetch_again", "run_log"],
		};
	}
	const files = detail.snapshot?.artifacts.count ?? turn.syncedPaths.length;
	if (files === 0) return answered(parts);
	// The bridge calls a run completed only if it delivered every required file.
	const all = detail.request.contract.required.reduce((sum, { minCount }) => sum + minCount, 0);
	const fact = all === 0 ? [] : [fill(words.outcome.requiredThere, { there: all, all })];
	const saved = fill(words.outcome.filesSaved, { files: count(files, "file") });
	return { tone: "ok", title: `${activityWords.succeeded} ${saved}`, saved, facts: [...fact, ...facts], actions: [] };
}

/** True if no file of the run was saved, and none is in the folder now. */
function isNoneThere({ detail, files }: OutcomeParts): boolean {
	return detail.turn.syncedPaths.length === 0 && files?.files.some(isOnDisk) === false;
}

/** An agent may claim to have written a file, so the page says that none was delivered. */
function answered({ detail, view: { usage } }: OutcomeParts): Omit<Outcome, "rejected" | "rejectedCount"> {
	const took = spanOf(detail.snapshot);
	const title = took === undefined ? words.outcome.done : fill(words.outcome.doneIn, { time: took });
	const facts = [...reportedUsage(costOf(usage ?? {}), detail), noFilesWords(rejectedCountOf(detail.snapshot))];
	return { tone: "ok", title, facts, quiet: true, actions: ["retry", "run_log"] };
}

function cancelled(parts: OutcomeParts): Omit<Outcome, "rejected" | "rejectedCount"> {
	const { turn, snapshot } = parts.detail;
	const left = leftFiles(parts.detail);
	/** That the agent did not respond to the stop, for example. */
	const said = turn.resultDetail?.message;
	// A run may also have been queued at the bridge.
	const isNeverStarted = turn.runId === undefined || (snapshot !== undefined && snapshot.startedAt === undefined);
	return {
		tone: "off",
		title: stoppedTitle(turn),
		...(isNeverStarted ? { say: words.outcome.cancelledQueued } : said && { say: visibleName(said) }),
		...(left !== undefined && { left }),
		facts: factsOf(parts),
		actions: openable(["ask_again", "open_files", "run_log"], snapshot?.artifacts.count ?? 0),
	};
}

/**
 * What happened to the files of a run that did not succeed: the bridge keeps those that it collected, for a limited time, and none are
 * saved to the folder.
 */
function leftFiles(detail: TurnDetail): string | undefined {
	const { turn, snapshot } = detail;
	const files = snapshot?.artifacts.count ?? 0;
	if (files > 0) {
		const kept = fill(words.outcome.filesAtBridge, { files: count(files, "file") });
		return isUnfinished(turn.status, codeOf(detail)) ? `${kept} ${words.outcome.unfinished}` : kept;
	}
	return turn.status === "interrupted" && turn.runId !== undefined ? words.outcome.noneCollected : undefined;
}

function codeOf({ turn, snapshot }: Pick<TurnDetail, "turn" | "snapshot">): string | undefined {
	return turn.resultDetail?.code ?? snapshot?.code ?? turn.resultCode;
}

function endedBadly(parts: OutcomeParts): Omit<Outcome, "rejected" | "rejectedCount"> {
	const { turn, request, snapshot } = parts.detail;
	const code = codeOf(parts.detail) ?? "INTERNAL";
	const isUnresolved = turn.status === "unresolved";
	const providerId = snapshot?.provider.providerId ?? request.routing.providerId;
	const askedAt = snapshot?.cancelRequestedAt ?? stopAskedAt(turn);
	const { tone, title, meaning, actions } = isUnresolved ? unresolvedWords(code, turn) : endWordsOf(code, providerId, askedAt);
	const { required, extra } = requiredOf(parts);
	const listed = isListCut(snapshot) ? undefined : { required, extra };
	const { sentence, cause } = splitCause(turn.resultDetail?.message ?? snapshot?.message ?? "");
	const message = messageInLocalTime(code, sentence, parts.now ?? Date.now());
	const { turns = [] } = parts;
	const resent = resentWords({ turnId: turn.turnId, code, origin: request.origin, turns });
	const values = { ...placeholders(parts, required, message), resent };
	// While the app still asks about the turn, its message may turn out to have been sent, so the user is not told yet to send it again.
	const isAsked = isSentUnknown(turn, code) && isStillAsked(turn, parts.now ?? Date.now());
	const fix = isAsked ? undefined : fixFor(code, turn.resultDetail?.fix);
	const lacking = tone === "miss" && listed === undefined ? lackingAtBridge(sentence) : "";
	const messageOnly = isUnresolved ? "{message} {asking}" : "{message}";
	const say = lacking === "" ? fill(isSentUnknown(turn, code) ? messageOnly : meaning, values).trimEnd() : visibleName(lacking);
	const left = leftFiles(parts.detail);
	// Agents phrase their errors as they like, so only a command from the bridge itself is offered for copying.
	const command = code === "PROVIDER_AUTH_REQUIRED" && say.includes("`") ? commandOf(readFix(say)) : undefined;
	return {
		tone,
		title: fill(title, values),
		say,
		...(left !== undefined && { left }),
		...(snapshot?.workedIn !== undefined && { workedIn: snapshot.workedIn }),
		...(cause !== "" && { cause }),
		...(command !== undefined && { command }),
		facts: factsOf(parts),
		code,
		...(fix !== undefined && (tone === "bad" || isUnresolved) && { fix: visibleName(fix) }),
		...(tone === "miss" && required.length > 0 && listed),
		...(tone === "unk" && { known: whatIsKnown(parts, required) }),
		actions: openable(actions, snapshot?.artifacts.count ?? 0),
	};
}

function placeholders(parts: OutcomeParts, required: readonly RequiredState[], message: string): Readonly<Record<string, string | number>> {
	const missing = isListCut(parts.detail.snapshot) ? [] : required.filter((state) => !isThere(state)).map(lackOf);
	return {
		provider: visibleName(parts.provider),
		message: visibleName(message) || "No reason was given.",
		reason: reasonOf(parts),
		missing: missing.join(", ") || "a required file",
		asking: askingWords(parts.detail.turn, parts.now ?? Date.now()),
	};
}

/** A note that says whether the agent's text is shown above; empty while that is unknown. */
function reasonOf({ detail: { snapshot }, view: { items, seq } }: OutcomeParts): string {
	const hasSaid = items.some((item) => item.kind === "message" && item.text.trim() !== "") || (snapshot?.output?.text ?? "").trim() !== "";
	if (hasSaid) return words.outcome.reasonAbove;
	return seq === 0 ? "" : words.outcome.noReason;
}

/** "photos/*.jpg", "4 × photos/*.jpg", "2 more × photos/*.jpg". */
function lackOf({ glob, minCount, matched }: RequiredState): string {
	const name = visibleName(glob);
	if (matched.length > 0) return fill(words.outcome.lackMore, { count: minCount - matched.length, glob: name });
	return minCount === 1 ? name : fill(words.outcome.lackSome, { count: minCount, glob: name });
}

function requiredOf({ detail: { request, snapshot } }: OutcomeParts): { required: readonly RequiredState[]; extra: readonly string[] } {
	const paths = snapshot?.artifacts.items.map(({ relativePath }) => relativePath) ?? [];
	const { states, extra } = matchRequired(request.contract.required, paths);
	return { required: states, extra };
}

function factsOf({ detail, view }: OutcomeParts): readonly string[] {
	const span = spanOf(detail.snapshot);
	const took = span === undefined ? [] : [span];
	const tokens = (view.usage?.inputTokens ?? 0) + (view.usage?.outputTokens ?? 0);
	const used = tokens > 0 ? [fill(words.outcome.tokens, { count: formatCount(tokens) })] : [];
	const at = detail.turn.endedAt ?? detail.turn.unresolvedSince;
	return [...took, ...reportedUsage([...used, ...costOf(view.usage ?? {})], detail), ...(at === undefined ? [] : [formatTime(at)])];
}

/** The duration of the run's work, if it started and both ends were observed. */
function spanOf(snapshot: Snapshot | undefined): string | undefined {
	if (unseenEnds.has(snapshot?.code)) return undefined;
	const { startedAt, endedAt } = snapshot ?? {};
	return startedAt === undefined || endedAt === undefined ? undefined : formatSpan(Date.parse(endedAt) - Date.parse(startedAt));
}
