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
