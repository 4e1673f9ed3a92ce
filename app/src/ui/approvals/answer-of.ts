import type { Approval, ApprovalDecision } from "@xworkmate/contracts";
import { callWords } from "../../strings/calls/call-words.ts";
import { fill, words } from "../../strings/interface.ts";
import { decisionLine, whoOf } from "../../text/calls/decision-line.ts";
import { wholeMinutes } from "../../text/format-measure.ts";
import { formatTime } from "../text/format.ts";
import { visibleName } from "../text/visible-text.ts";
import { grantUsed } from "./grant-hint.ts";
import { isLostWithBridge } from "./sent-answers.ts";

/** The recorded answer. */
interface Answer {
	readonly what: string;
	/** Who answered; empty if `what` already says who, if that is not known, or if there was no answer. */
	readonly by: string;
	readonly at: string;
}

/** How a request was answered, in words. */
export function answerOf(approval: Approval): Answer {
	const { state, decision, decidedAt, reason, decidedBy = "" } = approval;
	const at = decidedAt === undefined ? "" : formatTime(decidedAt);
	if (isLostWithBridge(approval)) return { what: callWords.answerLostWithBridge, by: "", at };
	const isDenied = state !== "pending" && (decision === undefined || decision === "deny");
	if (isDenied && reason !== undefined) {
		const what = visibleName(decisionLine({ decision: "deny", by: decidedBy, reason }));
		return { what, by: "", at };
	}
	if (state === "expired") return { what: words.ask.expired, by: "", at: "" };
	if (state === "withdrawn" || decision === undefined) return { what: words.ask.withdrawn, by: "", at: "" };
	const automatic = automaticOf(approval);
	const what = automatic === undefined ? doneWord(approval, decision) : words.ask.automatic;
	return { what, by: automatic ?? personOf(approval), at };
}

/** Who answered, or where. An answer that was sent with the bridge's own token counts as the user's. */
function personOf({ decidedBy = "" }: Approval): string {
	if (decidedBy === "gateway") return words.ask.onGateway;
	if (decidedBy.startsWith("discord:")) return fill(words.ask.by, { name: visibleName(whoOf(decidedBy)) });
	return decidedBy === "person" ? words.ask.byYou : "";
}

function doneWord({ windowSeconds = 0, deniesAlways }: Approval, decision: ApprovalDecision): string {
	if (decision === "deny") return deniesAlways ? words.ask.deny_always_done : words.ask.deny_done;
	return decision === "allow_once" ? words.ask.once_done : fill(words.ask.window_done, { minutes: wholeMinutes(windowSeconds) });
}

/** What allowed the request without asking, as the bridge recorded it: a grant, or the configuration. */
function automaticOf({ grant, decidedBy = "" }: Approval): string | undefined {
	if (grant !== undefined) return `(${grantUsed(grant)})`;
	if (decidedBy.startsWith("window:")) return `(${words.ask.byOldGrant})`;
	return decidedBy.startsWith("configuration:") ? words.ask.bySettings : undefined;
}
