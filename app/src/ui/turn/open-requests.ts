import type { Approval } from "@xworkmate/contracts";
import { isPermission } from "@xworkmate/contracts/is-permission";
import type { TurnDetail } from "../../api/ui-api.ts";
import type { OutcomeTone } from "../../strings/codes.ts";
import { count, fill, words } from "../../strings/interface.ts";
import { requestName } from "../../text/calls/asked-view.ts";
import { oneLine } from "../text/visible-text.ts";
import type { SeenCall } from "./seen-call.ts";
import { isOpenCall } from "./tool-line.ts";
import type { TurnView } from "./turn-view.ts";

/** How many requests are named. The others are only counted. */
const LISTED = 5;
/** How much of a request's name a fact quotes. */
const ASKED_CHARACTERS = 200;

interface AskedParts {
	readonly detail: TurnDetail;
	readonly view: TurnView;
}

/**
 * The calls that were allowed and have no result and, if the run ended badly, the requests that were not answered before. They are listed
 * because the steps are folded, and an unanswered request may be why the run ended. If the outcome is unknown, `whatIsKnown` lists the
 * requests as known and the calls as unknown. A gateway's unanswered requests are left out: it keeps waiting, so they may be answered there.
 */
export function leftOpenByEnd(
	{ detail: { turn }, view: { items } }: AskedParts,
	{ tone }: { readonly tone: OutcomeTone },
): readonly string[] {
	if (turn.status === "cancelled" || tone === "unk") return [];
	if (turn.status === "completed") return listed(leftOpen(items), words.outcome.allowedOpen);
	const open = items.flatMap((item) => (item.kind === "approval" && isUnanswered(item.approval) ? [requestName(item.approval)] : []));
	return [...listed(open, words.outcome.askedInVain), ...listed(leftOpen(items), words.outcome.allowedOpen)];
}

function listed(names: readonly string[], sentence: string): readonly string[] {
	const more = names.length > LISTED ? [fill(words.outcome.more, { count: names.length - LISTED })] : [];
	return [...names.slice(0, LISTED).map((name) => fill(sentence, { what: oneLine(name.slice(0, ASKED_CHARACTERS)) })), ...more];
}

/**
 * Allowed calls of which it isn't known whether they were done, as the user was asked about them. A typed call that was allowed and not
 * started is left out, because it was not done.
 */
function leftOpen(items: TurnView["items"]): readonly string[] {
	const allowed = items.flatMap((item) => (item.kind === "approval" && isPermission(item.approval.decision) ? [item.approval] : []));
	const names = new Map(allowed.map((approval) => [approval.toolCallId, requestName(approval)]));
	return items.flatMap((item) => {
		const name = item.kind === "tool" && isUnknownEnd(item.call) ? names.get(item.call.toolCallId) : undefined;
		return name === undefined ? [] : [name];
	});
}

function isUnknownEnd(call: SeenCall): boolean {
	// What was allowed and what was reported instead are said of a call that is not as allowed.
	return isOpenCall(call) && call.unpermitted === undefined && (call.origin !== "executed" || call.isUnknown === true);
}

function isUnanswered({ state, asker }: Approval): boolean {
	return (state === "withdrawn" || state === "pending") && asker?.target !== "gateway";
}

/**
 * Says that requests expired. This is part of the outcome, because the steps are folded once the run is over, and an unanswered request
 * changed what the run did.
 */
export function expiredIn({ items }: TurnView): readonly string[] {
	const expired = items.filter((item) => item.kind === "approval" && item.approval.state === "expired").length;
	return expired === 0 ? [] : [fill(words.outcome.expired, { requests: count(expired, "request") })];
}
