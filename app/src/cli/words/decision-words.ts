import type { Approval } from "@xworkmate/contracts";
import { wholeMinutes } from "../../text/format-measure.ts";

/** How a request for approval ended, in words. */
export function decisionWords({ decision, state, windowSeconds }: Approval): string {
	switch (decision) {
		case "allow_once":
			return "allowed once";
		case "allow_window":
			return windowSeconds === undefined ? "allowed for a time" : `allowed for ${wholeMinutes(windowSeconds)} min`;
		case "deny":
			return "denied";
		case undefined:
			return state === "expired" ? "expired, denied automatically" : state === "withdrawn" ? "no longer needed" : state;
	}
}

/** Why an answer to a request was not accepted. */
export function unappliedWords(record: Approval): string {
	switch (record.state) {
		case "expired":
			return "Not answered: it had expired and was denied automatically.";
		case "withdrawn":
			return "Not answered: the run no longer waits for it.";
		default:
			return `Already answered: ${decisionWords(record)}.`;
	}
}
