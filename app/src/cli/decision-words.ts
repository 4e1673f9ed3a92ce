import type { Approval } from "@xworkmate/contracts";

/** How a request for approval ended, for a user. */
export function decisionWords({ decision, state }: Approval): string {
	switch (decision) {
		case "allow_once":
			return "allowed once";
		case "allow_window":
			return "allowed for 15 minutes";
		case "deny":
			return "denied";
		case undefined:
			return state === "expired" ? "expired, denied automatically" : state === "withdrawn" ? "no longer needed, the run ended" : state;
	}
}
