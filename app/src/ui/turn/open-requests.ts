import type { Approval } from "@xworkmate/contracts";
import type { TurnDetail } from "../../api/ui-api.ts";
import type { OutcomeTone } from "../../strings/codes.ts";
import { count, fill, words } from "../../strings/interface.ts";
import { requestName } from "../../text/asked-view.ts";
import { oneLine } from "../text/visible-text.ts";
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
 * The requests that were not answered before a run ended badly. They are listed because the steps are folded, and an unanswered request
 * may be why the run ended. If the outcome is unknown, they are listed among the known facts instead. A gateway's requests are left out: it
 * keeps waiting, so they may be answered there.
 */
export function askedInVain(
	{ detail: { turn }, view: { items } }: AskedParts,
	{ tone }: { readonly tone: OutcomeTone },
): readonly string[] {
	if (turn.status === "completed" || turn.status === "cancelled" || tone === "unk") return [];
	const open = items.flatMap((item) => (item.kind === "approval" && isUnanswered(item.approval) ? [requestName(item.approval)] : []));
	const more = open.length > LISTED ? [fill(words.outcome.more, { count: open.length - LISTED })] : [];
	const said = open.slice(0, LISTED).map((name) => fill(words.outcome.askedInVain, { what: oneLine(name.slice(0, ASKED_CHARACTERS)) }));
	return [...said, ...more];
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
