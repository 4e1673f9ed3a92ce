import type { Approval } from "@xworkmate/contracts";
import { fill, words } from "../../../strings/interface.ts";
import { decisionLine } from "../../../text/calls/decision-line.ts";
import { lateAnswer } from "../../../text/calls/late-answer.ts";
import { wholeMinutes } from "../../../text/format-measure.ts";
import { lowerFirst } from "../lower-first.ts";

/** How a request for approval ended, in words. */
export function decisionWords({ decision, state, windowSeconds, reason, decidedBy = "" }: Approval): string {
	const isDenied = decision === "deny" || (decision === undefined && state !== "pending");
	if (isDenied && reason !== undefined) return lowerFirst(decisionLine({ decision: "deny", by: decidedBy, reason }));
	switch (decision) {
		case "allow_once":
			return lowerFirst(words.ask.once_done);
		case "allow_window":
			if (windowSeconds === undefined) return "allowed for a limited time";
			return lowerFirst(fill(words.ask.window_done, { minutes: wholeMinutes(windowSeconds) }));
		case "deny":
			return lowerFirst(words.ask.deny_done);
		case undefined:
			return state === "expired" || state === "withdrawn" ? lowerFirst(words.ask[state]) : state;
	}
}

/** Why an answer to a request was not accepted. */
export function unappliedWords(record: Approval): string {
	return lateAnswer(record, decisionWords(record), Date.now());
}
