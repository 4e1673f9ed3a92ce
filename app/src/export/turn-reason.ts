import { editsLine, lackingIn, type Snapshot, type Unpermitted } from "@xworkmate/contracts";
import { unpermittedIn } from "@xworkmate/contracts/unpermitted";
import { activityWords, groundingWords } from "../strings/calls/call-words.ts";
import { contradictedCalls } from "../text/calls/contradicted-calls.ts";
import { leftOpenLines } from "../text/calls/left-open.ts";
import { unpermittedReason } from "../text/calls/unpermitted-words.ts";
import { oneLine } from "../text/printable.ts";
import { hasExecuted, isContradicted, sayCount, swappedLines } from "../text/runs/actions-title.ts";
import { failedCommands } from "../text/runs/failed-commands.ts";
import { isUnanswered } from "../text/runs/is-unanswered.ts";
import { lateStop } from "../text/runs/late-stop.ts";
import { rejectedCountOf, rejectedTitle } from "../text/runs/no-files-words.ts";
import { turnStateWords } from "../text/runs/state-words.ts";
import { stoppedTitle } from "../text/runs/stopped-title.ts";
import { andMore, commonReason, unverifiedSentences } from "../text/runs/why-unverified.ts";
import type { Turn, TurnStatus } from "../threads/index.ts";

/** The maximum number of unverified sentences that are quoted. */
const SHOWN = 20;
const SENTENCE = 300;

/** How a turn ended if it was not a plain success, why, and what is known to differ from what its agent says. */
export interface TurnReason {
	/** Says how the turn ended, or that commands failed; absent for any other reason. */
	readonly lead?: string;
	readonly text?: string;
	readonly items?: readonly string[];
}

/**
 * How a turn ended and why, in the words of the page and of `threads show`. For a plain success, there is no entry about how it ended.
 */
export function turnReason(turn: Turn, snapshot: Snapshot | undefined): readonly TurnReason[] {
	const { status, resultDetail } = turn;
	const failed = failedCommands(snapshot?.activity).map((lead): TurnReason => ({ lead }));
	const unpermitted = snapshot?.activity && unpermittedIn(snapshot.activity);
	const doubts = doubtsOf(status, snapshot, unpermitted);
	const late = lateStop(turn);
	const known = [...(snapshot === undefined ? [] : knownOf(status, snapshot)), ...(late === undefined ? [] : [{ text: late }])];
	const lacking = snapshot === undefined ? undefined : lackingIn(snapshot);
	if (status === "completed" && resultDetail === undefined && lacking === undefined) return [...failed, ...doubts, ...known];
	const doubt = resultDetail === undefined ? { lacking, unpermitted } : {};
	const state =
		status === "cancelled" && turn.stoppedAfterMs !== undefined
			? stoppedTitle(turn).replace(/\.$/, "")
			: turnStateWords(status, undefined, false, doubt.lacking, doubt.unpermitted);
	const isUnknown = status === "interrupted";
	const code = resultDetail?.code === undefined ? "" : ` (${resultDetail.code})`;
	const lead = `${state}${isUnknown ? ", outcome unknown" : ""}${code}`;
	const isUnexplained = resultDetail?.message === undefined && status === "completed";
	// A doubt, such as an edit that did not happen, is not the reason why files were rejected.
	const isRejected = isUnexplained && lacking === "rejected";
	const text = isRejected ? rejectedTitle(rejectedCountOf(snapshot)) : resultDetail?.message;
	// If there is no message, the first doubt explains why this is not a plain success.
	const whys = isUnexplained && !isRejected ? doubts.slice(0, 1) : [];
	return [{ lead, ...(text !== undefined && { text }), ...whys[0] }, ...failed, ...doubts.slice(whys.length), ...known];
}

/** The reasons not to rely on what the agent says, the most serious first. */
function doubtsOf(status: TurnStatus, snapshot: Snapshot | undefined, unpermitted: Unpermitted | undefined): readonly TurnReason[] {
	const { activity } = snapshot ?? {};
	const isSuccess = status === "completed";
	const isUntrue = isSuccess && isContradicted(activity);
	const contradicted = contradictedCalls(activity);
	return [
		...(unpermitted === undefined ? [] : [{ text: unpermittedReason(status, unpermitted), items: swappedLines(activity) }]),
		...(isUntrue || contradicted.length > 0 ? [{ ...(isUntrue && { text: activityWords.untrue }), items: contradicted }] : []),
		...(snapshot === undefined ? [] : claimsOf(snapshot)),
	];
}

function claimsOf({ grounding, output }: Snapshot): readonly TurnReason[] {
	if (grounding?.state === "replaced") {
		return [{ text: `${groundingWords.oursLead} ${isUnanswered(grounding) ? groundingWords.oursAlone : groundingWords.ours}` }];
	}
	if (grounding?.state !== "unverified") return [];
	const sentences = unverifiedSentences(grounding.problems, output?.text ?? "");
	const common = commonReason(sentences);
	const each = sentences.flatMap(({ said, why }) => {
		const sentence = said === "" ? [] : [`“${oneLine(said, SENTENCE)}”`];
		return common === undefined ? [[...sentence, why].join(": ")] : sentence;
	});
	const more = each.length > SHOWN ? [andMore(each.length - SHOWN, grounding.problems)] : [];
	const text = `${groundingWords.lead} what the answer claims:${common === undefined ? "" : ` ${common.why}`}`;
	return [{ text, items: [...each.slice(0, SHOWN), ...more] }];
}

/**
 * What the run did, regardless of what its agent says, and the allowed calls without a result. That a stopped run didn't finish its calls is
 * not said of each.
 */
function knownOf(status: TurnStatus, { activity, grounding, edits }: Snapshot): readonly TurnReason[] {
	const open = status === "cancelled" ? [] : leftOpenLines(activity);
	return [
		...(open.length === 0 ? [] : [{ items: open }]),
		...(grounding?.state === "no_action" && !hasExecuted(activity) ? [{ text: `${sayCount(0, activityWords.completed)}.` }] : []),
		...(edits === undefined ? [] : [{ text: editsLine(edits) }]),
	];
}
