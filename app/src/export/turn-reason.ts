import { lackingIn, type Snapshot } from "@xworkmate/contracts";
import { unpermittedIn } from "@xworkmate/contracts/unpermitted";
import { activityWords, groundingWords } from "../strings/call-words.ts";
import { failedCommands } from "../text/failed-commands.ts";
import { isUnanswered } from "../text/is-unanswered.ts";
import { oneLine } from "../text/printable.ts";
import { turnStateWords } from "../text/state-words.ts";
import { stoppedTitle } from "../text/stopped-title.ts";
import { commonReason, unverifiedSentences } from "../text/why-unverified.ts";
import type { Turn } from "../threads/index.ts";

const SHOWN = 5;
const SENTENCE = 300;

/** How a turn ended if it was not a plain success, and why. */
export interface TurnReason {
	readonly lead: string;
	readonly text?: string;
}

/** In the words of `threads show`. Empty for a plain success, and for a turn that has not ended. */
export function turnReason(turn: Turn, snapshot: Snapshot | undefined): readonly TurnReason[] {
	const { status, resultDetail } = turn;
	const failed = failedCommands(snapshot?.activity).map((lead): TurnReason => ({ lead }));
	const lacking = snapshot === undefined ? undefined : lackingIn(snapshot);
	if (status === "completed" && resultDetail === undefined && lacking === undefined) return failed;
	const state =
		status === "cancelled" && turn.stoppedAfterMs !== undefined
			? stoppedTitle(turn).replace(/\.$/, "")
			: turnStateWords(status, undefined, false, resultDetail === undefined ? lacking : undefined);
	const isUnknown = status === "interrupted" || status === "unresolved";
	const known = resultDetail === undefined ? "" : ` (${resultDetail.code})`;
	const lead = `${state}${isUnknown ? ", outcome unknown" : ""}${known}`;
	const text = resultDetail?.message ?? (snapshot && whyNotPlain(snapshot));
	return [{ lead, ...(text !== undefined && { text }) }, ...failed];
}

/** Why a success is not a plain one; undefined if its lead says it all. */
function whyNotPlain({ activity, grounding, output }: Snapshot): string | undefined {
	const unpermitted = activity && unpermittedIn(activity);
	if (unpermitted !== undefined) return activityWords.unpermitted[unpermitted];
	if (grounding?.state === "replaced") {
		return `${groundingWords.oursLead} ${isUnanswered(grounding) ? groundingWords.oursAlone : groundingWords.ours}`;
	}
	if (grounding?.state !== "unverified") return undefined;
	const sentences = unverifiedSentences(grounding.problems, output?.text ?? "");
	const common = commonReason(sentences);
	const each = sentences.slice(0, SHOWN).map(({ said, why }) => (said === "" ? why : `“${oneLine(said, SENTENCE)}”: ${why}`));
	return `${groundingWords.lead} what the answer claims: ${common?.why ?? [...new Set(each)].join(" ")}`;
}
